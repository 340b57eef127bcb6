"""Categories that nobody declared, and the function that discovers them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, overload

from . import _posterity
from ._optional import need
from ._parts import ArrowData, Budget, Data, Unit, asked
from ._published import Published
from ._readings import Table, quoted


class Discovered(Published[_posterity.Discovered]):
    """The values of a column that enough people have, with noisy counts: what :func:`discover` returns.

    Values that few people have are named nowhere in it. Everything in it may be published if ``private`` is true.
    """

    __slots__ = ()
    _of = _posterity.Discovered

    @property
    def column(self) -> str:
        """The column whose values were discovered."""
        return str(self._fields["column"])

    @property
    def values(self) -> list[str]:
        """The values that passed the threshold, in the order of their names. That a value is not here does not say that nobody has it."""
        return [label for label, _ in self._rows(0)]

    @property
    def count(self) -> dict[str, float]:
        """The estimated number of each value: of records, or of units if there is a unit."""
        return {label: row["estimate"] for label, row in self._rows(0)}

    def interval(self, level: float | None = None) -> dict[str, tuple[float, float]]:
        """The confidence interval of each count. It holds as often as its level says among the values that are named.

        Parameters
        ----------
        level : float, optional
            The level; that of the document if not given.
        """
        return dict(zip(self.values, self._inner.interval(self.level if level is None else level), strict=True))

    @property
    def share(self) -> dict[str, float] | None:
        """The share of each value in the total; None if no total was paid for."""
        return None if self.total is None else {label: row["estimate"] for label, row in self._rows(1)}

    @property
    def total(self) -> float | None:
        """The noisy number of all records or units that have a value, named or not; None if it was not paid for. It may be negative."""
        row = self._total
        return None if row is None else float(row["estimate"])

    @property
    def total_interval(self) -> tuple[float, float] | None:
        """The confidence interval of the total; None if it was not paid for."""
        row = self._total
        return None if row is None else (row["interval"][0], row["interval"][1])

    @property
    def not_shown(self) -> tuple[float, float] | None:
        """The confidence interval of how many have a value that is not named; None if no total was paid for."""
        rest = self._fields["not_shown"]
        return None if rest is None else (rest["interval"][0], rest["interval"][1])

    @property
    def threshold(self) -> int:
        """The least noisy count of a value that is named."""
        return int(self._fields["threshold"])

    @property
    def epsilon(self) -> float:
        """The epsilon of the release, that of the total included. A release from a seed promises nothing: see ``private``."""
        return float(self._fields["epsilon"])

    @property
    def delta(self) -> float:
        """The delta of the release."""
        return float(self._fields["delta"])

    @property
    def notes(self) -> list[str]:
        """Notes on how to read it."""
        return list(self._fields["notes"])

    @property
    def charged(self) -> str | None:
        """The epsilon that an account was charged, exactly; None if nothing was charged."""
        return self._charged("epsilon")

    @property
    def charged_delta(self) -> str | None:
        """The delta that an account was charged, exactly; None if nothing was charged."""
        return self._charged("delta")

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each value: ``count``, ``low`` and ``high``, and with a paid total also ``share``,
        ``share_low`` and ``share_high``. What is the same for all values is in ``.attrs``.
        """
        pandas = need("pandas", "to_pandas")
        index = pandas.Index(self.values, name=self.column, dtype=object)
        frame = pandas.DataFrame(self._numbers(), index=index, dtype="float64")
        frame.attrs = {
            "level": self.level, "interval_kind": "confidence", "about": "records", "threshold": self.threshold, "private": self.private
        }
        return frame

    def _numbers(self) -> dict[str, list[float]]:
        """The numbers of all values, by columns."""
        columns: dict[str, list[float]] = {}
        for place, (name, prefix) in enumerate((("count", ""), ("share", "share_"))):
            if name == "share" and self.total is None:
                break
            rows = [row for _, row in self._rows(place)]
            columns[name] = [row["estimate"] for row in rows]
            columns[f"{prefix}low"] = [row["interval"][0] for row in rows]
            columns[f"{prefix}high"] = [row["interval"][1] for row in rows]
        return columns

    def to_polars(self) -> Any:
        """The same as a ``polars.DataFrame``, with a column of the values."""
        polars = need("polars", "to_polars")
        numbers = {f"{name}_" if name == self.column else name: numbers for name, numbers in self._numbers().items()}
        return polars.DataFrame({self.column: self.values, **numbers}, schema_overrides={self.column: polars.String})

    def _reading_of(self, name: str) -> str:
        """A reading, or that of the counts for a value that is named."""
        name = super()._reading_of(name)
        return f"count | {quoted(self.column)}" if name in self else name

    def __getitem__(self, reading: str) -> Table:
        """A reading as :meth:`read` gives it, or the count of a value that is named: ``found["Ibuprofen"]``."""
        table = super().__getitem__(reading)
        return table._only(reading) if reading in self else table

    def _names(self) -> list[str]:
        return self.values

    @property
    def columns(self) -> dict[str, list[str]]:
        """The column with the values that passed the threshold."""
        return {self.column: self.values}

    def _ipython_key_completions_(self) -> list[str]:
        return [str(table["reading"]) for table in self._fields["readings"]]

    _without_draws = "discovered categories have no draws; read the intervals of their counts"

    @property
    def _total(self) -> dict[str, Any] | None:
        """The row of the total, which is in the last of three readings."""
        readings: list[dict[str, Any]] = self._fields["readings"]
        row: dict[str, Any] | None = readings[2]["rows"][0] if len(readings) > 2 else None
        return row

    def _rows(self, place: int) -> list[tuple[str, dict[str, Any]]]:
        """The rows of the counts (0) or of the shares (1), each with its value."""
        rows = self._fields["readings"][place]["rows"]
        return [(str(next(iter({**row["given"], **row["cell"]}.values()))), row) for row in rows]

    def __repr__(self) -> str:
        private = "private" if self.private else "NOT PRIVATE"
        largest = sorted(self.count.items(), key=lambda pair: -pair[1])
        parts = ", ".join(f"{label} {count:.0f}" for label, count in largest[:6]) or "no value passed the threshold"
        more = ", ..." if len(largest) > 6 else ""
        return f"<Discovered ({private}): {parts}{more}; {self._terms()}>"

    def _terms(self) -> str:
        return f"epsilon {self.epsilon:g}, delta {self.delta:g}, threshold {self.threshold}, n private"


