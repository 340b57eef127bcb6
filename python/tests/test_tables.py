"""Tables in memory are counted by the rules that hold for files, and give what the same file gives."""

from __future__ import annotations

import datetime
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import draw

VISITS = pa.table(
    {
        "who": [1, 1, 2, 2, 3, 4, 4],
        "cured": ["yes", "no", "no", "no", None, "yes", "yes"],
        "age": [17, 17, 40, 40, 64, 18, 18],
        "weight": [61.5, 61.0, 80.0, 82.25, None, 70.0, 70.5],
        "day": [datetime.date(2026, 1, day) for day in (1, 2, 1, 2, 1, 9, 3)],
        "tags": pa.array([["a"], None, [], ["b"], ["c"], None, ["d"]]),
    }
)

TABLES: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow table": lambda table: table,
    "pyarrow batch": lambda table: table.to_batches()[0],
    "pyarrow reader": lambda table: table.to_reader(max_chunksize=2),
    "pyarrow slice": lambda table: pa.concat_tables([table, table, table]).combine_chunks().slice(7, 7),
    "pyarrow chunks": lambda table: pa.concat_tables([table.slice(0, 3), table.slice(3, 0), table.slice(3)]),
    "pandas": lambda table: table.to_pandas(),
    "pandas objects": lambda table: table.to_pandas().astype({"cured": object, "who": object, "age": object}),
    "pandas arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas categorical": lambda table: table.to_pandas().astype({"cured": "category"}),
    "polars": lambda table: pl.DataFrame(table),
    "polars categorical": lambda table: pl.DataFrame(table).with_columns(pl.col("cured").cast(pl.Categorical)),
}


def released(data: Any, **options: Any) -> dict[str, Any]:
    """The document of a release of what is true: at a huge budget nothing else is drawn."""
    document = draw(data, epsilon=10_000, seed=1, mechanism="geometric", **options).to_dict()
    # A file has a name and a table has none.
    document["request"]["data"].pop("source", None)
    return document


QUESTIONS: list[tuple[dict[str, Any], list[str], list[int]]] = [
    ({"column": "cured", "categories": ["yes", "no"], "missing": "gone"}, ["yes", "no", "gone"], [3, 3, 1]),
    ({"column": "cured", "categories": ["yes", "no"], "where": "cured IS NOT NULL"}, ["yes", "no"], [3, 3]),
    ({"column": "cured", "categories": ["yes", "no"], "where": "age < 50 AND tags IS NOT NULL"}, ["yes", "no"], [2, 2]),
    ({"column": "age", "bins": [0, 18, 65]}, ["[0,18)", "[18,65)"], [2, 5]),
    ({"column": "weight", "bins": ["60", 70, 80.5], "other": "heavy", "missing": "unknown"}, ["[60,70)", "[70,80.5)", "heavy", "unknown"], [2, 3, 1, 1]),
    (
        {"column": ["cured", "age"], "categories": [["yes", "no"], None], "bins": [None, [0, 18, 65]], "where": "who <> 3"},
        ["cured=yes,age=[0,18)", "cured=yes,age=[18,65)", "cured=no,age=[0,18)", "cured=no,age=[18,65)"],
        [1, 2, 1, 2],
    ),
    (
        {"column": ["cured", "age"], "categories": [["yes", "no"], None], "bins": [None, [0, 18, 65]], "missing": {"cured": "gone"}},
        [f"cured={cured},age={age}" for cured in ("yes", "no", "gone") for age in ("[0,18)", "[18,65)")],
        [1, 2, 1, 2, 0, 1],
    ),
    ({"column": "cured", "categories": ["yes", "no"], "unit": "who", "per_unit": "first", "missing": "no"}, ["yes", "no"], [2, 2]),
    ({"column": "cured", "categories": ["no", "yes"], "unit": "who", "per_unit": "latest day", "where": "who <> 3"}, ["no", "yes"], [2, 1]),
    ({"column": "cured", "categories": ["yes", "no"], "unit": "who", "per_unit": "mode", "where": "day >= DATE '2026-01-02'"}, ["yes", "no"], [1, 2]),
]


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("options, names, counts", QUESTIONS, ids=str)
def test_tables_of_every_kind(kind: str, options: dict[str, Any], names: list[str], counts: list[int]) -> None:
    document = released(TABLES[kind](VISITS), **options)
    assert document["posterior"]["categories"] == names
    assert document["released_counts"] == counts
    assert ("per_unit" in document) == ("unit" in options)


@pytest.mark.parametrize("options, names, counts", QUESTIONS, ids=str)
def test_a_file_gives_the_same(tmp_path: pathlib.Path, options: dict[str, Any], names: list[str], counts: list[int]) -> None:
    # A file of nested columns is not filtered by them.
    options = options | {"where": options.get("where", "true").replace("tags", "day")}
    pq.write_table(VISITS, tmp_path / "visits.parquet")
    assert released(tmp_path / "visits.parquet", **options) == released(VISITS, **options)


