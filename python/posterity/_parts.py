"""The parts of a request: what is counted, whom it protects, and who pays."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ._errors import ArgumentError
from ._ledger import Ledger
from ._words import Encoding, InputFormat


class ArrowData(Protocol):
    """An object with the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with an Arrow stream."""


Source = Mapping[Any, int] | Iterable[Any] | ArrowData | str | os.PathLike[str]
"""Counts, labels, a table or a path."""


class _Part:
    """Arguments that belong together, as they were given."""

    __slots__ = ("_given",)
    _given: dict[str, Any]

    def __repr__(self) -> str:
        # The data is private.
        given = {name: value for name, value in self._given.items() if value is not None and name != "data"}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


class Data(_Part):
    """What is counted: counts, labels, a table or files, and how.

    Parameters
    ----------
    data : mapping, sequence, array, table or path
        A mapping of counts; or labels: any sequence, a NumPy array, a pandas or Polars Series, a pyarrow array; or a table: a
        pandas (2.2 or newer) or Polars DataFrame, a pyarrow Table; or the path of a CSV, JSON, Parquet, Arrow or SQLite
        file, a folder or a glob. An object with the Arrow PyCapsule interface is read without copying; columns of Python objects are read
        value by value. The result of ``value_counts`` is refused: give the labels, or a dict of counts with ``categories``.
    column : str or sequence of str, optional
        For a path or a table: the column that holds the labels; several are taken together.
    categories : sequence, optional
        The possible labels. They must be declared unless ``data`` is a plain ``dict``, and are never learned from labels: that
        would reveal which ones occur. The keys of a ``dict`` are published as they stand, also those with a count of zero, so
        they must not come from the data. A ``collections.Counter``, and any other mapping, needs ``categories``. With several
        columns, one list for each, and None for a column of bins. A set is refused, because it has no order.
    bins : sequence, optional
        For a path or a table, instead of categories: the edges of bins that the numbers of the column are sorted into. The
        edges 0, 18 and 65 make the categories ``[0,18)`` and ``[18,65)``. With several columns, one list for each, and None
        for a column of categories.
    schema : str, os.PathLike or mapping, optional
        For a path or a table: the Table Schema that declares the values of the columns by ``enum``, ``categories``, the type
        ``boolean``, or for numbers by ``bins``, a list of edges: the path of a file, or what ``json.load`` returns. What ``categories``
        and ``bins`` declare of a column comes first.
    where : str, optional
        For a path or a table: count only records for which this SQL condition is true. The condition is public. With the adjacency
        ``add-remove`` it may use any column. With ``replace`` n is public, the number of records that pass it: then use it for what is
        public about people, such as a year or a site.
    within : str, optional
        The same for what is private about people: all other records are counted in a category of their own, ``outside``, which is
        the last. So n is the number of all records, and whether a record is within is protected. Where a prior is given, its last
        parameter is that of ``outside``.
    other : str or mapping from str to str, optional
        Count labels that are not declared as this category; without it they are an error, or left out where n is private. With columns,
        a mapping names a category for some of them: ``{"ward": "elsewhere"}``.
    missing : str or mapping from str to str, optional
        The same for missing labels.
    input_format, delimiter : str, optional
        For a path: the format of the files, and the character between the fields of a CSV file.
    encoding : str, optional
        For a path: how text is stored, ``utf-8`` (the default), ``windows-1252``, ``utf-16``, ``utf-16le`` or ``utf-16be``.
    table, view : str, optional
        For the path of a SQLite database: the table to read, or the view. A view needs a :class:`Unit`.
    name : str, optional
        For data in memory, with a budget: a name that identifies this data set. The same question about data of the same
        name is answered from the ledger without a charge; without a name every release is charged.
    edition : str, optional
        What tells this edition of the data from others, such as ``"2026"``. It is published, and part of the question that a ledger
        knows: a file that changes keeps its path, and where n is private, nothing else tells the new data from the old.

    Examples
    --------
    >>> import posterity
    >>> answers = posterity.Data(["yes", "no", None], categories=["yes", "no"], missing="no")
    >>> posterity.release(answers, epsilon=1).n
    3
    >>> visits = pandas.DataFrame({"who": [1, 1, 2, 3], "age": [17, 17, 40, 64]})  # doctest: +SKIP
    >>> ages = posterity.Data(visits, column="age", bins=[0, 18, 65])  # doctest: +SKIP
    >>> r = posterity.release(ages, unit="who", epsilon=1)  # doctest: +SKIP
    """

    __slots__ = ()

    def __init__(
        self,
        data: Source,
        *,
        column: str | Sequence[str] | None = None,
        categories: Sequence[Any] | None = None,
        bins: Sequence[Any] | None = None,
        schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        where: str | None = None,
        within: str | None = None,
        other: str | Mapping[str, str] | None = None,
        missing: str | Mapping[str, str] | None = None,
        input_format: InputFormat | None = None,
        delimiter: str | None = None,
        encoding: Encoding | None = None,
        table: str | None = None,
        view: str | None = None,
        name: str | None = None,
        edition: str | None = None,
    ) -> None:
        self._given = _arguments(locals())


class Unit(_Part):
    """Whom a release protects: all records of one value of a column together, such as a person.

    Parameters
    ----------
    unit : str
        The column that tells units apart.
    per_unit : str, optional
        By which of its records a unit counts: ``random`` (one drawn uniformly, the default), ``first`` (the category that is
        declared first), ``mode`` (the most frequent category), or ``latest COLUMN`` (the last by that column). With the adjacency
        ``add-remove`` also ``all K``, such as ``all 3``: every record counts, or K of them drawn at random where a unit has more; the
        noise is K times as wide.

    Examples
    --------
    >>> import posterity
    >>> posterity.Unit("patient", per_unit="latest day")
    Unit(unit='patient', per_unit='latest day')
    """

    __slots__ = ()

    def __init__(self, unit: str, *, per_unit: str | None = None) -> None:
        self._given = _arguments(locals())


class Budget(_Part):
    """Who pays for a release: an account of a ledger.

    Parameters
    ----------
    ledger : Ledger or path
        The ledger.
    account : str
        The account to charge.

    Examples
    --------
    >>> import posterity
    >>> posterity.Budget("study.ledger", account="wards")
    Budget(ledger='study.ledger', account='wards')
    """

    __slots__ = ()

    def __init__(self, ledger: Ledger | str | os.PathLike[str], account: str) -> None:
        self._given = _arguments(locals())


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a constructor."""
    return {name: value for name, value in given.items() if name != "self"}


