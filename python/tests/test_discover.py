"""Categories that nobody declared: values that few people have are named nowhere."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pytest
from conftest import Command

RARE = ["Secretazepam", "Hushumab"]
TERMS: dict[str, Any] = {"column": "drug", "epsilon": 1, "delta": "1e-9"}


def records(many: int = 600) -> list[tuple[str, str, int]]:
    """Two common drugs, and some that one patient each has."""
    common = [("Ibuprofen" if index % 3 == 0 else "Metformin") for index in range(len(RARE), many)]
    return [(f"p{index}", drug, 20 + index % 60) for index, drug in enumerate((RARE + common)[:many])]


def write(path: pathlib.Path, rows: list[tuple[str, str, int]]) -> pathlib.Path:
    path.write_text("patient,drug,age\n" + "".join(f"{patient},{drug},{age}\n" for patient, drug, age in rows))
    return path


@pytest.fixture
def visits(tmp_path: pathlib.Path) -> pathlib.Path:
    return write(tmp_path / "visits.csv", records())


def account(path: pathlib.Path, unit: str = "patient") -> posterity.Budget:
    ledger = posterity.Ledger(path, create=True)
    ledger.create_account("study", epsilon=5, delta="1e-6", unit=unit, adjacency="add-remove", adds_up=True)
    return posterity.Budget(ledger, account="study")


def test_rare_values_are_named_nowhere(visits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, a value that one person alone has is shown or stored."""
    file = tmp_path / "a.ledger"
    budget = account(file)
    found = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, budget=budget)
    assert found.values == ["Ibuprofen", "Metformin"] and found.private
    saved = tmp_path / "drugs.png"
    found.picture().save(saved)
    told = [repr(found), found._repr_html_(), found.to_json(), str(found.to_dict()), found.guarantee, *found.notes]
    told += [str(found.to_pandas()), found.picture().svg, str(found._fields), pickle.dumps(found).decode("latin-1")]
    ledger = posterity.Ledger(file)
    told += [str(ledger.history("study")), str(ledger.documents("study")), str(ledger.export())]
    told += [file.read_bytes().decode("latin-1"), saved.read_bytes().decode("latin-1")]
    assert "Metformin" in told[0] and "Metformin" in told[1] and "Metformin" in file.read_bytes().decode("latin-1")
    for text in told:
        assert not any(name in text for name in RARE)
    assert ledger.check(found.to_json())["account"] == "study"


@pytest.mark.parametrize(
    "options, flags",
    [
        ({"one_record_per_person": True}, ["--one-record-per-person"]),
        ({"unit": "patient"}, ["--unit", "patient"]),
        ({"unit": "patient", "total_epsilon": 0.5, "level": 0.8}, ["--unit", "patient", "--total-epsilon", 0.5, "--level", 0.8]),
        (
            {"unit": posterity.Unit("patient", per_unit="latest age"), "where": "age > 30", "missing": "none", "edition": "2026"},
            ["--unit", "patient", "--per-unit", "latest age", "--where", "age > 30", "--missing", "none", "--edition", "2026"],
        ),
    ],
    ids=str,
)
def test_the_command_says_the_same(visits: pathlib.Path, command: Command, options: Any, flags: list[Any]) -> None:
    found = posterity.discover(visits, **TERMS, **options, seed=7)
    common = ["--column", "drug", "--epsilon", 1, "--delta", "1e-9"]
    printed = command("discover", visits, *common, *flags, "--seed", 7, "--format", "json")
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout) == found.to_dict() == json.loads(found.to_json())
    assert printed.stdout.strip() == found.to_json().strip()
    # What the object says is what the document says.
    document = found.to_dict()
    rows = document["readings"][0]["rows"]
    assert found.values == [name for name, _ in document["drawn"]["shown"]] == [row["given"]["drug"] for row in rows]
    assert list(found.count.values()) == [row["estimate"] for row in rows]
    assert [list(ends) for ends in found.interval().values()] == [row["interval"] for row in rows]
    assert found.threshold == document["threshold"] and not found.private
    assert found.guarantee == document["guarantee"]["statement"] and found.notes == document["notes"]


FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas text": lambda columns: pd.DataFrame(columns).astype({"drug": "string", "patient": "category"}),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "pyarrow dictionary": lambda columns: pa.table({**columns, "drug": pa.array(columns["drug"]).dictionary_encode()}),
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(
    "options",
    [
        {"one_record_per_person": True},
        {"unit": posterity.Unit("patient", per_unit="mode"), "where": "age > 25"},
        {"unit": posterity.Unit("patient", per_unit="latest age"), "missing": "none"},
    ],
    ids=str,
)
def test_tables_are_read_like_files(tmp_path: pathlib.Path, kind: str, options: dict[str, Any]) -> None:
    rows = [(f"p{index % 400}", drug, age) for index, (_, drug, age) in enumerate(records(700))]
    rows[50:90] = [(patient, "", age) for patient, _, age in rows[50:90]]
    patients, drugs, ages = (list(column) for column in zip(*rows, strict=True))
    columns = {"patient": patients, "drug": [drug or None for drug in drugs], "age": ages}
    terms = {**TERMS, **options, "total_epsilon": 1, "seed": 3}
    of_file = posterity.discover(write(tmp_path / "visits.csv", rows), **terms)
    of_table = posterity.discover(FRAMES[kind](columns), **terms)
    assert of_table.to_dict()["drawn"] == of_file.to_dict()["drawn"]
    assert of_table.values == [*of_file.values] and "Metformin" in of_table.values


def test_numbers_with_gaps() -> None:
    """pandas makes floats of integers where one is missing: 1.0 is 1."""
    values = pd.DataFrame({"drug": [1.0] * 300 + [2.0] * 200 + [float("nan")] + [2.5] * 300})
    found = posterity.discover(values, **TERMS, one_record_per_person=True, seed=1)
    assert found.values == ["1", "2"]


def test_one_record_changes_nothing_but_the_draw(tmp_path: pathlib.Path) -> None:
    """If this fails, an object or an error tells whether someone is in the data."""
    # Counts far from the threshold, where no noise of this seed decides.
    for many in (0, 1, 300):
        rows = records(many + 2)[2:]
        for extra in (("new", "Rare", 40), ("new", "", 40), ("", "Rare", 40)):
            both = [write(tmp_path / "visits.csv", rows), write(tmp_path / "more.csv", [*rows, extra])]
            for options in ({"unit": "patient"}, {"one_record_per_person": True}, {"unit": "patient", "where": "age > 30"}):
                without, with_one = (posterity.discover(path, **TERMS, **options, seed=3) for path in both)
                assert without.values == with_one.values and "Rare" not in with_one.to_json()
                for name in ("guarantee", "notes", "threshold", "epsilon", "delta"):
                    assert getattr(without, name) == getattr(with_one, name)
                frames = [pd.read_csv(path, dtype={"patient": "string", "drug": "string"}) for path in both]
                without, with_one = (posterity.discover(frame, **TERMS, **options, seed=3) for frame in frames)
                assert without.values == with_one.values and "Rare" not in with_one.to_json()


def test_no_data(tmp_path: pathlib.Path) -> None:
    path = write(tmp_path / "visits.csv", [])
    for data in (path, pd.DataFrame({"drug": pd.Series([], dtype="string")}), pa.table({"drug": pa.array([], pa.string())})):
        found = posterity.discover(data, **TERMS, one_record_per_person=True, total_epsilon=0.5)
        assert found.values == [] and found.count == {} and found.interval() == {} and found.private
        assert "no value passed the threshold" in repr(found) and "No value passed" in found._repr_html_()
        assert len(found.to_pandas()) == 0 and isinstance(found.total, float)
        with pytest.raises(posterity.PosterityError):
            found.picture()