def test_one_record_of_each_unit_is_drawn() -> None:
    """By default at random, from the seed if there is one, and private without."""
    options: dict[str, Any] = {"column": "cured", "categories": ["yes", "no"], "unit": "who", "missing": "no"}
    assert released(VISITS, **options) == released(pl.DataFrame(VISITS), **options)
    many = pa.table({"who": [1, 1] * 50, "x": ["a", "b"] * 50})
    drawn = {
        tuple(posterity.release(many, column="x", categories=["a", "b"], unit="who", epsilon=10_000, seed=seed).to_dict()["released_counts"])
        for seed in range(40)
    }
    # One unit of a fair draw: both outcomes are among 40, with a false alarm of 2e-12.
    assert drawn == {(1, 0), (0, 1)}
    private = draw(VISITS, epsilon=1, **options)
    assert private.private and private.n == 4 and "per who" in private.guarantee
    assert "drawn at random" in private.to_dict()["per_unit"]


class Broken:
    """A table that fails when it is asked for its columns, and would tell a value."""

    def __arrow_c_stream__(self) -> Any:
        raise ValueError("a secret")


BAD: list[tuple[Any, dict[str, Any], type[posterity.PosterityError], str]] = [
    (VISITS, {"categories": ["yes", "no"]}, posterity.ArgumentError, "column: say which column of the table"),
    (pl.DataFrame(VISITS), {}, posterity.ArgumentError, "column: say which column of the table"),
    (VISITS, {"column": "cured"}, posterity.ArgumentError, "there are 0 lists of categories and 0 of bins for 1 columns"),
    (VISITS, {"column": "curd", "categories": ["yes", "no"]}, posterity.ArgumentError, 'there is no column "curd"; the columns are "who"'),
    (VISITS, {"column": "cured", "categories": ["yes", "no"]}, posterity.DataError, "has missing values"),
    (VISITS, {"column": "age", "categories": [17, 18]}, posterity.DataError, "outside the declared categories"),
    (VISITS, {"column": "weight", "categories": [1, 2]}, posterity.DataError, "outside the declared categories"),
    (VISITS, {"column": "tags", "categories": ["a", "b"]}, posterity.DataError, "is of type List"),
    (VISITS, {"column": "age", "categories": [1, 2], "bins": [1, 2]}, posterity.ArgumentError, "there are 1 lists of categories and 1 of bins"),
    (VISITS, {"column": "age", "bins": [1]}, posterity.ArgumentError, "bins: there are 1 edges"),
    (VISITS, {"column": "age", "bins": [1, "x"]}, posterity.ArgumentError, 'bins: edge 2, "x", is no number'),
    (VISITS, {"column": "age", "bins": [2, 1]}, posterity.ArgumentError, "bins: edge 2"),
    (VISITS, {"column": "age", "bins": [1, None]}, posterity.ArgumentError, "bins: this is None; write a number"),
    (VISITS, {"column": "age", "bins": [0, 20, 50]}, posterity.DataError, "outside the bins"),
    (VISITS, {"column": "cured", "bins": [0, 1], "missing": "x"}, posterity.DataError, "outside the bins"),
    (VISITS, {"column": "cured", "categories": ["yes", "no"], "missing": {"curd": "x"}}, posterity.ArgumentError, 'missing: no categories are declared for the column "curd"'),
    (VISITS, {"column": "cured", "categories": ["yes", "no"], "missing": {"cured": [5]}}, posterity.ArgumentError, "missing: this is a list; write text"),
    (VISITS, {"column": "age", "bins": [0, 99, 100], "per_unit": "first"}, posterity.ArgumentError, "per_unit: this is for units"),
    (VISITS, {"column": "age", "bins": [0, 99, 100], "unit": "who", "per_unit": "last"}, posterity.ArgumentError, 'per_unit: there is no rule "last"'),
    (VISITS, {"column": "age", "bins": [0, 99, 100], "unit": "weight"}, posterity.DataError, "the unit column \"weight\" has missing values"),
    (VISITS, {"column": "age", "bins": [0, 99, 100], "where": "age >"}, posterity.ArgumentError, "where: the filter"),
    (VISITS, {"column": "age", "bins": [0, 99, 100], "delimiter": ";"}, posterity.ArgumentError, "delimiter: this is for files"),
    (VISITS.slice(0, 0), {"column": "age", "bins": [0, 99, 100]}, posterity.DataError, "there are no records"),
    (pa.array(["a"]), {"categories": ["a", "b"], "unit": "who"}, posterity.ArgumentError, "unit: this is for files and tables; pass a DataFrame"),
    (pl.Series(["a"]), {"categories": ["a", "b"], "where": "a = 1"}, posterity.ArgumentError, "where: this is for files and tables; pass a DataFrame"),
    (["a"], {"bins": [1, 2]}, posterity.ArgumentError, "bins: this is for files and tables; pass a DataFrame"),
    ({"a": 1, "b": 2}, {"column": "a"}, posterity.ArgumentError, "column: this is for files and tables; pass a DataFrame"),
    (pd.DataFrame({"a": ["x", 5, b"z"]}), {"column": "a", "categories": ["x", "y"], "other": "z"}, posterity.DataError, "neither text nor a whole number"),
    (Broken(), {"column": "a", "categories": ["x", "y"]}, posterity.DataError, "cannot be converted to Arrow"),
    (pa.table({"a": ["x", "x"], "b": ["y", "y"]}).rename_columns(["a", "a"]), {"column": "a", "categories": ["x", "y"]}, posterity.DataError, "two columns named"),
]


