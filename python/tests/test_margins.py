"""Tables of many columns: files and tables in memory, readings, rows, and who pays."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Command

SCHEMA: dict[str, Any] = {
    "fields": [
        {"name": "ward", "constraints": {"enum": ["A", "B", "C"]}},
        {"name": "sex", "constraints": {"enum": ["f", "m"]}},
        {"name": "age", "type": "integer", "bins": [0, 18, 65, 120]},
        {"name": "id", "type": "integer"},
    ]
}
TERMS: dict[str, Any] = {"epsilon": 1, "delta": "1e-9"}
MANY = 1200


def columns() -> dict[str, list[Any]]:
    ids = range(MANY)
    return {
        "ward": ["ABC"[index % 3] for index in ids],
        "sex": ["fm"[index % 5 > 1] for index in ids],
        "age": [index % 90 for index in ids],
        "id": [index // 2 for index in ids],
    }


@pytest.fixture
def people(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "people.csv"
    rows = zip(*columns().values(), strict=True)
    path.write_text("ward,sex,age,id\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.fixture
def schema(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "people.schema.json"
    path.write_text(json.dumps(SCHEMA))
    return path


@pytest.mark.parametrize(
    "options, flags",
    [
        ({}, []),
        ({"sets": 3, "adjacency": "add-remove"}, ["--sets", 3, "--adjacency", "add-remove"]),
        ({"sets": "ward,age; sex=2"}, ["--sets", "ward,age; sex=2"]),
        ({"column": ["age", "sex"], "level": 0.8, "about": "records"}, ["--column", "age", "--column", "sex", "--level", 0.8, "--about", "records"]),
        (
            {"unit": posterity.Unit("id", per_unit="first"), "where": "id > 30", "missing": "none", "edition": "2026"},
            ["--unit", "id", "--per-unit", "first", "--where", "id > 30", "--missing", "none", "--edition", "2026"],
        ),
    ],
    ids=str,
)
def test_the_command_says_the_same(
    people: pathlib.Path, schema: pathlib.Path, command: Command, options: dict[str, Any], flags: list[Any]
) -> None:
    found = posterity.margins(people, schema=schema, **TERMS, **options, seed=7)
    margins = [] if "--sets" in flags else ["--sets", 2]
    asked = ["margins", people, "--schema", schema, "--epsilon", 1, "--delta", "1e-9", *margins, *flags]
    printed = command(*asked, "--seed", 7, "--format", "json")
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout) == found.to_dict() == json.loads(found.to_json())
    document = found.to_dict()
    assert found.tables == {size["columns"]: size["tables"] for size in document["tables"]}
    assert found.n == document.get("n") and not found.private and found.guarantee == document["guarantee"]["statement"]
    for read in document["readings"]:
        assert found.read(read["reading"])._fields == read


FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas categories": lambda columns: pd.DataFrame(columns).astype({"ward": "category", "age": "float64"}),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(
    "options", [{}, {"adjacency": "add-remove"}, {"unit": posterity.Unit("id", per_unit="mode"), "where": "age > 20"}], ids=str
)
def test_tables_are_read_like_files(people: pathlib.Path, kind: str, options: dict[str, Any]) -> None:
    """If this fails, a table in memory is counted by other rules than the same table in a file."""
    terms = {**TERMS, **options, "schema": SCHEMA, "seed": 3}
    of_file = posterity.margins(people, **terms)
    of_frame = posterity.margins(FRAMES[kind](columns()), **terms)
    assert of_frame.to_dict()["drawn"] == of_file.to_dict()["drawn"]
    assert "source" not in of_frame.to_dict()["request"]["data"]


def test_many_columns_that_nobody_can_list() -> None:
    """If this fails, tables in memory are refused because their columns have too many combinations together."""
    frame = pd.DataFrame({f"c{place}": [str(row % 4) for row in range(50)] for place in range(20)})
    fields = [{"name": name, "constraints": {"enum": ["0", "1", "2", "3"]}} for name in frame]
    for data in (frame, pl.DataFrame(frame.to_dict("list")), pa.table(frame.to_dict("list"))):
        with pytest.warns(posterity.PosterityWarning, match="is noise"):
            tables = posterity.margins(data, schema={"fields": fields}, **TERMS, seed=1).tables
        assert tables == {1: 20, 2: 190}


def test_columns_without_a_schema(people: pathlib.Path) -> None:
    declared = posterity.Data(
        people, column=["ward", "sex", "age"], categories=[["A", "B", "C"], ["f", "m"], None], bins=[None, None, [0, 18, 65, 120]]
    )
    by_schema = posterity.margins(people, schema=SCHEMA, **TERMS, seed=1)
    assert posterity.margins(declared, **TERMS, seed=1).to_dict() == by_schema.to_dict()


def test_readings_and_rows(people: pathlib.Path) -> None:
    found = posterity.margins(people, schema=SCHEMA, **TERMS, seed=1)
    table = found.read("sex=f | ward", about="records")
    assert [row["given"]["ward"] for row in table.rows] == ["A", "B", "C"] and table.about == "records"
    assert all(abs(row["estimate"] - 0.4) < 0.2 for row in table.rows)
    wider = found.read("sex=f | ward", level=0.99, about="records")
    assert all(
        wide["interval"][0] < narrow["interval"][0] for wide, narrow in zip(wider.rows, table.rows, strict=True)
    )
    difference = found.compare("ward: A - B", about="records")
    low, high = difference.interval()
    assert difference.estimate is not None and low <= difference.estimate <= high and difference.about == "records"
    with pytest.raises(ValueError, match="no measure of independence"):
        found.compare("independence(sex, ward)")
    assert found.picture("sex | ward").svg.startswith("<svg")
    rows = found.rows(400, seed=2)
    assert rows == found.rows(400, seed=2) != found.rows(400, seed=3)
    frame = pd.DataFrame(rows)
    assert list(frame) == pl.DataFrame(rows).columns == pa.table(rows).column_names == ["ward", "sex", "age", "private"]
    assert set(frame["private"]) == {"false"}, "rows are read without the release, so they say that it is not private"
    assert len(frame) == 400 and set(frame["age"]) <= {"[0,18)", "[18,65)", "[65,120)"}
    assert abs((frame["sex"] == "f").mean() - found.read("sex=f").rows[0]["estimate"]) < 0.05
    assert len(found.rows()["ward"]) == MANY


def test_rows_of_a_private_release_have_the_columns_of_the_data(people: pathlib.Path) -> None:
    found = posterity.margins(people, schema=SCHEMA, **TERMS)
    assert list(found.rows(10)) == ["ward", "sex", "age"]


def test_a_large_delta_is_refused_unless_it_is_meant(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, one person's record is published under the name of privacy."""
    terms: dict[str, Any] = {"epsilon": 0.1, "delta": 0.9, "seed": 1}
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    known: dict[str, Any] = {"columns": "2,3", "n": 1000, "sets": 2, "epsilon": 1}
    calls: list[Callable[..., Any]] = [
        lambda **more: posterity.margins(people, schema=SCHEMA, **terms, **more),
        lambda **more: posterity.discover(people, column="ward", unit="id", **terms, **more),
        lambda **more: posterity.advise(**known, delta=0.9, **more),
        lambda **more: ledger.create_account("study", epsilon=1, delta=0.9, **more),
    ]
    for call in calls:
        with pytest.raises(posterity.ArgumentError, match=r"^delta: 0.9 is above 0.001.*allow_large_delta=True"):
            call()
        with pytest.warns(posterity.PosterityWarning, match=r"delta 0.9 is above 1e-5"):
            call(allow_large_delta=True)


