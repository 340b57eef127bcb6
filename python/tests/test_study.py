"""Studies from Python."""

import json

import posterity
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


def test_a_private_filter(folder):
    release = draw(
        folder / "people.csv", column="cured", categories=["yes", "no"], within="ward = 'A'", epsilon=1
    )
    assert release.n == 60 and list(release.mean) == ["yes", "no", "outside"]
    with pytest.raises(posterity.ArgumentError, match="within"):
        draw(folder / "people.csv", column="cured", categories=["yes", "no"], within="ward =", epsilon=1)