def test_numbers(visits: pathlib.Path) -> None:
    found = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, seed=1)
    for name, truth in {"Ibuprofen": 199, "Metformin": 399}.items():
        assert abs(found.count[name] - truth) < 25
        low, high = found.interval()[name]
        narrow, wide = found.interval(0.5)[name], found.interval(0.999)[name]
        assert low <= found.count[name] <= high and wide[0] <= low <= narrow[0] <= narrow[1] <= high <= wide[1]
    assert found.total is not None and found.total_interval is not None and found.share is not None and found.not_shown is not None
    assert abs(found.total - 600) < 50 and found.total_interval[0] <= found.total <= found.total_interval[1]
    assert 0 <= found.not_shown[0] <= found.not_shown[1] and 0.2 < found.share["Ibuprofen"] < 0.5
    assert found.epsilon == 1.5 and found.delta == 1e-9 and found.level == 0.95 and found.column == "drug"
    frame = found.to_pandas()
    assert list(frame.index) == found.values and frame.index.name == "drug"
    assert list(frame.columns) == ["count", "low", "high", "share", "share_low", "share_high"]
    assert frame.loc["Metformin", "count"] == found.count["Metformin"]
    plain = posterity.discover(visits, **TERMS, unit="patient", seed=1)
    assert (plain.total, plain.total_interval, plain.share, plain.not_shown, plain.epsilon) == (None, None, None, None, 1)
    assert list(plain.to_pandas().columns) == ["count", "low", "high"]
    with pytest.raises(posterity.ArgumentError, match="^level: "):
        found.interval(1.5)


def test_a_recall_costs_nothing(visits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    budget = account(tmp_path / "a.ledger")
    first = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, budget=budget)
    assert (first.charged, first.charged_delta, first.remaining, first.recalled) == ("1.5", "0.000000001", "3.5", False)
    again = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, level=0.5, budget=budget)
    assert again.recalled and again.charged is None and again.remaining is None and again.count == first.count
    other = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, budget=budget, again=True)
    assert not other.recalled and other.remaining == "2"
    edition = posterity.discover(visits, **TERMS, unit="patient", edition="2027", budget=budget)
    assert edition.remaining == "1"
    with pytest.raises(posterity.BudgetError):
        posterity.discover(visits, **{**TERMS, "epsilon": 1.1}, unit="patient", budget=budget)
    ledger = posterity.Ledger(tmp_path / "a.ledger")
    assert ledger.account("study")["remaining_epsilon"] == "1"
    assert len(ledger.documents("study")) == 3


def test_a_name_stands_for_a_table(tmp_path: pathlib.Path) -> None:
    """If this fails, a ledger answers a question about one table with another, or charges for the same twice."""
    budget = account(tmp_path / "a.ledger")
    frame = pd.DataFrame(records(), columns=["patient", "drug", "age"]).astype({"patient": "string", "drug": "string"})

    def ask(name: str | None, column: str = "drug") -> posterity.Discovered:
        data = posterity.Data(frame, column=column, name=name)
        return posterity.discover(data, epsilon=0.5, delta="1e-9", unit="patient", budget=budget)

    assert [ask(None).charged, ask(None).charged] == ["0.5", "0.5"]
    first = ask("visits")
    assert first.charged == "0.5" and first.to_dict()["request"]["data"]["source"] == "visits"
    assert ask("visits").recalled and not ask("others").recalled and not ask("visits", "age").recalled
    with pytest.raises(posterity.ArgumentError, match="^name: "):
        ask(" ")


