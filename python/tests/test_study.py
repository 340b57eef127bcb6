"""Studies from Python."""

import json

import pandas as pd
import polars as pl
import posterity
import pyarrow
import pytest
from conftest import draw

PLAN = """
source = "people.csv"
epsilon = 1
ledger = "budget.ledger"
account = "survey"
[columns]
ward = ["A", "B"]
cured = ["yes", "no"]
[[question]]
columns = ["ward", "cured"]
read = ["cured | ward"]
[[question]]
columns = ["ward"]
"""


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{'AB'[row % 2]},{['yes', 'no'][row % 3 % 2]}\n" for row in range(60))
    (tmp_path / "people.csv").write_text("ward,cured\n" + rows)
    (tmp_path / "plan.toml").write_text(PLAN)
    ledger = posterity.Ledger(tmp_path / "budget.ledger", create=True)
    ledger.create_account("survey", epsilon=1)
    return tmp_path


def test_a_study_is_charged_once(folder):
    study = posterity.study(folder / "plan.toml", out=folder / "results")
    assert list(study) == ["ward-cured", "ward"] and study.private and len(study) == 2
    assert study["ward"].n == 60
    assert study.report.exists() and "differential privacy" in study.report.read_text(encoding="utf-8")
    document = json.loads((study.folder / "ward-cured.json").read_text())
    assert document["readings"][0]["given"] == ["ward"]
    again = posterity.study(folder / "plan.toml", out=folder / "results")
    assert again["ward"].recalled and again["ward"].mean == study["ward"].mean
    account = posterity.Ledger(folder / "budget.ledger").account("survey")
    assert account["charges"] == 1
    with pytest.raises(posterity.BudgetError):
        posterity.study(folder / "plan.toml", out=folder / "results", again=True)


def test_tables_of_many_columns_beside_questions(folder):
    wide = PLAN.replace("epsilon = 1", "epsilon = 1\ndelta = 1e-6") + '[[margins]]\nname = "pairs"\nsets = 2\n'
    (folder / "plan.toml").write_text(wide)
    # The account has no delta.
    with pytest.raises(posterity.PosterityError, match="create an account with delta"):
        posterity.study(folder / "plan.toml", out=folder / "results")
    posterity.Ledger(folder / "budget.ledger").create_account("wide", epsilon=2, delta=1e-5)
    (folder / "plan.toml").write_text(wide.replace('"survey"', '"wide"'))
    study = posterity.study(folder / "plan.toml", out=folder / "results")
    assert list(study) == ["ward-cured", "ward"] and list(study.margins) == ["pairs"] and study.private
    pairs = study.margins["pairs"]
    assert pairs.n == 60 and pairs.tables == {1: 2, 2: 1} and pairs.read("cured | ward").level == 0.95
    assert "margins ['pairs']" in repr(study)
    again = posterity.study(folder / "plan.toml", out=folder / "results")
    assert again.margins["pairs"].recalled and again.margins["pairs"].to_json() == pairs.to_json()
    (line,) = posterity.Ledger(folder / "budget.ledger").history("wide")
    assert line["parts"] == [{"epsilon": "1/3", "releases": 2}] and "epsilon" not in line


def test_an_experiment_is_not_private(folder):
    study = posterity.study(folder / "plan.toml", out=folder / "trial", seed=7)
    assert not study.private and "NOT PRIVATE" in repr(study)
    assert posterity.Ledger(folder / "budget.ledger").account("survey")["charges"] == 0


def test_wrong_plans_name_the_line(folder):
    (folder / "plan.toml").write_text(PLAN.replace("read =", "reads ="))
    with pytest.raises(posterity.ArgumentError, match='line 11: there is no key "reads" in a question; write "read"'):
        posterity.study(folder / "plan.toml", out=folder / "results")
    with pytest.raises(posterity.PosterityError):
        posterity.study(folder / "nowhere.toml")


IN_MEMORY = {
    "source": "the people of 2026",
    "epsilon": 1,
    "delta": 1e-6,
    "adjacency": "add-remove",
    "unit": "who",
    "columns": {"ward": ["A", "B"], "cured": ["yes", "no"]},
    "question": [{"columns": ["ward", "cured"], "read": ["cured | ward"]}],
}
WIDE = {**IN_MEMORY, "margins": [{"name": "pairs", "sets": 2}]}
DISCOVERING = {**IN_MEMORY, "discover": [{"name": "drugs", "column": "drug"}]}


