"""What the ledger knows questions by, and what is refused: pinned, because people rely on it.

The texts of questions are those of `crates/posterity-cli/tests/pinned`. After a deliberate change of a refusal run
`POSTERITY_UPDATE=1 tools/python-tests -k pinned`, and read the difference.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable
from typing import Any

import posterity
import pytest
from conftest import ROOT

QUESTIONS = ROOT / "crates/posterity-cli/tests/pinned/snapshots"
REFUSALS = pathlib.Path(__file__).parent / "pinned/refusals.txt"
WARDS = {"column": ["ward", "cured"], "categories": [["A", "B", "C"], ["yes", "no"]]}
PAIRS = {"schema": "stays.schema.json", "epsilon": 1, "delta": "1e-9"}
SCHEMA = """{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B", "C"]}},
    {"name": "sex", "constraints": {"enum": ["f", "m"]}}, {"name": "cured", "constraints": {"enum": ["yes", "no"]}}]}"""


@pytest.fixture
def desk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder with the names of the files and columns that the Rust tests have. Questions hold no numbers of records."""
    monkeypatch.chdir(tmp_path)
    rows = [(row % 40, "ABC"[row % 3], "fm"[row % 2], 18 + row * 13 % 70, ["yes", "no"][row % 7 // 4]) for row in range(60)]
    text = "id,ward,sex,age,cured\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    (tmp_path / "stays.csv").write_text(text)
    (tmp_path / "unknown.csv").write_text(text.replace(",C,", ",Z,").replace("yes", ""))
    (tmp_path / "stays.schema.json").write_text(SCHEMA)
    return tmp_path


def unit(budget: posterity.Budget) -> None:
    data = posterity.Data("stays.csv", **WARDS, where="age >= 40", edition="2026")
    posterity.release(data, unit="id", epsilon=0.5, budget=budget)


def unknown(budget: posterity.Budget) -> None:
    data = posterity.Data("unknown.csv", **WARDS, other={"ward": "elsewhere"}, missing={"cured": "unknown"})
    posterity.release(data, mechanism="geometric(consistent)", epsilon=1, budget=budget)


def private_n(budget: posterity.Budget) -> None:
    data = posterity.Data("stays.csv", column="age", bins=[18, 40, 65, 88])
    posterity.release(data, adjacency="add-remove", epsilon="1/3", budget=budget)


def margins(budget: posterity.Budget) -> None:
    posterity.margins("stays.csv", **PAIRS, sets="ward, cured; sex, cured = 3", budget=budget)


@pytest.mark.parametrize(
    ("ask", "account"),
    [(unit, {"unit": "id"}), (unknown, {}), (private_n, {"adjacency": "add-remove"}), (margins, {"delta": "1e-6"})],
)
def test_a_question_has_the_text_of_all_fronts(
    desk: pathlib.Path, ask: Callable[[posterity.Budget], None], account: dict[str, Any]
) -> None:
    """If this fails, Python pays for a question that was paid for elsewhere, or the other way round."""
    ledger = posterity.Ledger("study.ledger", create=True)
    ledger.create_account("office", epsilon=9, **account)
    for _ in range(2):
        ask(posterity.Budget(ledger, "office"))
    (charge,) = ledger.history("office")
    name = ask.__name__.replace("_", "-")
    snapshot = (QUESTIONS / f"pinned__fronts__question-{name}.snap").read_text(encoding="utf-8")
    pinned = snapshot.split("---\n", 2)[2].strip()
    assert charge["question"].replace(str(desk.resolve()), "FOLDER") == pinned


# What is wrong in a question, by the function that is asked.
TERMS: list[dict[str, Any]] = [
    {"epsilon": 0},
    {"epsilon": "many"},
    {"epsilon": 1000},
    {"level": 1},
    {"about": "people"},
    {"adjacency": "both"},
    {"unit": "nobody"},
    {"unit": posterity.Unit("id", per_unit="often")},
    {"budget": posterity.Budget("nothing.ledger", "office")},
    {"budget": posterity.Budget("study.ledger", "nobody")},
    {"seed": 1},
    {"sign": "nothing.secret"},
    {"epsilons": 1},
]
RELEASE: list[dict[str, Any]] = [
    *TERMS,
    {"interval_kind": "normal"},
    {"mechanism": "magic"},
    {"mechanism": "ehds(gamma=0)"},
    {"mechanism": "mh"},
    {"decode": "magic"},
    {"prior": 0},
    {"prior": [1, 2, 3, 4]},
    {"most": 5},
    {"certificate": "nothing.json"},
]
DATA: list[dict[str, Any]] = [
    {"data": "nothing.csv"},
    {"column": ["nobody", "cured"]},
    {"categories": [["A", "B", "C"]]},
    {"categories": [["A", "B"], ["yes", "no"]]},
    {"where": "age >"},
    {"where": "height > 3"},
    {"encoding": "latin-9"},
    {"delimiter": "ab"},
    {"input_format": "xlsx"},
]
MARGINS: list[dict[str, Any]] = [*TERMS, {"delta": 2}, {"delta": 0.01}, {"sets": 9}, {"sets": "ward, nobody"}, {"where": "age >"}]
DISCOVER: list[dict[str, Any]] = [
    *TERMS,
    {"unit": "nobody", "one_record_per_person": False},
    {"column": "nobody"},
    {"delta": 2},
    {"delta": 0.01},
    {"total_epsilon": 0},
]


def test_mistakes_are_refused_as_they_were(desk: pathlib.Path) -> None:
    """If this fails, a mistake is refused otherwise than before, or not at all."""
    ledger = posterity.Ledger("study.ledger", create=True)
    ledger.create_account("office", epsilon=90, delta="1e-6", adds_up=True)
    ledger.create_account("rho", epsilon=90, delta="1e-6")
    ledger.create_account("private", epsilon=90, delta="1e-6", adds_up=True, adjacency="add-remove")
    office, rho, private = ({"budget": posterity.Budget(ledger, name), "epsilon": 1} for name in ("office", "rho", "private"))
    wards = {"data": "stays.csv", **WARDS}
    names = {"column": "ward", "delta": "1e-9", "one_record_per_person": True}
    said = []
    for name, wrongs, ask in [
        ("release", RELEASE, lambda wrong: posterity.release(posterity.Data(**wards), **{**office, **wrong})),
        ("Data", DATA, lambda wrong: posterity.release(posterity.Data(**{**wards, **wrong}), **office)),
        ("margins", MARGINS, lambda wrong: posterity.margins("stays.csv", **{**PAIRS, **rho, **wrong})),
        ("discover", DISCOVER, lambda wrong: posterity.discover("stays.csv", **{**names, **private, **wrong})),
    ]:
        for wrong in wrongs:
            before = ledger.path.read_bytes()
            given = ", ".join(f"{key}={value!r}" for key, value in wrong.items())
            try:
                ask(wrong)
                said.append(f"{name}({given})\n  accepted\n")
            except Exception as error:
                assert ledger.path.read_bytes() == before, f"{name}({given}) was charged"
                message = str(error).replace(str(desk.resolve()), "FOLDER")
                said.append(f"{name}({given})\n  {type(error).__name__}: {message}\n")
    text = "\n".join(said)
    if os.environ.get("POSTERITY_UPDATE"):
        REFUSALS.parent.mkdir(exist_ok=True)
        REFUSALS.write_text(text, encoding="utf-8")
    assert text == REFUSALS.read_text(encoding="utf-8")
