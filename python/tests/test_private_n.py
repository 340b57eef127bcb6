"""Where n is private, nothing that anyone sees depends on n or on one record."""

from __future__ import annotations

import collections
import datetime
import decimal
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import posterity
import pyarrow as pa
import pytest
from conftest import Command, draw

YES_NO = ["yes", "no"]


def learnt(labels: list[Any]) -> Any:
    """Categories that are learnt from the data."""
    return pd.Series(pd.Categorical.from_codes(range(len(labels)), categories=pd.Index(labels, dtype=object)))


HUGE = {"epsilon": 10_000, "seed": 1, "adjacency": "add-remove"}


def counted(data: Any, **options: Any) -> list[int]:
    """The counts of data: at a huge budget nothing is drawn but the truth."""
    return list(draw(data, **HUGE, **options).drawn.values())


DERIVED = {"drawn", "released_counts", "posterior", "noise_aware", "cells", "readings", "summary", "derived", "notes"}


def public(release: posterity.Release) -> dict[str, Any]:
    """All of a document but what was drawn and what follows from it."""
    return {name: value for name, value in release.to_dict().items() if name not in DERIVED}


SOURCES: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "iterator": iter,
    "counter": collections.Counter,
    "numpy": np.array,
    "numpy objects": lambda labels: np.array(labels, dtype=object),
    "pandas": pd.Series,
    "pandas categories": lambda labels: pd.Series(labels, dtype="category"),
    "polars": lambda labels: pl.Series(labels, strict=False),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda labels: pa.chunked_array([pa.array(labels)]),
}
FRAMES: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": lambda labels: pd.DataFrame({"a": labels}),
    "polars": lambda labels: pl.DataFrame({"a": labels}, strict=False),
    "pyarrow": lambda labels: pa.table({"a": labels}),
}

