"""Readings and comparisons of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._optional import need
from ._posterity import escaped, html_table

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
        """``exact``, ``draws``, or ``without-noise`` where the noise of the mechanism is not modelled."""
        return str(self._fields["method"])

    @property
    def error(self) -> float:
        """A bound on the distance from the exact posterior, or the largest standard error where rows were drawn."""
        return float(self._fields["error"])

    @property
    def level(self) -> float:
        """The probability of each interval."""
        return float(self._fields["level"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with ``given``, ``cell``, ``mean`` and ``interval``."""
        return list(self._fields["rows"])

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return self._fields

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with mean, low and high, by the columns of the condition and of the cells.

        Several columns make a ``MultiIndex``.
        """
        pandas = need("pandas", "to_pandas")
        of = [] if self._fields["statistic"] == "mean" else self._fields["of"]
        names = [*self._fields["given"], *(column for column in of if column not in self._fields["given"])]
        labels = [tuple({**row["given"], **row["cell"]}[name] for name in names) for row in self.rows]
        columns = {
            "mean": [row["mean"] for row in self.rows],
            "low": [row["interval"][0] for row in self.rows],
            "high": [row["interval"][1] for row in self.rows],
        }
        if not names:
            return pandas.DataFrame(columns)
        index = (
            pandas.MultiIndex.from_tuples(labels, names=names)
            if len(names) > 1
            else pandas.Index([label[0] for label in labels], name=names[0])
        )
        return pandas.DataFrame(columns, index=index)

    def __repr__(self) -> str:
        return f"<Table {self.reading!r}: {len(self.rows)} rows, {self.method}>"

    def _repr_html_(self) -> str:
        of = [] if self._fields["statistic"] == "mean" else self._fields["of"]
        names = [*self._fields["given"], *of]
        rows = [
            [
                *(str(value) for value in [*row["given"].values(), *row["cell"].values()]),
                f"{row['mean']:.4f}",
                f"{row['interval'][0]:.4f} to {row['interval'][1]:.4f}",
            ]
            for row in self.rows[:200]
        ]
        table = html_table([*names, "mean", f"{100 * self.level:g} % interval"], rows)
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
    def median(self) -> float:
        """The posterior median of the first measure."""
        return float(self._fields["measures"][0]["median"])

    @property
    def interval(self) -> tuple[float, float]:
        """The equal-tailed interval of the first measure."""
        low, high = self._fields["measures"][0]["interval"]
        return float(low), float(high)

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

    def __repr__(self) -> str:
        low, high = self.interval
        return f"<Contrast {self.comparison!r}: {self.median:.4f} ({low:.4f} to {high:.4f})>"