def test_a_large_epsilon_is_told_before_anything_is_charged(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, whoever turns warnings into errors pays for what they refuse."""
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    ledger.create_account("study", epsilon=50)
    budget = posterity.Budget(ledger, account="study")
    counts = posterity.Data({"yes": 40, "no": 60}, name="trial")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(posterity.PosterityWarning, match="epsilon 12 is so large"):
            posterity.release(counts, epsilon=12, budget=budget)
    assert ledger.history("study") == []
    with pytest.warns(posterity.PosterityWarning, match="counts twice"):
        posterity.release(counts, epsilon=6, adjacency="add-remove", budget=budget)


def test_rows_of_the_command_are_those_of_python(people: pathlib.Path, tmp_path: pathlib.Path, command: Command) -> None:
    """If this fails, the command writes other rows, or a Parquet file that other software does not read."""
    found = posterity.margins(people, schema=SCHEMA, **TERMS, seed=1)
    document, file = tmp_path / "margins.json", tmp_path / "rows.parquet"
    document.write_text(found.to_json())
    done = command("rows", document, "--rows", 333, "--seed", 4, "--out", file)
    assert done.returncode == 0, done.stderr
    rows = found.rows(333, seed=4)
    assert pq.read_table(file).to_pydict() == rows == pl.read_parquet(file).to_dict(as_series=False)
    assert all(field.type == pa.string() and not field.nullable for field in pq.read_table(file).schema)


def test_an_account_pays_once(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, a release is charged twice, or another one is taken for it."""
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    ledger.create_account("study", epsilon=5, delta="1e-6")
    budget = posterity.Budget(ledger, account="study")
    terms = {**TERMS, "schema": SCHEMA, "budget": budget}
    first = posterity.margins(people, **terms)
    assert first.private and first.charged_rho is not None and not first.recalled
    again = posterity.margins(people, **terms, about="records")
    assert again.recalled and again.charged_rho is None
    assert again.to_dict()["drawn"] == first.to_dict()["drawn"]
    assert ledger.check(first.to_json())["account"] == "study"
    frame = posterity.Data(pd.DataFrame(columns()), name="people")
    assert not posterity.margins(frame, **terms).recalled
    assert posterity.margins(frame, **terms).recalled
    # Data without a name is charged each time.
    assert not posterity.margins(pd.DataFrame(columns()), **terms).recalled
    assert not posterity.margins(pd.DataFrame(columns()), **terms).recalled
    for copied in (pickle.loads(pickle.dumps(first)), copy.deepcopy(first)):
        assert copied.to_dict() == first.to_dict()
        assert (copied.charged_rho, copied.remaining, copied.recalled) == (first.charged_rho, first.remaining, False)


def test_a_name_stands_for_one_table(tmp_path: pathlib.Path) -> None:
    """If this fails, a ledger answers a question about other data with the release of the first."""
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    ledger.create_account("study", epsilon=5, delta="1e-6")
    terms = {**TERMS, "schema": SCHEMA, "budget": posterity.Budget(ledger, account="study")}
    frame = pd.DataFrame(columns())

    def released(table: pd.DataFrame) -> posterity.Margins:
        return posterity.margins(posterity.Data(table, name="a table of this test"), **terms)

    assert not released(frame).recalled
    charges = len(ledger.history("study"))
    # The same number of rows: to the ledger it is the same question.
    other = frame.assign(ward=list(frame["ward"][1:]) + ["A" if frame["ward"][0] != "A" else "B"])
    assert len(other) == len(frame) and sorted(other["ward"]) != sorted(frame["ward"])
    with pytest.raises(posterity.ArgumentError, match="^name: .*stood for other data"):
        released(other)
    assert len(ledger.history("study")) == charges
    assert released(frame).recalled
    # Another number of rows is another question.
    more = released(pd.concat([frame, frame[:1]]))
    assert not more.recalled and more.charged_rho is not None and more.n == len(frame) + 1
    assert len(ledger.history("study")) == charges + 1


def test_documents_are_stored_and_shown(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    found = posterity.margins(people, schema=SCHEMA, **TERMS, seed=1)
    path = tmp_path / "margins.json"
    path.write_text(found.to_json())
    loaded = posterity.Margins.load(path)
    assert loaded.to_dict() == found.to_dict() and loaded.columns["age"] == ["[0,18)", "[18,65)", "[65,120)"]
    assert repr(found) == "<Margins (NOT PRIVATE): tables: 3 of 1 column, 3 of 2 columns; epsilon 1, delta 1e-09, n 1200>"
    assert "NOT PRIVATE" in found._repr_html_() and "<table>" in found._repr_html_()
    assert 0.0149 < found.rho < 0.015 and set(found.expected_l1) == {1, 2}
    other = tmp_path / "release.json"
    other.write_text(posterity.release({"a": 3, "b": 4}, epsilon=1, seed=1).to_json())
    with pytest.raises(posterity.ArgumentError, match="another kind .posterior.; read it with Release.load"):
        posterity.Margins.load(other)
    with pytest.raises(posterity.ArgumentError, match="read it with Margins.load"):
        posterity.Release.load(path)


@pytest.mark.parametrize(
    "options, said",
    [
        ({"sets": 4}, "sets: tables of 4 columns were asked for"),
        ({"sets": "ward,,sex"}, "sets: .*a name is missing"),
        ({"sets": "ward,town"}, 'sets: no categories are declared for the column "town"'),
        ({"sets": 2.5}, "sets: "),
        ({"column": ["id"]}, 'column: no categories are declared for the column "id"'),
        ({"delta": 0}, "delta: "),
        ({"about": "nobody"}, "about: "),
        ({"schema": {"fields": []}}, "schema: the schema declares no values"),
        ({"schema": "nowhere.json"}, "schema: "),
        ({"schema": {"fields": [{"name": "age", "bins": [0]}]}}, "schema: .*need at least two"),
        ({"schema": None}, "column: say which column"),
        ({"unit": posterity.Unit("id", per_unit="all 3"), "adjacency": "add-remove"}, "per_unit: "),
    ],
    ids=str,
)
def test_rejects(people: pathlib.Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(posterity.ArgumentError, match=said):
        posterity.margins(people, **{"schema": SCHEMA, **TERMS, **options}, seed=1)


def test_readings_outside_the_tables_are_refused(people: pathlib.Path) -> None:
    found = posterity.margins(people, schema=SCHEMA, **TERMS, seed=1)
    with pytest.raises(posterity.ArgumentError, match="reading: no released table has ward, sex, age together"):
        found.read("ward, sex, age")
    with pytest.raises(posterity.ArgumentError, match="number: "):
        found.rows(0)
    declared = posterity.Data(people, column=["sex"], categories=[["f", "m"]])
    # What the call declares of a column comes before what the schema does.
    assert posterity.margins(declared, schema=SCHEMA, sets=1, **TERMS, seed=1).columns == {"sex": ["f", "m"]}


@pytest.mark.parametrize(
    "options, flags",
    [
        ({}, []),
        ({"sets": 3, "adjacency": "add-remove", "level": 0.8}, ["--adjacency", "add-remove", "--level", 0.8]),
        ({"sets": "ward,age; sex=2"}, []),
    ],
    ids=str,
)
def test_advice_is_that_of_the_command(schema: pathlib.Path, command: Command, options: dict[str, Any], flags: list[Any]) -> None:
    given: dict[str, Any] = {"n": 5000, "sets": 2, **TERMS, **options}
    found = posterity.advise(schema=schema, **given)
    asked = ["--schema", schema, "--n", 5000, "--epsilon", 1, "--delta", "1e-9", "--sets", given["sets"]]
    assert found.to_dict() == command.document("advise", *asked, *flags) == json.loads(found.to_json())
    assert posterity.advise(schema=SCHEMA, **given).to_dict() == found.to_dict()
    first = found.plans[0]
    assert first["asked"] and found.rows[0]["deviation"] == first["levels"][0]["deviation"]
    assert len(found.rows) == sum(4 * len(plan["levels"]) for plan in found.plans)
    assert 0 < first["price"]["rho"] <= found.rho and str(first["margins"]) in repr(found)
    assert len(found.reasons) <= len(found.plans) and "noise" in found._repr_html_() + repr(found)


def test_advice_by_numbers_of_values() -> None:
    by_schema = posterity.advise(schema=SCHEMA, n=900, sets=2, **TERMS)
    by_number = posterity.advise(columns={"ward": 3, "sex": 2, "age": 3}, n=900, sets=2, **TERMS)
    assert by_number.to_dict() == by_schema.to_dict()


@pytest.mark.parametrize(
    "options, argument",
    [
        ({"delta": None}, "delta"),
        ({"epsilon": None}, "epsilon"),
        ({"epsilon": None, "half_width": 0.1}, "half_width"),
        ({"delta": 0}, "delta"),
        ({"schema": None}, "schema"),
        ({"columns": "2,2"}, "schema"),
        ({"k": 2}, "k"),
        ({"read": "ward"}, "read"),
        ({"n": 0}, "n"),
        ({"level": 2}, "level"),
        ({"sets": "ward, nobody"}, "sets"),
        ({"sets": 9}, "sets"),
        ({"sets": None}, "delta"),
    ],
    ids=str,
)
def test_advice_refuses(options: dict[str, Any], argument: str) -> None:
    given: dict[str, Any] = {"schema": SCHEMA, "n": 900, "sets": 2, **TERMS, **options}
    with pytest.raises(posterity.ArgumentError, match=f"^{argument}: "):
        posterity.advise(**given)


def test_credible_intervals(people: pathlib.Path, schema: pathlib.Path) -> None:
    found = posterity.margins(people, schema=schema, sets=2, **TERMS, seed=7)
    credible = found.read("sex | ward", interval_kind="credible")
    assert credible.interval_kind == "credible"
    for row, other in zip(credible.rows, found.read("sex | ward").rows, strict=True):
        [low, high] = row["interval"]
        assert 0 <= low < row["mean"] < high <= 1 and row["interval"] != other["interval"]
    for kind in ["credible", "shortest"]:
        assert found.read("sex", interval_kind=kind).interval_kind == kind
        compared = found.compare("sex=f | ward: A - B", interval_kind=kind)
        [low, high] = compared.interval()
        assert compared.to_dict()["interval_kind"] == kind and low < compared.median < high and compared.error > 0
        with pytest.raises(posterity.ArgumentError, match="^interval_kind: "):
            found.read("count | ward", interval_kind=kind)


def test_tables_of_noise_warn_before_the_charge(people: pathlib.Path, schema: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, somebody pays for tables that say nothing without a word."""
    given: dict[str, Any] = {"schema": schema, "epsilon": "0.005", "delta": "1e-9"}
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    ledger.create_account("study", epsilon=5, delta="1e-6")
    budget = posterity.Budget(ledger, account="study")
    with warnings.catch_warnings():
        warnings.simplefilter("error", posterity.PosterityWarning)
        with pytest.raises(posterity.PosterityWarning, match="is noise: .*all 3 tables of 2 columns"):
            posterity.margins(people, budget=budget, **given)
        # Where n is private, a warning would tell it. The document says it from what was released.
        hidden = posterity.margins(people, seed=1, adjacency="add-remove", **given)
    assert len(ledger.history("study")) == 0
    with pytest.warns(posterity.PosterityWarning, match="is noise"):
        found = posterity.margins(people, seed=1, **given)
    assert all(one.notes[0].startswith("Warning: nearly all") for one in (found, hidden))


def test_the_posterior_of_many_tables(people: pathlib.Path) -> None:
    """If this fails, a distribution is not that of the credible intervals, or a probability is not its."""
    made = posterity.margins(people, schema=SCHEMA, column=["ward", "sex"], **TERMS, seed=3)
    credible = made.read("sex | ward", interval_kind="credible", level=0.9)
    laws = made.posterior.of("sex | ward")
    assert list(laws) == [(row["given"]["ward"], row["cell"]["sex"]) for row in credible.rows]
    for row, law in zip(credible.rows, laws.values(), strict=True):
        assert law.interval(0.9) == pytest.approx(row["interval"], abs=1e-9)
        assert law.mean() == pytest.approx(row["mean"], abs=1e-9)
        low, high = law.ppf([0.05, 0.95])
        assert law.cdf(high) - law.cdf(low) == pytest.approx(0.9)
    assert list(made.posterior) == ["A", "B", "C"] and made.posterior.noise_aware
    above = made.probability("sex=f | ward=A > 0.4")
    assert above == pytest.approx(1 - laws[("A", "f")].cdf(0.4)) and 0 < above < 1
    assert pickle.loads(pickle.dumps(laws)) == laws
    with pytest.raises(posterity.ArgumentError, match="^draws: this has no meaning"):
        made.posterior.of("sex", draws=10)
    with pytest.raises(posterity.ArgumentError, match="^sample: .*no draws"):
        laws.rvs(3)
    with pytest.raises(posterity.ArgumentError, match="^reading: "):
        made.posterior.of("count")
