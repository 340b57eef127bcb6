"""Readings and comparisons of a release."""

from __future__ import annotations

import copy
import difflib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._errors import UnknownNameError
from ._optional import need
from ._posterity import contrast_html, contrast_text, escaped, reading_html, reading_text
from ._words import About, IntervalKind

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


NOT_PRIVATE = "NOT PRIVATE: read from a draw of a seed, or of a mechanism that promises nothing."
"""Stands below what is read from a release that is not private."""

Key = str | tuple[str, ...]
"""The value that names a row, or its values if there are several."""


def nearest(name: object, known: Sequence[object]) -> str:
    """What to say of a name that is not known."""
    near = difflib.get_close_matches(str(name), [str(one) for one in known], n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    shown = ", ".join(str(one) for one in known[:8])
    return f"there are {shown}{', ..' if len(known) > 8 else ''}"


def named(labels: Sequence[Mapping[str, str]], reading: str) -> list[Key]:
    """The key of each row: its only value, or all of them; the reading itself where no value names it."""
    keys: list[Key] = []
    for label in labels:
        values = tuple(label.values())
        keys.append(reading if not values else values[0] if len(values) == 1 else values)
    return keys


class Table:
    """Shares, means or counts with their intervals: what :meth:`Release.read` returns. ``print(table)`` shows it."""

    __slots__ = ("_fields", "_private")

    def __init__(self, fields: dict[str, Any], /, *, private: bool = True) -> None:
        self._fields = fields
        self._private = private

    @property
    def private(self) -> bool:
        """Whether it may be published as private."""
        return self._private

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
    def interval_kind(self) -> IntervalKind:
        """Which interval each row shows: ``confidence``, ``credible`` or ``shortest``."""
        kind: IntervalKind = self._fields["interval_kind"]
        return kind

    def interval(self) -> dict[Key, tuple[float, float]]:
        """The interval of each row that was asked for, by the value that names the row, or by its values if there are several."""
        rows = self._fields["rows"]
        return {key: (row["interval"][0], row["interval"][1]) for key, row in zip(self._keys(), rows, strict=True)}

    @property
    def about(self) -> About:
        """What the numbers are about: the ``population`` that the records were drawn from, or the ``records`` themselves."""
        about: About = self._fields["about"]
        return about

    @property
    def simultaneous(self) -> bool:
        """Whether all intervals hold at once."""
        return bool(self._fields.get("simultaneous", False))

    @property
    def unknown(self) -> dict[str, Any] | None:
        """The part of the records whose value is unknown, with ``share`` and ``interval``: shares and means are among the others.
        None if no category of missing or other values is left out. ``of all`` in a reading leaves nothing out.
        """
        unknown: dict[str, Any] | None = self._fields.get("unknown")
        return copy.deepcopy(unknown)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with ``given``, ``cell``, ``estimate``, ``mean``, ``confidence``, ``credible`` and ``interval``, which is the one
        that was asked for. An estimate and a confidence interval may be absent, and about the records there is no credible one.
        ``mostly_prior`` and ``may_be_empty`` mark rows.
        """
        return copy.deepcopy(list(self._fields["rows"]))

    def _names(self) -> list[str]:
        """The columns whose values name a row."""
        of = [] if self._fields["statistic"] == "mean" else self._fields["of"]
        return [*self._fields["given"], *(column for column in of if column not in self._fields["given"])]

    def _labels(self) -> list[dict[str, str]]:
        """The values that name each row."""
        return [{**row["given"], **row["cell"]} for row in self._fields["rows"]]

    def _keys(self) -> list[Key]:
        """What names each row."""
        return named(self._labels(), self.reading)

    def _only(self, key: Key) -> Table:
        """The same with one row."""
        return Table({**self._fields, "rows": [self[key]]}, private=self._private)

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return copy.deepcopy(self._fields)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` by the columns of the condition and of the cells; several columns make a ``MultiIndex``.

        Its columns are ``estimate`` (without a prior), ``low`` and ``high`` of the interval that was asked for, ``mean`` (posterior),
        the ends of both kinds of interval, ``mostly_prior`` and ``may_be_empty``. What is the same for all rows is in ``.attrs``:
        ``reading``, ``interval_kind``, ``level``, ``about``, ``simultaneous``, ``method``, ``error``, ``private``, and where values are
        unknown ``unknown``, ``unknown_low`` and ``unknown_high``, the share of that part.
        """
        pandas = need("pandas", "to_pandas")
        names, columns = self._names(), self._columns(float("nan"))
        labels = [tuple(label[name] for name in names) for label in self._labels()]
        index = None
        if len(names) > 1:
            index = pandas.MultiIndex.from_tuples(labels, names=names)
        elif names:
            index = pandas.Index([label[0] for label in labels], name=names[0])
        frame = pandas.DataFrame(columns, index=index)
        frame.attrs = self._constants()
        return frame

    def _columns(self, missing: Any) -> dict[str, list[Any]]:
        """The numbers of all rows, by columns, with something in the place of those that are absent."""
        rows = self._fields["rows"]
        columns: dict[str, list[Any]] = {
            "estimate": [row.get("estimate", missing) for row in rows],
            "low": [row["interval"][0] for row in rows],
            "high": [row["interval"][1] for row in rows],
            "mean": [row["mean"] for row in rows],
        }
        for kind in ("confidence", "credible"):
            for end, name in enumerate(("low", "high")):
                columns[f"{kind}_{name}"] = [row.get(kind, (missing, missing))[end] for row in rows]
        for mark in ("mostly_prior", "may_be_empty"):
            columns[mark] = [bool(row.get(mark, False)) for row in rows]
        return columns

    def _constants(self) -> dict[str, Any]:
        """What is the same for all rows."""
        names = ("interval_kind", "level", "about", "simultaneous", "method", "error", "private")
        constants = {"reading": self.reading, **{name: getattr(self, name) for name in names}}
        if self.unknown is not None:
            low, high = self.unknown["interval"]
            constants |= {"unknown": self.unknown["share"], "unknown_low": low, "unknown_high": high}
        return constants

    def to_polars(self) -> Any:
        """A ``polars.DataFrame`` with the columns of :meth:`to_pandas`, after those of the condition and of the cells, and before the
        constants, which have no other place there. A column whose name is that of a column of the release gets ``_`` at its end.
        """
        polars = need("polars", "to_polars")
        labels = {name: [label[name] for label in self._labels()] for name in self._names()}
        constants = {name: [value] * len(self) for name, value in self._constants().items()}
        numbers = {f"{name}_" if name in labels else name: column for name, column in {**self._columns(None), **constants}.items()}
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
        UnknownNameError
            If no row has these values; it is a ``KeyError`` too.
        """
        if isinstance(key, (int, slice)):
            return copy.deepcopy(self._fields["rows"][key])
        wanted = tuple(str(one) for one in (key if isinstance(key, tuple) else (key,)))
        for label, row in zip(self._labels(), self._fields["rows"], strict=True):
            if tuple(label.values()) == wanted:
                return copy.deepcopy(row)
        raise UnknownNameError(f"no row is named {', '.join(wanted)}; {nearest(key, self._keys())}")

    def __contains__(self, key: object) -> bool:
        """Whether a row has this name, or is this row."""
        return key in self._keys() or key in self._fields["rows"]

    def _ipython_key_completions_(self) -> list[str | tuple[str, ...]]:
        """The values that name rows."""
        return [key for key, label in zip(self._keys(), self._labels(), strict=True) if label]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self._fields, self._private) == (other._fields, other._private)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        private = "" if self._private else " (NOT PRIVATE)"
        return f"<Table{private} {self.reading!r}: {len(self)} rows, {self.method}>"

    def __str__(self) -> str:
        """The rows with their intervals, as the command and R show them."""
        text = reading_text(json.dumps(self._fields)).rstrip()
        return text if self._private else f"{text}\n{NOT_PRIVATE}"

    def _repr_html_(self) -> str:
        table = reading_html(json.dumps(self._fields))
        private = "" if self._private else f"<div><b>{escaped(NOT_PRIVATE)}</b></div>"
        return f"<div>{escaped(self.reading)} ({self.method})</div>{table}{private}"


def joined_frame(tables: Mapping[str, Table]) -> Any:
    """One ``pandas.DataFrame`` of tables of single columns, by ``column`` and ``value``."""
    pandas = need("pandas", "to_pandas")
    frames = {name: table.to_pandas() for name, table in tables.items()}
    frame = pandas.concat(frames, names=["column", "value"])
    constants = [frame.attrs for frame in frames.values()]
    frame.attrs = {name: value for name, value in constants[0].items() if all(one.get(name) == value for one in constants)}
    return frame


class Contrast:
    """A comparison of two shares, or of two columns: what :meth:`Release.compare` returns. ``print(contrast)`` shows it."""

    __slots__ = ("_fields", "_private")

    def __init__(self, fields: dict[str, Any], /, *, private: bool = True) -> None:
        self._fields = fields
        self._private = private

    @property
    def private(self) -> bool:
        """Whether it may be published as private."""
        return self._private

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
    def level(self) -> float:
        """The level of the interval."""
        return float(self._fields["level"])

    @property
    def interval_kind(self) -> IntervalKind:
        """Which interval is shown: ``confidence``, ``credible`` or ``shortest``."""
        kind: IntervalKind = self._fields["interval_kind"]
        return kind

    def interval(self) -> tuple[float, float]:
        """The interval of the first measure that was asked for. The upper end of a ratio may be infinite."""
        low, high = self._fields["measures"][0]["interval"]
        return -math.inf if low is None else float(low), math.inf if high is None else float(high)

    @property
    def about(self) -> About:
        """What the numbers are about: the ``population`` that the records were drawn from, or the ``records`` themselves."""
        about: About = self._fields["about"]
        return about

    @property
    def probability_larger(self) -> float | None:
        """The probability that the first share is larger than the second; None for independence."""
        larger = self._fields.get("probability_larger")
        return None if larger is None else float(larger)

    @property
    def measures(self) -> dict[str, dict[str, Any]]:
        """All measures by name: ``difference``, ``ratio``, ``odds-ratio``, ``mutual-information``, ``cramers-v``."""
        return copy.deepcopy({measure["measure"]: measure for measure in self._fields["measures"]})

    @property
    def error(self) -> float:
        """The largest standard error of a number, from the draws."""
        return float(self._fields["error"])

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return copy.deepcopy(self._fields)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each measure: ``estimate``, ``low``, ``high``, ``mean`` and ``median``. What is the same for
        all is in ``.attrs``.
        """
        pandas = need("pandas", "to_pandas")
        measures = self._fields["measures"]
        ends = [measure["interval"] for measure in measures]
        columns = {
            "estimate": [measure.get("estimate", math.nan) for measure in measures],
            "low": [-math.inf if low is None else low for low, _ in ends],
            "high": [math.inf if high is None else high for _, high in ends],
            "mean": [measure.get("mean", math.nan) for measure in measures],
            "median": [measure["median"] for measure in measures],
        }
        frame = pandas.DataFrame(columns, index=pandas.Index([one["measure"] for one in measures], name="measure"))
        names = ("comparison", "interval_kind", "level", "about", "probability_larger", "error", "private")
        frame.attrs = {name: getattr(self, name) for name in names}
        return frame

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contrast) and (self._fields, self._private) == (other._fields, other._private)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        (low, high), estimate = self.interval(), self.estimate
        shown = self.median if estimate is None or self.interval_kind != "confidence" else estimate
        private = "" if self._private else " (NOT PRIVATE)"
        return f"<Contrast{private} {self.comparison!r}: {shown:.4f} ({low:.4f} to {high:.4f})>"

    def __str__(self) -> str:
        """Both shares and what comes out, as the command and R show them."""
        text = f"{self.comparison}\n\n{contrast_text(json.dumps(self._fields)).rstrip()}"
        return text if self._private else f"{text}\n{NOT_PRIVATE}"

    def _repr_html_(self) -> str:
        private = "" if self._private else f"<div><b>{escaped(NOT_PRIVATE)}</b></div>"
        return f"<div>{escaped(self.comparison)}</div>{contrast_html(json.dumps(self._fields))}{private}"
