"""Built notebooks in a real Jupyter kernel."""

import json

import matplotlib.font_manager  # noqa: F401 - lists its fonts the first time, and may say so on a kernel's stderr
import nbformat
from nbclient import NotebookClient
from nbgrader.validator import Validator

LONGEST_CELL = 60  # seconds, on a busy machine
LONGEST_WORK = 10  # seconds of processor time, in any cell
CLOCK = """
def _measured():
    from resource import RUSAGE_SELF, getrusage
    start = [0.0]

    def spent():
        used = getrusage(RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    def before(_):
        start[0] = spent()

    def after(_):
        _seconds.append(spent() - start[0])

    events = get_ipython().events
    events.register("pre_run_cell", before)
    events.register("post_run_cell", after)


_seconds = []
_measured()
"""


def run(path):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=LONGEST_CELL, kernel_name="python3", resources={"metadata": {"path": path.parent}}
    )
    return client.execute()


def test_a_solved_notebook_runs_in_a_kernel_from_top_to_bottom(built, tmp_path):
    path = built.solved(tmp_path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(CLOCK))
    notebook.cells.append(nbformat.v4.new_code_cell("import json\nprint(json.dumps(_seconds))"))
    nbformat.write(notebook, path)
    done = run(path)
    seconds = done.cells.pop()
    outputs = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    assert max(json.loads(seconds.outputs[0].text)) < LONGEST_WORK
    for call, shown in (("heatmap(", "<table"), ("picture(", "<svg")):
        cells = [cell for cell in done.cells if cell.cell_type == "code" and f"\n{call}" in cell.source]
        assert all(shown in cell.outputs[-1].data["text/html"] for cell in cells)


def test_nbgrader_validates_a_solved_notebook(built_named, tmp_path):
    solved = built_named("qkv_projections.ja.ipynb").solved(tmp_path)
    assert not Validator().validate(str(solved))


def test_nbgrader_finds_every_check_of_an_unwritten_notebook_failing(built_named):
    found = Validator().validate(str(built_named("masked_softmax.ipynb").path))
    assert len(found["failed"]) == 5