# With a record more, also one that has no label that could be counted.
PAIRS: list[tuple[list[Any], list[Any], list[Any]]] = [
    ([], ["yes"], YES_NO),
    ([], [None], YES_NO),
    (["yes", "no"], ["yes", "no", "yes"], YES_NO),
    (["yes", "no"], ["yes", "no", "never heard of"], YES_NO),
    (["yes", "no"], ["yes", "no", None], YES_NO),
    ([1, 2, 2], [1, 2, 2, None], [1, 2]),
    ([1, 2, 2], [1, 2, 2, 1.5], [1, 2]),
    ([True, False], [True, False, None], [True, False]),
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("source", SOURCES)
def test_adjacent_labels(source: str, pair: Any) -> None:
    without, with_one, categories = pair
    check_pair(SOURCES[source](without), SOURCES[source](with_one), {"categories": categories}, pair)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("source", FRAMES)
def test_adjacent_tables(source: str, pair: Any) -> None:
    without, with_one, categories = pair
    check_pair(FRAMES[source](without), FRAMES[source](with_one), {"column": "a", "categories": categories}, pair)


def check_pair(without: Any, with_one: Any, how: dict[str, Any], pair: Any) -> None:
    # What all other records say is the same: one count is larger by one, or none.
    releases = [draw(data, **HUGE, **how) for data in (without, with_one)]
    before, after = (list(one.drawn.values()) for one in releases)
    changes = sorted(b - a for a, b in zip(before, after, strict=True))
    assert changes in ([0, 0], [0, 1]), (before, after)
    truth = [sum(1 for label in pair[0] if label == one) for one in pair[2]]
    assert before == truth
    for release in releases:
        assert release.n is None and "n private" in repr(release) and "n private" in release._repr_html_()
    assert public(releases[0]) == public(releases[1])


def test_nothing_of_n_is_kept() -> None:
    labels = ["yes"] * 7001 + ["no"] * 1318
    release = posterity.release(labels, categories=YES_NO, epsilon=0.01, seed=1, adjacency="add-remove")
    copied = pickle.loads(pickle.dumps(release))
    assert copied.n is None and repr(copied) == repr(release) and copied.to_json() == release.to_json()
    for shown in (release.to_json(), repr(release), release._repr_html_(), release._inner.state(), release.guarantee):
        assert "8319" not in shown
    assert release.mechanism == "geometric"
    assert '"n"' not in release.to_json()
    release.plot()


@pytest.mark.parametrize("data", [{}, {"a": 0, "b": 0}, [], pd.Series([], dtype=object), pl.Series([]), np.array([]), pa.array([])], ids=repr)
def test_no_records_are_released_like_any_other(data: Any) -> None:
    release = draw(data, categories=["a", "b"], epsilon=1, seed=1, adjacency="add-remove")
    assert release.read("count").rows and release.sample(2, seed=1).shape == (2, 2)
    assert list(release.interval())


def test_no_rows_and_no_files(tmp_path: pathlib.Path) -> None:
    empty, one = tmp_path / "empty.csv", tmp_path / "one.csv"
    empty.write_text("a\n")
    one.write_text("a\nx\n")
    assert counted(empty, column="a", categories=["x", "y"]) == [0, 0]
    assert counted(one, column="a", categories=["x", "y"]) == [1, 0]
    folder = tmp_path / "folder" / "a=x"
    folder.mkdir(parents=True)
    assert counted(folder.parent, column="a", categories=["x", "y"]) == [0, 0]
    (folder / "part.jsonl").write_bytes(b'{}\n{"b":NaN}\n')
    assert counted(folder.parent, column="a", categories=["x", "y"]) == [2, 0]


@pytest.mark.parametrize("line", [b'{"a":NaN}', b'{"a":"x","b":"caf\xe9"}', b'{"a":"x\ty"}', b'{"a":"\\ud800"}', b'{"a":"x"', b"x"])
def test_a_line_that_is_no_object_is_a_record_without_values(line: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":"x"}\n' + line + b"\n")
    assert counted(path, column="a", categories=["x", "y"]) == [1, 0]
    assert counted(path, column="a", categories=["x", "y"], missing="none") == [1, 0, 1]
    with pytest.raises(posterity.DataError):
        draw(path, column="a", categories=["x", "y"], epsilon=1, seed=1)


def test_counts_are_cut_and_not_refused() -> None:
    """One record more has counts neither refused nor changed by more than one."""
    most = 10**12
    for count in (most - 1, most, most + 1, 2**64 - 1, 2**64, 10**30):
        assert counted({"a": count, "b": 1}, categories=["a", "b"]) == [min(count, most), 1]
    with pytest.raises(posterity.PosterityError):
        draw({"a": most, "b": 1}, epsilon=1, seed=1)


STRANGE: list[Any] = [1.5, float("inf"), 10**30, "\ud800", b"x", object(), [1], decimal.Decimal("1.5"), datetime.date(2020, 1, 2), 1j]


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: type(value).__name__)
def test_what_has_no_label_is_left_out(value: Any) -> None:
    assert counted(["yes", value, "no"], categories=YES_NO) == [1, 1]
    objects = np.empty(3, dtype=object)
    objects[:] = ["yes", value, "no"]
    assert counted(objects, categories=YES_NO) == [1, 1]
    assert counted(pd.DataFrame({"a": pd.Series(objects, dtype=object)}), column="a", categories=YES_NO) == [1, 1]
    # Where n is public it is an error.
    with pytest.raises(posterity.PosterityError):
        draw(["yes", value, "no"], categories=YES_NO, epsilon=1, seed=1)


@pytest.mark.parametrize("make", [np.array, lambda labels: pd.Series(labels, dtype="string[python]"), learnt], ids=["numpy", "text", "categories"])
def test_text_that_is_not_unicode(make: Any) -> None:
    """One such text would make Arrow refuse the others too."""
    data = make(["yes", "\ud800"])
    assert counted(data, categories=YES_NO) == [1, 0]
    if not isinstance(data, np.ndarray):
        assert counted(pd.DataFrame({"a": data}), column="a", categories=YES_NO) == [1, 0]


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        pd.Series,
        pl.Series,
        pa.array,
        lambda values: pd.Series(values, dtype="float32"),
        lambda values: pd.Series(values).astype("category"),
        lambda values: pd.Series(values).astype(object),
        lambda values: pa.array(values).dictionary_encode(),
    ],
)
def test_one_missing_value_makes_floats_of_all(make: Any) -> None:
    """As pandas does. 1 and 1.0 are then the same category."""
    nan = float("nan")
    assert counted(make([1.0, 2.0, 2.0, nan, 1.5, -0.0]), categories=[1, 2, 0]) == [1, 2, 1]


def test_floats_in_tables() -> None:
    table: dict[str, list[Any]] = {"who": [1, 1, 2, None], "ward": [1, 1, 2, 2], "year": [2025, 2025, 2025, None]}
    how: dict[str, Any] = {"column": "ward", "categories": [1, 2], "unit": "who", "per_unit": "first"}
    makes: list[Any] = [pd.DataFrame, pl.DataFrame, pa.table]
    for make in makes:
        for where in (None, "year = 2025", "TEXT(year) = '2025'"):
            assert counted(make(table), **how, where=where) == [1, 1], (make, where)
            # The column of integers without the last record.
            whole = {name: column[:3] for name, column in table.items()}
            assert counted(make(whole), **how, where=where) == [1, 1], (make, where)


