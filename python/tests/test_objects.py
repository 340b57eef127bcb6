"""Columns of Python objects are read value by value, so that no record changes what another one means."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import pathlib
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from conftest import draw
from test_data import LABELS, counted

Decimal = decimal.Decimal
BERLIN = datetime.timezone(datetime.timedelta(hours=1))
NOON = datetime.datetime(2020, 1, 2, 12)
NAME = uuid.UUID(int=7)


class Ward(enum.IntEnum):
    """A number that is shown otherwise."""

    NORTH = 5


def objects(values: list[Any], name: str = "x") -> pd.DataFrame:
    """A column of objects beside one of text."""
    return pd.DataFrame({name: pd.Series(values, dtype=object), "sex": ["f", "m"] * (len(values) // 2) + ["f"] * (len(values) % 2)})


def test_a_decimal_does_not_change_how_others_print() -> None:
    """Arrow gave all decimals the scale of the longest one, and they printed so."""
    people = [Decimal("1.5")] * 40
    options: dict[str, Any] = {"column": "sex", "categories": ["f", "m"], "within": "x = '1.5'"}
    assert counted(objects([*people, Decimal("1.5")]), **options)[1] == [21, 20, 0]
    for other in (Decimal("2.25"), Decimal("1E+3"), 2.25, "2.25", datetime.date(2020, 1, 1), None):
        assert counted(objects([*people, other]), **options)[1] == [20, 20, 1], other


@pytest.mark.parametrize("other", [datetime.date(2020, 1, 2), NOON, None, 5, "noon"])
def test_a_date_does_not_take_the_time_from_others(other: Any) -> None:
    """Arrow made dates of all moments, or refused them, by the first of them."""
    who = [unit for unit in range(30) for _ in range(2)]
    when = [NOON + datetime.timedelta(hours=hour) for _ in range(30) for hour in (1, 0)]
    visits = pd.DataFrame({"who": [*who, 30], "t": pd.Series([*when, other], dtype=object), "x": ["a", "b"] * 30 + ["a"]})
    for data in (visits, visits.iloc[::-1]):
        assert counted(data, column="x", categories=["b", "a"], unit="who", per_unit="latest t")[1] == [0, 31]


ONE_VALUE: list[tuple[Any, str]] = [
    ("yes", "x = 'yes'"),
    (np.str_("yes"), "x = 'yes'"),
    ("5", "x = 5 AND x = '5'"),
    (5, "x = 5 AND x = '5' AND x < 5.5"),
    (np.int8(5), "x = 5 AND x = '5'"),
    (Ward.NORTH, "x = 5 AND x = '5'"),
    (10**30, "x = 1e30 AND x > 18446744073709551615"),
    (-(2**64), "x = -18446744073709551616"),
    (True, "x AND x = TRUE AND x = 'true'"),
    (np.False_, "NOT x AND x = 'false'"),
    (0.1, "x = 0.1 AND x = '0.1'"),
    (np.float64(0.1), "x = 0.1 AND x = '0.1'"),
    (np.float32(0.1), "x = 0.1 AND x = '0.1'"),
    (1.0, "x = 1 AND x = '1'"),
    (Decimal("1.50"), "x = 1.5 AND x = '1.5'"),
    (Decimal("1.5E+3"), "x = 1500 AND x = '1500'"),
    (Decimal("-0.00"), "x = 0 AND x = '0'"),
    (datetime.date(2020, 1, 2), "TEXT(x) = '2020-01-02' AND x = DATE '2020-01-02'"),
    (NOON, "TEXT(x) = '2020-01-02 12:00:00'"),
    (datetime.datetime(2020, 1, 2, 12, tzinfo=BERLIN), "TEXT(x) = '2020-01-02 11:00:00'"),
    (pd.Timestamp("2020-01-02 12:00:00.000000001"), "TEXT(x) = '2020-01-02 12:00:00.000000001'"),
    (pd.Timestamp("2020-01-02 12:00", tz="Europe/Berlin"), "TEXT(x) = '2020-01-02 11:00:00'"),
    (np.datetime64("2020-01-02"), "TEXT(x) = '2020-01-02'"),
    (datetime.datetime(1, 1, 1), "TEXT(x) = '0001-01-01 00:00:00'"),
    (NAME, "x = '00000000-0000-0000-0000-000000000007'"),
    *((gap, "x IS NULL") for gap in (None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN"))),
    *(
        (strange, "x IS NOT NULL")
        for strange in (b"yes", bytearray(b"yes"), [1], {"a": 1}, (1, 2), object(), 1j, fractions.Fraction(1, 2))
    ),
    *((strange, "x IS NOT NULL") for strange in (datetime.time(1), datetime.timedelta(1), np.datetime64("2020-01-02", "ns"), np.timedelta64(1, "ns"))),
    *((strange, "x IS NOT NULL") for strange in (Decimal("Infinity"), Decimal("1E+999"), "\ud800", np.longdouble(1), 10**5000)),
]


@pytest.mark.parametrize("value, holds", ONE_VALUE, ids=lambda value: value if isinstance(value, str) and value.isascii() else type(value).__name__)
def test_what_an_object_is_depends_on_it_alone(value: Any, holds: str) -> None:
    for others in ([], [None], ["text"], [1], [2.5], [Decimal("2.25")], [NOON], [datetime.date(1999, 1, 1)], [[1, 2]], [b"\xff"]):
        frame = objects([value, *others])
        # The other records are left out before the condition looks at them.
        frame["first"] = [True] + [False] * len(others)
        for data in (frame, pl.DataFrame({"x": pl.Series([value, *others], dtype=pl.Object), "sex": frame["sex"], "first": frame["first"]})):
            found = counted(data, column="sex", categories=["f", "m"], where=f"first AND ({holds})")[1]
            assert found == [1, 0], others


@pytest.mark.parametrize(
    "value, error",
    [
        (1.5, "has a value that is neither text nor a whole number"),
        (Decimal("5.5"), "has a value that is neither text nor a whole number"),
        (b"5", "has a value that is neither text nor a whole number"),
        ([5], "has a value that is neither text nor a whole number"),
        (datetime.date(2020, 1, 1), "outside the declared categories"),
        ("6", "outside the declared categories"),
        (None, "has missing values"),
    ],
)
def test_what_has_no_name_is_refused_by_itself(value: Any, error: str) -> None:
    options: dict[str, Any] = {"column": "x", "categories": ["a", "5", "true"]}
    assert counted(objects(["a", 5, "5", True, np.int64(5), 5.0, Decimal("5.00")]), **options)[1] == [1, 5, 1]
    for values in ([value], ["a", 5, value], [value, True]):
        with pytest.raises(posterity.DataError, match=error) as failure:
            counted(objects(values), **options)
        assert failure.value.__cause__ is None and failure.value.__context__ is None


def test_bins_take_numbers_of_every_type() -> None:
    numbers: list[Any] = [1, "2", 3.5, Decimal("4.50"), np.float32(5.5), np.int8(6), Decimal("1E+1")]
    assert counted(objects(numbers), column="x", bins=[0, 4, 8], other="more")[1] == [3, 3, 1]


def test_units_of_every_type() -> None:
    """A unit is told apart as in a file: a whole number and the text of its digits are the same."""
    names: list[Any] = [1, "1", np.int64(1), Decimal("1.5"), Decimal("1.50"), NAME, str(NAME), NOON, pd.Timestamp(NOON), b"1", True, "true"]
    frame = pd.DataFrame({"who": pd.Series(names, dtype=object), "x": ["a", "b"] * 6})
    assert sum(counted(frame, column="x", categories=["a", "b"], unit="who", per_unit="first")[1]) == 6
    for wrong in (1.5, [1], object()):
        with pytest.raises(posterity.DataError, match="whole number"):
            counted(objects([1, wrong]), column="sex", categories=["f", "m"], unit="x")
    with pytest.raises(posterity.DataError, match="missing values"):
        counted(objects([1, None]), column="sex", categories=["f", "m"], unit="x")


WAYS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "objects": lambda frame: frame,
    "categories of objects": lambda frame: frame.astype({"x": "category"}),
    "an index": lambda frame: frame.set_index("x"),
    "two indices": lambda frame: frame.set_index(["x", "sex"]),
    "another index": lambda frame: frame.set_index(pd.Index(["b", 1, None, 2.5], dtype=object)),
    "names that are no text": lambda frame: frame.assign(**{"y": [[1], "a", None, 5]}).rename(columns={"y": 7}),
    "polars objects": lambda frame: pl.DataFrame({"x": pl.Series(list(frame["x"]), dtype=pl.Object), "sex": list(frame["sex"])}),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_hold_objects(way: str) -> None:
    data = WAYS[way](objects(["a", 5, None, "a"]))
    assert counted(data, column="x", categories=["a", 5], missing="none")[1] == [2, 1, 1]
    assert counted(data, column="sex", categories=["f", "m"], where="x = 'a'")[1] == [1, 1]
    both = counted(data, column=["x", "sex"], categories=[["a", "5"], ["f", "m"]], where="x IS NOT NULL")
    assert both[1] == [1, 1, 0, 1]
    with pytest.raises(posterity.ArgumentError, match='there is no column "z"; the columns are "'):
        counted(data, column="z", categories=["a", "b"])


def test_columns_that_are_not_named_do_not_matter() -> None:
    frame = objects(["a", "b"]).assign(odd=pd.Series([1, "text"], dtype=object), worse=pd.Series([object(), b"x"], dtype=object))
    assert counted(frame, column="x", categories=["a", "b"])[1] == [1, 1]
    frame.columns = ["x", "sex", "odd", "odd"]
    assert counted(frame, column="x", categories=["a", "b"])[1] == [1, 1]
    with pytest.raises(posterity.DataError, match='two columns named "odd"'):
        counted(frame, column="odd", categories=["a", "b"])
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([1, 0, 0])})
    assert counted(sparse, column="x", categories=[0, 1])[1] == [2, 1]


def test_no_records_of_objects() -> None:
    with pytest.raises(posterity.DataError, match="there are no records"):
        counted(objects([]), column="x", categories=["a", "b"])


@pytest.mark.parametrize("series", [lambda values: pd.Series(values, dtype=object), lambda values: pl.Series(values, dtype=pl.Object)])
def test_series_of_objects(series: Callable[[list[Any]], Any]) -> None:
    """Arrow refuses some of these columns, and gives others one type."""
    assert counted(series(["a", 5, True, None, "5", NAME]), categories=["a", 5, True, NAME], missing="a")[1] == [2, 2, 1, 1]
    for other in (Decimal("1.5"), NOON, 1.5, b"a"):
        with pytest.raises(posterity.DataError, match="is of type"):
            counted(series(["a", 5, other]), categories=["a", 5])
    learnt = pd.Series(["a", 5, NOON], dtype=object).astype("category").iloc[:2]
    assert counted(learnt, categories=["a", 5])[1] == [1, 1]


@pytest.mark.parametrize("scale", [1, 2, 9])
def test_decimals_print_alike_at_every_scale(tmp_path: pathlib.Path, scale: int) -> None:
    """`1.50` and `1.5` are one number, whatever scale a file or a table declares."""
    values = [Decimal("1.5"), Decimal("-2.0"), Decimal("0"), None]
    table = pa.table({"x": pa.array(values, pa.decimal128(20, scale)), "sex": ["f", "m", "m", "f"]})
    pq.write_table(table, tmp_path / "t.parquet")
    pa.feather.write_feather(table, tmp_path / "t.feather")
    sources = [table, pl.DataFrame(table), table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype), tmp_path / "t.parquet", tmp_path / "t.feather"]
    for data in sources:
        for where, counts in (("TEXT(x) = '1.5'", [1, 0]), ("TEXT(x) IN ('-2', '0')", [0, 2]), ("TEXT(x) LIKE '_'", [0, 1])):
            assert counted(data, column="sex", categories=["f", "m"], where=where)[1] == counts


TALLIES: dict[str, Any] = {
    "value_counts": pd.Series(LABELS, name="cured").value_counts(),
    "without a name": pd.Series(LABELS).value_counts(),
    "of integers": pd.Series([1, 1, 2]).value_counts(),
    "of objects": pd.Series([1, "a"], dtype=object).value_counts(),
    "of categories": pd.Series(LABELS, dtype="category").value_counts(),
    "of arrow": pd.Series(LABELS, dtype="string[pyarrow]").value_counts(),
    "of a table": pd.DataFrame({"a": LABELS}).value_counts(),
    "size": pd.DataFrame({"a": LABELS}).groupby("a").size(),
    "size of integers": pd.DataFrame({"a": [0, 1, 1]}).groupby("a").size(),
    "polars": pl.Series("a", LABELS).value_counts(),
    "polars len": pl.DataFrame({"a": LABELS}).group_by("a").len(),
    "pyarrow": pa.array(LABELS).value_counts(),
}


@pytest.mark.parametrize("tally", TALLIES)
@pytest.mark.parametrize(
    "options", [{"categories": ["yes", "no"], "other": "else"}, {"categories": [48, 42]}, {"column": "a", "categories": ["yes", "no"]}], ids=str
)
def test_counts_are_not_labels(tally: str, options: dict[str, Any]) -> None:
    """The counts 48 and 42 were counted as two labels: a private release of n = 2."""
    with pytest.raises(posterity.ArgumentError, match="^data: this looks like the result of value_counts.* with categories"):
        draw(TALLIES[tally], epsilon=1, **options)


def test_what_to_give_instead_of_value_counts() -> None:
    series = pd.Series(LABELS, name="cured")
    assert counted(series, categories=["yes", "no"])[1] == [48, 42]
    assert counted(series.value_counts().to_dict(), categories=["no", "yes", "never"])[1] == [42, 48, 0]


def test_labels_that_are_no_counts() -> None:
    """A Series of integers is labels, also if it has an index, and a table may have a column of this name."""
    table = pd.DataFrame({"who": ["a", "b", "c"], "count": [1, 2, 2], "x": [1, 2, 2]})
    for labels in (table["count"], table["x"], table.set_index("who")["x"], table[table["x"] > 0]["x"], pd.Series([1, 2, 2])):
        assert counted(labels, categories=[1, 2])[1] == [1, 2]
    for data in (table, pl.DataFrame(table), pa.Table.from_pandas(table)):
        assert counted(data, column="count", categories=[1, 2])[1] == [1, 2]
    # This one may be either, and counts of labels would be wrong by any number.
    with pytest.raises(posterity.ArgumentError, match="as a list"):
        counted(table.set_index("who")["count"], categories=[1, 2])
    assert counted(table.set_index("who")["count"].tolist(), categories=[1, 2])[1] == [1, 2]


class Bag(collections.UserDict[str, int]):
    """A mapping whose keys have no order of their own."""


SETS: list[Any] = [{"yes", "no"}, frozenset({"yes", "no"}), {"yes": 1, "no": 2}.keys() & {"yes", "no"}, Bag(yes=1, no=2).keys()]


@pytest.mark.parametrize("names", SETS, ids=lambda names: type(names).__name__)
def test_a_set_has_no_order(names: Any) -> None:
    """The order of a set differs between processes, so the same question would be another one, and be paid again."""
    table = pl.DataFrame({"a": ["yes", "no"], "b": [1, 2]})
    asked: list[tuple[Any, str, dict[str, Any]]] = [
        (LABELS, "categories", {"categories": names}),
        ({"yes": 1, "no": 2}, "categories", {"categories": names}),
        (collections.Counter(LABELS), "categories", {"categories": names}),
        (table, "categories", {"column": "a", "categories": names}),
        (table, "categories", {"column": ["a", "b"], "categories": [names, [1, 2]]}),
        (table, "column", {"column": names, "categories": [["yes", "no"], ["1", "2"]]}),
        (table, "bins", {"column": "b", "bins": names}),
        (table, "bins", {"column": ["a", "b"], "categories": [["yes", "no"], None], "bins": [None, names]}),
        ("no-such.csv", "categories", {"column": "a", "categories": names}),
    ]
    for data, argument, options in asked:
        with pytest.raises(posterity.ArgumentError, match=f"^{argument}: this is a set, whose order .* give a list"):
            draw(data, epsilon=1, **options)
    with pytest.raises(posterity.ArgumentError, match="^data: this is a set, which holds each label once"):
        posterity.release(names, categories=["yes", "no"], epsilon=1)


def test_what_has_an_order() -> None:
    """The keys of a dictionary stay as they were written."""
    wanted = {"yes": 1, "no": 2}
    for names in (wanted.keys(), wanted, tuple(wanted), iter(wanted), np.array(list(wanted)), pd.Index(list(wanted)), pl.Series(list(wanted))):
        assert counted(LABELS, categories=names) == (["yes", "no"], [48, 42])


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_days_are_categories(adjacency: str, tmp_path: pathlib.Path) -> None:
    """In a list, a dict of counts, a column and a file, days have one name."""
    names = ["2020-01-02", "2020-01-03"]
    first, second = (datetime.date.fromisoformat(name) for name in names)
    days = [first] * 30 + [second] * 12
    path = tmp_path / "days.parquet"
    pq.write_table(pa.table({"x": days}), path)
    for categories in ([first, second], names):
        options: dict[str, Any] = {"categories": categories, "adjacency": adjacency}
        for data in (days, np.array(days), {first: 30, second: 12}):
            assert counted(data, **options) == (names, [30, 12])
        for data in (objects(days), pa.table({"x": days}), path):
            assert counted(data, column="x", **options) == (names, [30, 12])
    for moment in (NOON, NOON.replace(tzinfo=BERLIN)):
        with pytest.raises(posterity.ArgumentError, match="or a day"):
            counted(days, categories=[first, moment], adjacency=adjacency)
