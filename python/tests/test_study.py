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