@pytest.mark.parametrize("data, options, error, words", BAD, ids=lambda value: None)
def test_rejects(data: Any, options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error) as failure:
        draw(data, epsilon=1, **options)
    assert type(failure.value) is error
    assert words in str(failure.value)
    # What another library says may quote a value.
    assert failure.value.__cause__ is None and failure.value.__context__ is None


def test_columns_of_other_types_do_not_matter() -> None:
    """Nested, odd and missing columns are left aside, with an offset too."""
    table = pa.table(
        {
            "x": ["a", "b", "a"],
            "struct": [{"y": 1}, None, {"y": 2}],
            "time": pa.array([1, 2, 3], type=pa.time32("s")),
            "map": pa.array([[("k", 1)], [], None], type=pa.map_(pa.string(), pa.int8())),
            "fixed": pa.array([[1, 2], None, [3, 4]], type=pa.list_(pa.int8(), 2)),
            "wide": pa.array([1, 2, 3], type=pa.decimal256(50)),
            "nothing": pa.nulls(3),
        }
    )
    for data in (table, table.slice(1)):
        assert sum(released(data, column="x", categories=["a", "b"])["released_counts"]) == len(data)
    found = released(table, column="x", categories=["a", "b"], where="struct IS NULL OR map IS NULL OR fixed IS NULL")
    assert found["released_counts"] == [1, 1]
    union = pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array(["a", "b"])])
    with pytest.raises(posterity.DataError, match="leave the column out"):
        released(pa.table({"x": ["a", "b"], "u": union}), column="x", categories=["a", "b"])


def test_dictionaries_without_words() -> None:
    empty = pa.array([None, None], type=pa.dictionary(pa.int8(), pa.string()))
    assert released(empty, categories=["a", "b"], missing="b")["released_counts"] == [0, 2]
    assert released(pl.Series([None, None], dtype=pl.Categorical), categories=["a", "b"], missing="b")["released_counts"] == [0, 2]


def test_a_name_goes_with_the_question(tmp_path: pathlib.Path) -> None:
    ledger = posterity.Ledger(tmp_path / "study.ledger", create=True)
    ledger.create_account("a", epsilon=10)
    ledger.create_account("b", epsilon=10, unit="who")

    def ask(**options: Any) -> posterity.Release:
        account = "b" if "unit" in options else "a"
        pay: dict[str, Any] = {"epsilon": 0.1, "ledger": ledger, "account": account, "name": "visits"}
        return draw(VISITS, **{"column": "age", "bins": [0, 50, 65], **pay, **options})

    assert not ask().recalled and ask().recalled
    for options in ({"where": "who <> 9"}, {"unit": "who", "per_unit": "first"}, {"column": "who"}, {"name": "others"}):
        assert not ask(**options).recalled
        assert ask(**options).recalled
    # A record of each unit that is drawn anew is not taken for other data.
    assert not ask(unit="who").recalled and ask(unit="who").recalled


def test_pandas_without_pyarrow() -> None:
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import pandas, posterity\n"
        "ask = {'column': 'a', 'categories': ['1', '2'], 'epsilon': 1}\n"
        "data = pandas.DataFrame({'a': [1, 2]})\n"
        "try:\n"
        "    posterity.release(data, **ask)\n"
        "except posterity.PackageError as error:\n"
        "    assert 'pip install pyarrow' in str(error)\n"
        "else:\n"
        "    raise SystemExit('no error')\n"
        "for plain in (data.astype(object), data.astype(str)):\n"
        "    assert posterity.release(plain, **ask).n == 2\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_table_without_the_interface_is_refused() -> None:
    class Old:
        columns = ("a", "b")

        def __iter__(self) -> Any:
            return iter(self.columns)

    for options in ({}, {"column": "a"}):
        with pytest.raises(posterity.ArgumentError, match="does not offer the Arrow interface"):
            posterity.release(Old(), categories=["a", "b"], epsilon=1, **options)