@overload
def discover(
    data: Data | ArrowData | str | os.PathLike[str],
    *,
    epsilon: float | str,
    delta: float | str,
    column: str | None = ...,
    unit: Unit | str | None = ...,
    one_record_per_person: bool = ...,
    total_epsilon: float | str | None = ...,
    where: str | None = ...,
    missing: str | None = ...,
    edition: str | None = ...,
    level: float = ...,
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
    allow_large_delta: bool = ...,
) -> Discovered: ...
@overload
def discover(
    data: Data | ArrowData | str | os.PathLike[str] | None = ...,
    *,
    plan: Mapping[str, Any] | str | os.PathLike[str],
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
) -> Discovered: ...
def discover(
    data: Data | ArrowData | str | os.PathLike[str] | None = None,
    *,
    epsilon: float | str | None = None,
    delta: float | str | None = None,
    column: str | None = None,
    unit: Unit | str | None = None,
    one_record_per_person: bool = False,
    total_epsilon: float | str | None = None,
    where: str | None = None,
    missing: str | None = None,
    edition: str | None = None,
    level: float = 0.95,
    plan: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    budget: Budget | None = None,
    again: bool = False,
    sign: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    allow_large_delta: bool = False,
) -> Discovered:
    """Discover the categories of a column that nobody declared, with noisy counts.

    A value is named only if its count with noise passes a threshold, which follows from ``epsilon`` and ``delta``. So a value that one
    person alone has is named with a probability of at most ``delta``, and which values occur is private. So is n, the number of
    records: nothing that is returned or raised depends on one record, but for the draw. It is the adjacency ``add-remove`` of
    :func:`release`.

    Parameters
    ----------
    data : Data, table or path
        The path of files, or a table: a pandas or Polars DataFrame or a pyarrow Table. A :class:`Data` also says how they are read.
        A table in memory has no path; a name, ``Data(.., name=..)``, lets a ledger recognise it.
    epsilon : float or str
        The privacy budget of the names and their counts. A decimal is exact: 0.1 is one tenth.
    delta : float or str
        The probability with which a value may be named that one person alone has, such as ``1e-9``.
    column : str
        The column whose values are discovered.
    unit : Unit or str, optional
        The column that tells people (or other units) apart: each counts with one record. A :class:`Unit` also says with which one.
    one_record_per_person : bool
        State that each person has at most one record, where there is no column of the unit. The promise says that you stated it.
    total_epsilon : float or str, optional
        Pay this epsilon too, for a noisy total. Then there are shares, and how many have a value that is not named.
    where, missing, edition : str, optional
        As in :class:`Data`.
    level : float
        The level of the intervals.
    plan : mapping, str or path, optional
        A plan that asks one such question, in the place of all arguments that say what is asked: a ``dict``, the text of one in TOML or
        JSON, or the path of a file. Its source starts from the folder of the file; ``data`` says where the records are instead.
    budget : Budget, optional
        The account that pays; it needs a delta.
    again : bool
        Draw and charge again even if the ledger holds the answer to the same question.
    sign : path, optional
        The secret key that signs the document (``posterity budget keygen`` makes one). Only what an account pays for is signed.
    seed : int, optional
        Draw from this seed instead of the system's randomness: repeatable, and therefore not private.
    allow_large_delta : bool
        State that a delta above 0.001 is meant. With a probability of up to delta everything about a person may be told, so it is
        refused otherwise.

    Returns
    -------
    Discovered

    Raises
    ------
    PosterityError
        Nothing was released. After a failure of the ledger its history says whether something was charged.

    Warns
    -----
    PosterityWarning
        Before anything is drawn or charged, if the budget is so large that it protects hardly anybody.

    Examples
    --------
    >>> import posterity, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> visits = pathlib.Path(folder.name) / "visits.csv"
    >>> drugs = ["Ibuprofen"] * 90 + ["Metformin"] * 200 + ["Secretazepam"]
    >>> _ = visits.write_text("patient,drug\\n" + "".join(f"{i},{drug}\\n" for i, drug in enumerate(drugs)))
    >>> found = posterity.discover(visits, column="drug", unit="patient", epsilon=1, delta="1e-9", seed=1)
    >>> found.values, found.private
    (['Ibuprofen', 'Metformin'], False)
    >>> all(abs(found.count[drug] - drugs.count(drug)) < 20 for drug in found.values)
    True
    >>> folder.cleanup()
    """
    return Discovered(_posterity.discover(asked(locals(), discover)))