def test_copies_and_files(visits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def ask(found: posterity.Discovered) -> tuple[Any, ...]:
        paid = (found.charged, found.charged_delta, found.remaining, found.recalled)
        return found.to_json(), found.count, found.interval(0.3), repr(found), found._repr_html_(), found.picture().svg, paid

    found = posterity.discover(visits, **TERMS, unit="patient", total_epsilon=0.5, budget=account(tmp_path / "a.ledger"))
    assert found.charged == "1.5"
    for other in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert type(other) is posterity.Discovered and ask(other) == ask(found)
    path = tmp_path / "drugs.json"
    path.write_text(found.to_json())
    loaded = posterity.Discovered.load(path)
    assert loaded.to_json() == found.to_json() and loaded.charged is None and loaded.private
    with pytest.raises(posterity.ArgumentError, match=r"^path: .*Discovered\.load"):
        posterity.Release.load(path)
    path.write_text(posterity.release({"a": 1, "b": 2}, epsilon=1).to_json())
    with pytest.raises(posterity.ArgumentError, match=r"^path: .*Release\.load"):
        posterity.Discovered.load(path)


def test_forged_promises_are_not_read(visits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, an experiment passes for a private release."""
    seeded = posterity.discover(visits, **TERMS, unit="patient", seed=1).to_dict()
    private = posterity.discover(visits, **TERMS, unit="patient").to_dict()
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(seeded))
    assert not posterity.Discovered.load(path).private
    path.write_text(json.dumps({**seeded, "promise": private["promise"]}))
    with pytest.raises(posterity.ArgumentError, match="^path: .*promises"):
        posterity.Discovered.load(path)


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, "unit: a value that one person alone has must not be named"),
        ({"unit": posterity.Unit("patient", per_unit="all 3")}, "per_unit: "),
        ({"unit": posterity.Unit("patient", per_unit="any")}, "per_unit: "),
        ({"unit": "patient", "one_record_per_person": True}, "one_record_per_person: "),
        ({"unit": "patient", "column": None}, "column: "),
        ({"unit": "patient", "column": ["drug", "age"]}, "column: this is a list"),
        ({"unit": "patient", "column": "drugs"}, "column"),
        ({"unit": "nobody"}, ".*nobody"),
        ({"unit": "patient", "delta": 0}, "delta: "),
        ({"unit": "patient", "delta": 1}, "delta: "),
        ({"unit": "patient", "delta": "few"}, "delta: "),
        ({"unit": "patient", "epsilon": 0}, "epsilon: "),
        ({"unit": "patient", "total_epsilon": -1}, "total_epsilon: "),
        ({"unit": "patient", "level": 2}, "level: "),
        ({"unit": "patient", "where": "age >"}, "where: "),
        ({"unit": "patient", "missing": " "}, "missing: "),
        ({"unit": "patient", "seed": -1}, "seed: "),
        ({"unit": "patient", "again": True}, "again: "),
        ({"unit": "patient", "budget": 3}, "budget: "),
    ],
    ids=str,
)
def test_rejects(visits: pathlib.Path, options: dict[str, Any], expected: str) -> None:
    with pytest.raises(posterity.ArgumentError, match=f"^{expected}") as raised:
        posterity.discover(visits, **{**TERMS, **options})
    assert isinstance(raised.value, ValueError)
    frame = pd.read_csv(visits)
    with pytest.raises(posterity.ArgumentError, match=f"^{expected}"):
        posterity.discover(frame, **{**TERMS, **options})


@pytest.mark.parametrize("argument", [{"categories": ["a", "b"]}, {"bins": [1, 2]}, {"within": "age > 3"}, {"other": "rest"}], ids=str)
def test_rejects_parts_of_data(visits: pathlib.Path, argument: dict[str, Any]) -> None:
    data = posterity.Data(visits, column="drug", **argument)
    with pytest.raises(posterity.ArgumentError, match=f"^{next(iter(argument))}: "):
        posterity.discover(data, epsilon=1, delta="1e-9", unit="patient")


@pytest.mark.parametrize("data", [["a", "b"], {"a": 3}, 5, b"drug", pd.Series(["a"]), pl.Series(["a"]), {"a", "b"}], ids=str)
def test_rejects_what_is_no_table(data: Any) -> None:
    with pytest.raises(posterity.ArgumentError, match="^data: this is no table"):
        posterity.discover(data, **TERMS, one_record_per_person=True)


def test_rejects_seed_and_budget(visits: pathlib.Path, tmp_path: pathlib.Path) -> None:
    budget = account(tmp_path / "a.ledger", unit="record")
    with pytest.raises(posterity.ArgumentError, match="^seed: "):
        posterity.discover(visits, **TERMS, one_record_per_person=True, budget=budget, seed=1)
    with pytest.raises(posterity.ArgumentError, match="^unit: "):
        posterity.discover(visits, **TERMS, unit="patient", budget=budget)
    with pytest.raises(posterity.ArgumentError, match="^account: "):
        posterity.discover(visits, **TERMS, one_record_per_person=True, budget=posterity.Budget(tmp_path / "a.ledger", "nobody"))
    with pytest.raises(posterity.PosterityError):
        posterity.discover(tmp_path / "nothing.csv", **TERMS, one_record_per_person=True)
    assert posterity.Ledger(tmp_path / "a.ledger").account("study")["remaining_epsilon"] == "5"