def test_refusals_do_not_depend_on_a_record() -> None:
    """A Series named count may come from value_counts. One missing value, or one record less, changes its type or index."""
    for values in ([1, 2], [1, None], ["1", 2]):
        for index in (None, ["a", "b"]):
            with pytest.raises(posterity.ArgumentError, match="value_counts"):
                counted(pd.Series(values, index=index, name="count"), categories=[1, 2])
    # A key before the wrong count may come from a record.
    errors = []
    for counts in ({"a": 1, "b": -1}, {"z": 1, "a": 1, "b": -1}):
        with pytest.raises(posterity.ArgumentError) as failure:
            counted(collections.Counter(counts), categories=["a", "b"])
        errors.append(str(failure.value))
    assert errors[0] == errors[1]


def test_other_and_missing_name_categories() -> None:
    labels = ["yes", None, "maybe", 1.5]
    assert counted(labels, categories=YES_NO, other="rest", missing="gone") == [1, 0, 1, 1]
    assert counted(pd.DataFrame({"a": labels}), column="a", categories=YES_NO, other="rest", missing="gone") == [1, 0, 1, 1]


def test_every_record_of_a_unit_counts() -> None:
    visits = pd.DataFrame({"who": [1, 1, 1, 1, 2], "ward": ["A", "A", "A", "A", "B"]})
    how: dict[str, Any] = {"column": "ward", "categories": ["A", "B"], "unit": "who"}
    assert counted(visits, **how, per_unit="all 3") == [3, 1]
    assert counted(visits, **how, per_unit="all 9") == [4, 1]
    with pytest.raises(posterity.PosterityError, match="private n"):
        draw(visits, **how, per_unit="all 3", epsilon=1, seed=1)


def test_readings_of_a_private_n() -> None:
    table = pl.DataFrame({"ward": ["A"] * 300 + ["B"] * 100, "cured": ["yes", "no"] * 200})
    how = {"column": ["ward", "cured"], "categories": [["A", "B"], YES_NO]}
    release = draw(table, **how, epsilon=1, seed=1, adjacency="add-remove", most=100_000)
    (row,) = release.read("count").rows
    assert row["interval"][0] <= 400 <= row["interval"][1]
    by_ward = release.read("count | ward")
    assert [row["given"]["ward"] for row in by_ward.rows] == ["A", "B"]
    assert list(by_ward.to_pandas().index) == ["A", "B"] and "<table" in by_ward._repr_html_()
    assert release.sample(5, seed=1, reading="cured | ward").shape == (5, 4)
    assert release.given("cured", "ward").rows and release.to_pandas().shape[0] == 4
    assert release.difference({"cured": "yes"}, "ward", "A", "B").interval()


def test_arguments() -> None:
    counts = {"a": 3, "b": 4}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"adjacency": "both"}, "adjacency"),
        ({"most": 100}, "most: n is public"),
        ({"adjacency": "add-remove", "most": 0}, "most"),
        ({"adjacency": "add-remove", "prior": 1}, "prior"),
        ({"adjacency": "add-remove", "mechanism": "lattice"}, "mechanism"),
        ({"adjacency": "add-remove", "decode": "mean"}, "decode"),
    ]
    for options, told in wrong:
        with pytest.raises(posterity.ArgumentError, match=told):
            posterity.release(counts, epsilon=1, seed=1, **options)
    assert posterity.release(counts, epsilon=1, seed=1).mechanism == "lattice"


def test_accounts_are_of_one_adjacency(tmp_path: pathlib.Path) -> None:
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    assert ledger.create_account("public", epsilon=1)["adjacency"] == "replace"
    assert ledger.create_account("private", epsilon=1, adjacency="add-remove")["adjacency"] == "add-remove"
    counts = posterity.Data({"a": 30, "b": 40}, name="c")
    with pytest.raises(posterity.PosterityError):
        posterity.release(counts, epsilon=0.1, budget=posterity.Budget(ledger, "private"))
    for account, charged in (("public", "0.2"), ("private", "0.1")):
        release = posterity.release(counts, epsilon=0.1, adjacency="add-remove", budget=posterity.Budget(ledger, account))
        assert release.charged == charged and release.private and release.n is None
        assert ledger.check(release.to_json())
    with pytest.raises(posterity.ArgumentError, match="adjacency"):
        ledger.create_account("x", epsilon=1, adjacency="none")


