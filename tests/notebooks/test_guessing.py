"""Which assignment a file belongs to: by its name, its folder, or what it defines."""

import pytest

from autograder.notebooks import guess_assignment

KNOWN = {
    "01_soft_lookup": ("hard_lookup", "softmax", "soft_lookup"),
    "03_scaled_dot_product": ("softmax", "attention_scores", "attention"),
    "04_masked_softmax": ("causal_mask", "padding_mask", "masked_softmax"),
    "11_tiny_gpt": ("Block", "TinyGPT"),
}


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("04_masked_softmax.ipynb", "04_masked_softmax"),
        ("s03_04_masked_softmax.py", "04_masked_softmax"),
        ("Masked Softmax (1).ipynb", "04_masked_softmax"),
        ("masked-softmax.final.py", "04_masked_softmax"),
        ("04_masked_softmax/s03.py", "04_masked_softmax"),
        ("submitted/s11/11_tiny_gpt/notebook.ipynb", "11_tiny_gpt"),
        ("04.ipynb", "04_masked_softmax"),
        ("4-taro.ipynb", "04_masked_softmax"),
        ("hw11.py", "11_tiny_gpt"),
        ("課題04.py", "04_masked_softmax"),
        ("04/taro.py", "04_masked_softmax"),
        ("s04.py", None),
        ("taro_04.py", None),
        ("2004.py", None),
        ("041.py", None),
        ("12.py", None),
        ("taro.py", None),
    ],
)
def test_a_name_tells(desk, name, guess):
    assert guess_assignment(desk.write(name, ""), KNOWN) == guess


def test_what_a_file_defines_tells(desk):
    script = desk.write("taro.py", "def causal_mask(n):\n    pass\n\n\ndef masked_softmax(x):\n    return (\n")
    assert guess_assignment(script, KNOWN) == "04_masked_softmax"
    notebook = desk.write(
        "taro.ipynb", desk.notebook(desk.text("def causal_mask(n):"), desk.code("class Block:\n    x"))
    )
    assert guess_assignment(notebook, KNOWN) == "11_tiny_gpt"


def test_what_a_file_defines_outweighs_a_number(desk):
    assert guess_assignment(desk.write("03_taro.py", "def causal_mask(n):\n    pass\n"), KNOWN) == "04_masked_softmax"


def test_a_number_decides_where_definitions_fit_several(desk):
    assert guess_assignment(desk.write("taro.py", "def softmax(x):\n    pass\n"), KNOWN) is None
    assert guess_assignment(desk.write("03.py", "def softmax(x):\n    pass\n"), KNOWN) == "03_scaled_dot_product"


@pytest.mark.parametrize("content", ["{", b"\xff\xfe", "[" * 100_000])
def test_a_file_that_cannot_be_read_is_told_by_its_name_or_not_at_all(desk, content):
    assert guess_assignment(desk.write("taro.ipynb", content), KNOWN) is None
    assert guess_assignment(desk.write("04_taro.ipynb", content), KNOWN) == "04_masked_softmax"
    assert guess_assignment(desk.folder / "nowhere.py", KNOWN) is None


def test_a_file_that_fails_in_reading_tells_nothing(tmp_path, monkeypatch):
    def fails(*_):
        raise MemoryError

    monkeypatch.setattr("autograder.notebooks.guessing.raw_cells", fails)
    (tmp_path / "ann.py").write_text("def causal_mask(): ...\n", encoding="utf-8")
    assert guess_assignment(tmp_path / "ann.py", KNOWN) is None
