"""`check` in a real kernel: HTML for who passes, and for who does not one line in place of a traceback."""

import nbformat
from nbclient import NotebookClient

LONGEST_CELL = 60  # seconds, on a busy machine
SETUP = 'from autograder.learn import lesson\ncheck, ask = lesson("04_masked_softmax")'
RIGHT = "def padding_mask(lengths, n_keys):\n    return (torch.arange(n_keys) >= lengths[:, None])[:, None]"
WRONG = "def causal_mask(n_queries, n_keys=None, device=None):\n    return nothing_of_that_name"
CELLS = [f"import torch\n{SETUP}", RIGHT, "check(padding_mask)", WRONG, "check(causal_mask)"]


def run(kit):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    how = {"timeout": LONGEST_CELL, "kernel_name": "python3", "resources": {"metadata": {"path": kit}}}
    return [cell.outputs for cell in NotebookClient(notebook, allow_errors=True, **how).execute().cells]


def test_a_kernel_shows_cards_and_one_line_of_error(kit):
    *_, passing, written, failing = run(kit)
    assert [output.output_type for output in passing] == ["display_data"]
    assert "padding_mask: 1 of 1 visible checks pass" in passing[0].data["text/html"]
    assert written == []
    card, error = failing
    assert "NameError" in card.data["text/html"]
    assert "causal_mask, line 2: return nothing_of_that_name" in card.data["text/html"]
    assert error.traceback == ["causal_mask: 0 of 3 visible checks pass"]