def test_names_and_editions_tell_questions_apart(tmp_path: pathlib.Path) -> None:
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    ledger.create_account("a", epsilon=5, adjacency="add-remove")

    def ask(counts: dict[str, int], **of_data: Any) -> posterity.Release:
        data = posterity.Data(counts, name="trial", **of_data)
        return posterity.release(data, epsilon=1, adjacency="add-remove", budget=posterity.Budget(ledger, "a"))

    first = ask({"a": 3, "b": 4})
    # Whether the data has changed is not looked at, because the answer would tell.
    again = ask({"a": 3, "b": 5})
    assert again.recalled and again.drawn == first.drawn
    assert ask({"a": 3, "b": 5}, edition="2026").charged == "1"
    assert ask({"a": 3, "b": 5}, edition="2026").recalled


def test_the_command_gives_the_same(command: Command, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\nx\ny\nz\n\nx\n")
    data = posterity.Data(path, column="a", categories=["x", "y"], edition="2026")
    release = posterity.release(data, epsilon=1, seed=3, adjacency="add-remove", most=1000)
    flags = ["--column", "a", "--categories", "x,y", "--epsilon", 1, "--seed", 3, "--adjacency", "add-remove"]
    assert command.document("release", path, *flags, "--most", 1000, "--edition", "2026") == release.to_dict()


def test_analyses() -> None:
    audit = posterity.audit(n=6, k=2, epsilon=1, adjacency="add-remove")
    assert audit.holds and audit.loss < 1.000001
    assert posterity.audit(counts=[0, 0], epsilon=1, adjacency="add-remove").holds
    advice = posterity.advise(n=900, k=3, epsilon=1, adjacency="add-remove", shape=[1, 2, 3])
    assert type(advice) is posterity.TableAdvice and advice.releases
    least = posterity.advise(n=900, columns=[2, 3], half_width=0.1, adjacency="add-remove")
    assert least.epsilon is not None and least.epsilon > 0
    refused: list[dict[str, Any]] = [{"k": 2, "distance": 0.1}, {"k": 2, "epsilon": 1, "prior": 1}, {"epsilon": 1}]
    for options in refused:
        with pytest.raises(posterity.ArgumentError):
            posterity.advise(n=90, adjacency="add-remove", **options)
    with pytest.raises(posterity.ArgumentError, match="adjacency"):
        posterity.advise(n=90, k=2, epsilon=1, adjacency="add_remove")
    assert posterity.inspect([2, 1], epsilon=1, adjacency="add-remove").rows
    assert posterity.compare_mechanisms([2, 1], epsilon=1, adjacency="add-remove", mechanisms="geometric").rows


LABELS = ["yes", "no", "Yes", "Yes", None, 1.5]


@pytest.mark.parametrize("make", [list, iter, collections.Counter, lambda labels: pd.Series(labels, dtype=object)])
def test_what_would_be_left_out_of_labels(make: Any) -> None:
    found = posterity.check(make(LABELS), categories=YES_NO)
    assert (found.records, found.counted, found.private) == (6, 2, False)
    assert found.columns == [{"undeclared": 2, "missing": 1, "unnamed": 1}]
    assert "NOT PRIVATE" in repr(found) and "NOT PRIVATE" in found._repr_html_()
    kept = posterity.check(posterity.Data(make(LABELS), categories=YES_NO, other="no", missing="gone"))
    assert kept.counted == 5


def test_what_would_be_left_out_of_tables(tmp_path: pathlib.Path) -> None:
    table = pd.DataFrame({"a": ["x", "y", "z", "z", None, "x"], "who": [1, 2, 3, 4, 5, None], "year": [1, 2, 2, 2, 2, 2]})
    path = tmp_path / "a.csv"
    table.to_csv(path, index=False)
    for data in (table, pl.DataFrame(table), path):
        asked = posterity.Data(data, column="a", categories=["x", "y"], where="year = 2", within="a <> 'q'")
        found = posterity.check(asked, unit="who")
        assert (found.records, found.filtered, found.outside, found.no_unit, found.counted) == (6, 1, 1, 1, 2)
        (column,) = found.columns
        assert (column["undeclared"], column["missing"], column["unnamed"]) == (2, 0, 0)
    assert column["most_frequent"] == [{"value": "z", "records": 2}]
    assert posterity.check(posterity.Data(table.iloc[:0], column="a", categories=["x", "y"])).records == 0