def people():
    number = 400
    return pd.DataFrame({
        "who": range(number),
        "ward": ["AB"[row % 2] for row in range(number)],
        "cured": [["yes", "no"][row % 3 % 2] for row in range(number)],
        "drug": [["aspirin", "statin"][row % 4 // 3] for row in range(number)],
        "unused": [object()] * number,
    })


def tables():
    frame = people()
    typed = frame.drop(columns="unused")
    polars = pl.DataFrame({**typed.to_dict("list"), "ward": pl.Series(typed["ward"].to_list(), dtype=pl.Object)})
    return [frame, pl.from_pandas(typed), polars, pyarrow.Table.from_pandas(typed)]


@pytest.mark.parametrize("place", range(4), ids=["pandas", "polars", "objects", "arrow"])
def test_records_in_memory_are_those_of_a_file(folder, place):
    """If this fails, a table in memory is counted otherwise than the same table in a file, in a question of some kind."""
    frame = people()
    frame.drop(columns="unused").to_csv(folder / "all.csv", index=False)
    for plan, name in [(WIDE, "pairs"), (DISCOVERING, "drugs")]:
        expected = posterity.study({**plan, "source": str(folder / "all.csv")}, out=folder / f"{name}-file", seed=7)
        found = posterity.study(plan, tables()[place], out=folder / f"{name}-memory", seed=7)
        assert found.documents.keys() == expected.documents.keys() == {"ward-cured", name}
        for question, document in found.documents.items():
            assert document.to_dict()["drawn"] == expected.documents[question].to_dict()["drawn"], question
            assert document.to_dict()["request"]["data"]["source"] == "the people of 2026"
        # A path in the place of the source is read as the plan says.
        path = posterity.study(plan, folder / "all.csv", out=folder / f"{name}-path", seed=7)
        assert path["ward-cured"].drawn == expected["ward-cured"].drawn


def test_a_name_stands_for_one_table(folder):
    """If this fails, a ledger answers a question about other records with the answer about the old ones."""
    ledger = posterity.Ledger(folder / "named.ledger", create=True)
    ledger.create_account("survey", epsilon=5)
    plan = {**IN_MEMORY, "ledger": str(folder / "named.ledger"), "account": "survey", "adjacency": "replace"}
    plan = {key: value for key, value in plan.items() if key not in ("delta", "unit")}
    charges = lambda: ledger.account("survey")["charges"]  # noqa: E731
    first = posterity.study(plan, people(), out=folder / "results")
    again = posterity.study(plan, people(), out=folder / "results")
    assert charges() == 1 and again["ward-cured"].recalled and again["ward-cured"].drawn == first["ward-cured"].drawn
    # A release of the question by itself is the same question, and so is one of another reading.
    data = posterity.Data(people(), name="the people of 2026", column=["ward", "cured"], categories=[["A", "B"], ["yes", "no"]])
    alone = posterity.release(data, epsilon=1, budget=posterity.Budget(folder / "named.ledger", "survey"))
    assert charges() == 1 and alone.recalled and alone.drawn == first["ward-cured"].drawn
    # Without a name nothing is found again.
    unnamed = {key: value for key, value in plan.items() if key != "source"}
    for _ in range(2):
        assert not posterity.study(unnamed, people(), out=folder / "unnamed")["ward-cured"].recalled
    assert charges() == 3
    found = json.loads((folder / "unnamed" / "ward-cured.json").read_text())
    assert "source" not in found["request"]["data"]


def test_what_is_no_table_is_refused(folder):
    plan = {key: value for key, value in DISCOVERING.items() if key != "source"}
    with pytest.raises(posterity.ArgumentError, match="^plan: .*source"):
        posterity.study(plan, out=folder / "results")
    for wrong in ([1, 2], {"yes": 3}, "48, 42"):
        with pytest.raises(posterity.ArgumentError, match="^data: "):
            posterity.study(plan, wrong, out=folder / "results")
    with pytest.raises(posterity.ArgumentError, match="no column \"drug\""):
        posterity.study(plan, people().drop(columns="drug"), out=folder / "results")
    assert not (folder / "results").exists()


def test_a_private_filter(folder):
    release = draw(
        folder / "people.csv", column="cured", categories=["yes", "no"], within="ward = 'A'", epsilon=1
    )
    assert release.n == 60 and list(release.mean) == ["yes", "no", "outside"]
    with pytest.raises(posterity.ArgumentError, match="within"):
        draw(folder / "people.csv", column="cured", categories=["yes", "no"], within="ward =", epsilon=1)
