"""A small assignment and reports on it, made by hand."""

from pathlib import Path

import pytest

from autograder.model import (
    Assignment,
    Finding,
    FunctionSpec,
    Message,
    MistakeText,
    NamedMistake,
    Report,
    TestResult,
    Text,
)

ENGLISH = Text(
    title="Masked softmax",
    functions={},
    tests={
        "future_keys_are_hidden": "keys after the query are hidden",
        "rows_sum_to_one": "rows sum to one",
        "inputs_stay": "inputs stay as they were",
        "output_mixes_values": "the output mixes the values",
    },
    mistakes={
        "reversed": MistakeText("the mask hides the past and shows the future", "why", ("print a 3 x 3 mask", "more")),
        "divisor": MistakeText("the scores are divided by {divisor}", "why", ("what grows with {divisor}?",)),
    },
    messages={"sums": "row {row} sums to {total}"},
)
JAPANESE = Text(
    title="マスク付き softmax",
    functions={},
    tests={
        "future_keys_are_hidden": "クエリより後のキーは隠れている",
        "rows_sum_to_one": "各行の和は 1",
        "inputs_stay": "入力はそのまま",
        "output_mixes_values": "出力は値の混合",
    },
    mistakes={
        "reversed": MistakeText(
            "マスクが過去を隠し、未来を見せている", "理由", ("3 行 3 列のマスクを表示してみましょう。", "次")
        ),
        "divisor": MistakeText(
            "スコアを {divisor} で割っている", "理由", ("{divisor} とともに何が大きくなりますか。",)
        ),
    },
    messages={"sums": "{row} 行目の和が {total}"},
)


@pytest.fixture
def assignment():
    functions = (
        FunctionSpec("causal_mask", "function", 4.0),
        FunctionSpec("masked_softmax", "function", 6.0, needs=("causal_mask",)),
        FunctionSpec("masked_attention", "function", 10.0, needs=("masked_softmax",)),
    )
    texts = {"en": ENGLISH, "ja": JAPANESE}
    return Assignment("04_masked_softmax", Path("x"), 1, 60, functions, (), texts, "", {})


VALUES = Message("values", {"path": "", "where": [0, 2], "expected": "0", "yours": "0.25", "difference": "0.25"})


def result(name, function, status="passed", points=2.0, message=None, **more):
    return TestResult(
        name, function, status, points if status == "passed" else 0.0, points, True, message=message, **more
    )


def of(*tests, findings=(), status="graded", problem=None, student="ann", notes=(), sandbox=None):
    score = sum(test.points for test in tests)
    level = {"level": "full"} if sandbox is None else sandbox
    return Report(1, student, "04_masked_softmax", 1, status, score, 20.0, tests, findings, notes, level, {}, problem)


@pytest.fixture
def make():
    """Makes reports and their parts."""

    class Make:
        test = staticmethod(result)
        report = staticmethod(of)
        values = VALUES

        @staticmethod
        def reversed_mask(**more):
            tests = (
                result("future_keys_are_hidden", "causal_mask", "failed", message=VALUES),
                result("rows_sum_to_one", "masked_softmax"),
                result("inputs_stay", "masked_softmax", "failed", message=Message("changed", {"argument": "scores"})),
                result("output_mixes_values", "masked_attention", follow_through=True),
            )
            findings = (
                Finding(("masked_softmax",), ("inputs_stay",), property=Message("changed", {"argument": "scores"})),
                Finding(("causal_mask",), ("future_keys_are_hidden",), mistakes=(NamedMistake("reversed"),)),
            )
            return of(*tests, findings=findings, **more)

    return Make