def asked(given: dict[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a release, which say what is asked, or give a plan that says it."""
    if given["plan"] is None:
        for name, example in (("data", "a table or the path of a file"), ("epsilon", "a number such as 1"), ("delta", 'such as "1e-9"')):
            if name in given and given[name] is None:
                raise ArgumentError(f"{name}: this is required; give {example}, or a plan")
        return joined(given)
    usual = inspect.signature(function).parameters
    for name, value in given.items():
        if name not in _BESIDE_A_PLAN and value is not usual[name].default and value != usual[name].default:
            raise ArgumentError(f"{name}: the plan says what is asked; leave it out, or change the plan")
    data = given["data"]
    if isinstance(data, Data):
        said = sorted(name for name, value in data._given.items() if value is not None and name != "data")
        if said:
            raise ArgumentError(f"{said[0]}: the plan says what is asked; leave it out, or change the plan")
    return joined({"unit": None, **{name: given.get(name) for name in _BESIDE_A_PLAN if name in given}})


_BESIDE_A_PLAN = ("data", "plan", "budget", "again", "sign", "seed", "not_private", "certificate")
"""What a call says beside a plan: where the records are, who pays and signs, and what no plan may promise."""


def joined(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, with the contents of its parts in their places."""
    if not isinstance(given.get("budget"), Budget | None):
        raise ArgumentError('budget: this is no Budget; give one such as Budget("study.ledger", account="a")')
    all_of_it = dict(given)
    for part in (given["data"], given["unit"], given.get("budget")):
        if not isinstance(part, _Part):
            continue
        for name, value in part._given.items():
            if value is None and name != "unit":
                continue
            if name not in ("data", "unit") and all_of_it.get(name) is not None:
                raise ArgumentError(f"{name}: the Data says this; leave it out, or the Data")
            all_of_it[name] = value._inner if isinstance(value, Ledger) else value
    return all_of_it
