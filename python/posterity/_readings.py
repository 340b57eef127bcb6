"""Readings and comparisons of a release."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._optional import need
from ._posterity import escaped, reading_html

Values = Any
"""A value, or several."""


def quoted(name: Any) -> str:
    """A name or a value in quotes, as readings write it."""
    return '"' + str(name).replace("\\", "\\\\").replace('"', '\\"') + '"'


def terms(given: str | Sequence[str] | Mapping[str, Values]) -> str:
    """Columns, or columns with values, as readings write them."""
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, Mapping):
        return ", ".join(f"{quoted(column)}={values(value)}" for column, value in given.items())
    return ", ".join(quoted(column) for column in given)


def values(value: Values) -> str:
    """One value, or several in braces."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return "{" + ", ".join(quoted(one) for one in value) + "}"
    return quoted(value)


class Table:
    """Shares or means with their intervals: what :meth:`Release.read` returns."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, Any], /) -> None:
        self._fields = fields

    @property
    def reading(self) -> str:
        """The reading as text."""
        return str(self._fields["reading"])

    @property
    def method(self) -> str:
        """What is known of the intervals: ``proven`` or ``measured`` to hold as often as their level says, for confidence intervals;
        otherwise ``exact``, ``draws``, or ``without-noise`` where the noise of the mechanism is not modelled.
        """
        return str(self._fields["method"])

    @property
    def error(self) -> float:
        """A bound on the distance from the exact posterior, or the largest standard error where rows were drawn."""
        return float(self._fields["error"])

    @property
    def level(self) -> float:
        """The level of each interval, or of all at once."""
        return float(self._fields["level"])

    @property
    def interval(self) -> str:
        """Which interval each row shows: ``confidence``, ``credible`` or ``shortest``."""
        return str(self._fields["interval"])

    @property
    def about(self) -> str:
        """What the numbers are about: the ``population`` that the records were drawn from, or the ``records`` themselves."""
        return str(self._fields["about"])

    @property
    def simultaneous(self) -> bool:
        """Whether all intervals hold at once."""
        return bool(self._fields.get("simultaneous", False))

    @property
    def unknown(self) -> dict[str, Any] | None:
        """The part of the records whose value is unknown, with ``share`` and ``interval``: shares and means are among the others.
        None if no category of missing or other values is left out. ``of all`` in a reading leaves nothing out.
        """
        unknown = self._fields.get("unknown")
        return None if unknown is None else dict(unknown)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with ``given``, ``cell``, ``estimate``, ``mean``, ``confidence``, ``credible`` and ``interval``, which is the one
        that was asked for. An estimate and a confidence interval may be absent, and about the records there is no credible one.
        ``mostly_prior`` and ``may_be_empty`` mark rows.
        """
        return list(self._fields["rows"])

    def _names(self) -> list[str]:
        """The columns whose values name a row."""
        of = [] if self._fields["statistic"] == "mean" else self._fields["of"]
        return [*self._fields["given"], *(column for column in of if column not in self._fields["given"])]

    def _labels(self) -> list[dict[str, str]]:
        """The values that name each row."""
        return [{**row["given"], **row["cell"]} for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return self._fields

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` by the columns of the condition and of the cells; several columns make a ``MultiIndex``.

        Its columns are ``estimate`` (without a prior), ``mean`` (posterior), ``low`` and ``high`` of the interval that was asked for,
        ``interval``, ``level``, ``about``, the ends of both kinds of interval, ``mostly_prior`` and ``may_be_empty``. Where values are
        unknown, ``unknown``, ``unknown_low`` and ``unknown_high`` are the share of that part, the same in each row.
        """
        pandas = need("pandas", "to_pandas")
        names, columns = self._names(), self._columns(float("nan"))
        labels = [tuple(label[name] for name in names) for label in self._labels()]
        if not names:
            return pandas.DataFrame(columns)
        index = (
            pandas.MultiIndex.from_tuples(labels, names=names)
            if len(names) > 1
            else pandas.Index([label[0] for label in labels], name=names[0])
        )
        return pandas.DataFrame(columns, index=index)

    def _columns(self, missing: Any) -> dict[str, list[Any]]:
        """The numbers of all rows, by columns, with something in the place of those that are absent."""
        rows = self.rows
        columns: dict[str, list[Any]] = {
            "estimate": [row.get("estimate", missing) for row in rows],
            "mean": [row["mean"] for row in rows],
            "low": [row["interval"][0] for row in rows],
            "high": [row["interval"][1] for row in rows],
            "interval": [self.interval for _ in rows],
            "level": [self.level for _ in rows],
            "about": [self.about for _ in rows],
        }
        for kind in ("confidence", "credible"):
            for end, name in enumerate(("low", "high")):
                columns[f"{kind}_{name}"] = [row.get(kind, (missing, missing))[end] for row in rows]
        for mark in ("mostly_prior", "may_be_empty"):
            columns[mark] = [bool(row.get(mark, False)) for row in rows]
        if self.unknown is not None:
            for name, number in zip(
                ("unknown", "unknown_low", "unknown_high"), (self.unknown["share"], *self.unknown["interval"]), strict=True
            ):
                columns[name] = [number for _ in rows]
        return columns

    def to_polars(self) -> Any:
        """A ``polars.DataFrame`` with the columns of :meth:`to_pandas`, after those of the condition and of the cells. A number whose name
        is that of a column gets ``_`` at its end.
        """
        polars = need("polars", "to_polars")
        names = self._names()
        labels = {name: [label[name] for label in self._labels()] for name in names}
        numbers = {f"{name}_" if name in labels else name: column for name, column in self._columns(None).items()}
        return polars.DataFrame({**labels, **numbers})

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._fields["rows"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, one after the other."""
        return iter(self.rows)

    def __getitem__(self, key: int | str | tuple[str, ...] | slice) -> Any:
        """A row by its place, or by the values that name it: ``table["A", "yes"]``. A slice gives several.

        Raises
        ------
        IndexError
            If there are fewer rows.
        KeyError
            If no row has these values.
        """
        if isinstance(key, (int, slice)):
            return self.rows[key]
        wanted = key if isinstance(key, tuple) else (key,)
        for label, row in zip(self._labels(), self.rows):
            if tuple(label.values()) == tuple(str(one) for one in wanted):
                return row
        raise KeyError(key)

    def _ipython_key_completions_(self) -> list[str | tuple[str, ...]]:
        """The values that name rows."""
        return [next(iter(label.values())) if len(label) == 1 else tuple(label.values()) for label in self._labels() if label]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Table {self.reading!r}: {len(self.rows)} rows, {self.method}>"

    def _repr_html_(self) -> str:
        table = reading_html(json.dumps(self._fields))
        return f"<div>{escaped(self.reading)} ({self.method})</div>{table}"


class Contrast:
    """A comparison of two shares, or of two columns: what :meth:`Release.compare` returns."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, Any], /) -> None:
        self._fields = fields

    @property
    def comparison(self) -> str:
        """The comparison as text."""
        return str(self._fields["comparison"])

    @property
    def mean(self) -> float | None:
        """The posterior mean of the first measure; None for ratios, whose mean may be infinite."""
        mean = self._fields["measures"][0].get("mean")
        return None if mean is None else float(mean)

    @property
    def estimate(self) -> float | None:
        """The comparison of both estimates, without a prior; None where there is none."""
        estimate = self._fields["measures"][0].get("estimate")
        return None if estimate is None else float(estimate)

    @property
    def median(self) -> float:
        """The posterior median of the first measure."""
        return float(self._fields["measures"][0]["median"])

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the first measure that was asked for. The upper end of a ratio may be infinite."""
        low, high = self._fields["measures"][0]["interval"]
        return -math.inf if low is None else float(low), math.inf if high is None else float(high)

    @property
    def about(self) -> str:
        """What the numbers are about: the ``population`` that the records were drawn from, or the ``records`` themselves."""
        return str(self._fields["about"])

    @property
    def probability_larger(self) -> float | None:
        """The probability that the first share is larger than the second; None for independence."""
        larger = self._fields.get("probability_larger")
        return None if larger is None else float(larger)

    @property
    def measures(self) -> dict[str, dict[str, Any]]:
        """All measures by name: ``difference``, ``ratio``, ``odds-ratio``, ``mutual-information``, ``cramers-v``."""
        return {measure["measure"]: measure for measure in self._fields["measures"]}

    @property
    def error(self) -> float:
        """The largest standard error of a number, from the draws."""
        return float(self._fields["error"])

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return self._fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contrast) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        (low, high), estimate = self.interval, self.estimate
        shown = self.median if estimate is None or self._fields["interval"] != "confidence" else estimate
        return f"<Contrast {self.comparison!r}: {shown:.4f} ({low:.4f} to {high:.4f})>"
