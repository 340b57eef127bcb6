"""Advice, comparisons, inspections and audits, to choose a mechanism and a budget."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from . import _posterity
from ._errors import ArgumentError, PosterityWarning
from ._optional import to_pandas, to_polars
from ._posterity import html_table
from ._release import Release
from ._words import Adjacency, Decode, Distance, Ranking


class _Table:
    """A document that holds a table."""

    __slots__ = ("_document", "_text")
    _document: dict[str, Any]
    _text: str

    def __init__(self, document: tuple[str, dict[str, Any]], /) -> None:
        self._text, self._document = document

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        return list(copy.deepcopy(self._document["rows"]))

    def to_dict(self) -> dict[str, Any]:
        """The document as a dict, with the fields that the command prints."""
        return dict(copy.deepcopy(self._document))

    def to_json(self) -> str:
        """The document as text, as the command prints it."""
        return self._text

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, _Table) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        return to_pandas(self.rows)

    def to_polars(self) -> Any:
        """The rows as a Polars DataFrame."""
        return to_polars(self.rows)

    def _repr_html_(self) -> str:
        rows = self.rows[:40]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return html_table(names, [[_cell(row.get(name)) for name in names] for row in rows])


_NOT_PRIVATE = "<p><b>NOT PRIVATE</b>: computed from the data without protection.</p>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Comparison(_Table):
    """Mechanisms side by side, the best first. Not private: it depends on the true counts."""

    __slots__ = ()

    @property
    def private(self) -> bool:
        """Whether it may be published as private: it never may, because it is computed from the data without protection."""
        return bool(self._document["private"])

    @property
    def best(self) -> dict[str, Any]:
        """The first row: that with the least expected distance, or with the narrowest interval if ranked by width."""
        return self.rows[0]

    @property
    def limit(self) -> float | None:
        """The least mean distance that any private mechanism can have over data that follow the prior; None unless asked for."""
        limit = self._document.get("limit")
        return None if limit is None else float(limit)

    def __repr__(self) -> str:
        what = "narrowest" if self._document["ranking"] == "width" else "nearest"
        best = f"{self.best['specification']} is {what}, {self.best['width' if what == 'narrowest' else 'expected_distance']:.4f}"
        return f"<Comparison (NOT PRIVATE) of {len(self.rows)}: {best}>"

    def _repr_html_(self) -> str:
        return _NOT_PRIVATE + super()._repr_html_()


class Advice(_Table):
    """Which mechanism to use. It does not depend on any data."""

    __slots__ = ()

    @property
    def mechanism(self) -> str:
        """The mechanism to use."""
        return str(self._document["mechanism"])

    @property
    def decoder(self) -> str:
        """The decoder to use with it."""
        return str(self._document["decoder"])

    @property
    def calibration(self) -> str:
        """How its scale is set: ``proven``, by the proof, or ``tight``, by an exact audit."""
        return str(self._document["calibration"])

    @property
    def reason(self) -> str:
        """Why this mechanism is advised."""
        return str(self._document["reason"])

    @property
    def expected_distance(self) -> float:
        """The expected Hellinger distance between the released and the true posterior."""
        return float(self.rows[0]["expected_distance"])

    @property
    def half_width(self) -> float | None:
        """The expected half-width of the widest confidence interval of a share, with the default mechanism; None for more than
        5,000 categories."""
        widths = self._document.get("half_widths")
        return None if widths is None else max(float(one["private"]) for one in widths["categories"])

    def __repr__(self) -> str:
        return f"<Advice: {self.mechanism}. {self.reason}>"


class LeastEpsilon(_Table):
    """The least epsilon for an error that one can bear, or why there is none. It does not depend on any data."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The other mechanisms at the least epsilon of ``lattice``."""
        return list(copy.deepcopy(self._document["others"]))

    @property
    def epsilon(self) -> float | None:
        """The least epsilon, of three significant digits; None if no epsilon is enough, or if no release is needed."""
        epsilon = self._document["epsilon"]
        return None if epsilon is None else float(epsilon)

    @property
    def mechanism(self) -> str | None:
        """The mechanism to use; None if there is no epsilon."""
        mechanism = self._document["mechanism"]
        return None if mechanism is None else str(mechanism)

    @property
    def expected(self) -> float | None:
        """The expected error at the least epsilon."""
        expected = self._document["expected"]
        return None if expected is None else float(expected)

    @property
    def without_privacy(self) -> float:
        """The expected error without any noise."""
        return float(self._document["without_privacy"])

    @property
    def records(self) -> dict[str, int | None] | None:
        """How many records it would take, without privacy and at epsilon 1; None if there is an epsilon."""
        records = self._document.get("records")
        return None if records is None else dict(copy.deepcopy(records))

    @property
    def reason(self) -> str:
        """Why, in words."""
        return str(self._document["reason"])

    def __repr__(self) -> str:
        return f"<LeastEpsilon: {self.epsilon}. {self.reason}>"


class _Designs(_Table):
    """A document that holds ways to release a table."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The expected half-width of each reading, by designs: the recommended one first."""
        names = ("reading", "rows", "half_width", "widest", "standard_error", "without_privacy")
        return [
            {"design": design["name"], "division": design["division"], **{name: one[name] for name in names}}
            for design in self._document["designs"]
            for one in design["readings"]
        ]

    @property
    def designs(self) -> list[dict[str, Any]]:
        """The ways to release the table with their releases and readings, the recommended one first."""
        return list(copy.deepcopy(self._document["designs"]))

    @property
    def releases(self) -> list[dict[str, Any]]:
        """The releases of the recommended design: columns, cells and epsilon of each."""
        designs = self._document["designs"]
        return list(copy.deepcopy(designs[0]["releases"])) if designs else []

    @property
    def recommendation(self) -> str:
        """What to do, in words."""
        return str(self._document["recommendation"])

    @property
    def reason(self) -> str:
        """Why, in words."""
        return str(self._document["reason"])


class TableAdvice(_Designs):
    """Which releases to make of a table at a budget. It does not depend on any data."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<TableAdvice: {self.recommendation} {self.reason}>"


class LeastTableEpsilon(_Designs):
    """The least epsilon for the intervals of a table, or why there is none. It does not depend on any data."""

    __slots__ = ()

    @property
    def epsilon(self) -> float | None:
        """The least epsilon of all releases together, of three significant digits; None if no epsilon is enough, or if no release is
        needed."""
        epsilon = self._document["epsilon"]
        return None if epsilon is None else float(epsilon)

    @property
    def without_privacy(self) -> float:
        """The half-width of the widest rows without any noise."""
        return float(self._document["without_privacy"])

    def __repr__(self) -> str:
        return f"<LeastTableEpsilon: {self.recommendation} {self.reason}>"


class MarginsAdvice(_Table):
    """What a release of many tables will be like, beside smaller and larger ones. It does not depend on any data."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The noise, the L1 error and the expected half-widths of the tables of each number of columns, by plans: the one that was
        asked for first. ``half_width`` is that of the table in the middle, and ``widest`` that of the one with the most noise."""
        sizes = ("columns", "tables", "deviation", "largest_deviation", "expected_l1")
        return [
            {"margins": plan["margins"], **{name: level[name] for name in sizes}, **width}
            for plan in self._document["plans"]
            for level in plan["levels"]
            for width in level["half_widths"]
        ]

    @property
    def rho(self) -> float:
        """What all tables together cost, as zero-concentrated differential privacy."""
        return float(self._document["rho"])

    @property
    def plans(self) -> list[dict[str, Any]]:
        """The tables that were asked for, then those of up to one, two and three columns: price, levels, and how near the best."""
        return list(copy.deepcopy(self._document["plans"]))

    @property
    def reasons(self) -> list[str]:
        """What the other plans cost beside the first, in words."""
        return [str(reason) for reason in self._document["reasons"]]

    @property
    def left_out(self) -> list[str]:
        """Plans that are not shown, and why."""
        return [str(reason) for reason in self._document.get("left_out", [])]

    def __repr__(self) -> str:
        level = self._document["plans"][0]["levels"][-1]
        said = f"noise {level['deviation']:.4g} in a table of {level['columns']} columns"
        return f"<MarginsAdvice: margins {self._document['plans'][0]['margins']!r}, rho {self.rho:.4g}, {said}>"


class Inspection(_Table):
    """Sensitivities and the probability of every outcome of one mechanism at one data set. Not private: it shows the data."""

    __slots__ = ()

    @property
    def private(self) -> bool:
        """Whether it may be published as private: it never may, because it shows the data."""
        return bool(self._document["private"])

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Every outcome with its counts, probability and distance."""
        return list(copy.deepcopy(self._document["outcomes"]))

    @property
    def sensitivity(self) -> dict[str, float]:
        """The global, local and smooth sensitivity."""
        return dict(copy.deepcopy(self._document["sensitivity"]))

    @property
    def expected_distance(self) -> float:
        """The expected distance between the released and the true posterior."""
        return float(self._document["expected_distance"])

    @property
    def probability_exact(self) -> float:
        """The probability that the true counts are released."""
        return float(self._document["probability_exact"])

    def __repr__(self) -> str:
        mechanism, outcomes = self._document["mechanism"], len(self._document["outcomes"])
        distance = f"expected distance {self.expected_distance:.4f}"
        return f"<Inspection (NOT PRIVATE) of {mechanism}: {outcomes} outcomes, {distance}>"

    def _repr_html_(self) -> str:
        return _NOT_PRIVATE + super()._repr_html_()


class Audit(_Table):
    """The exact privacy loss over all data sets of a size, or at one data set."""

    __slots__ = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The privacy profile: upper bounds on delta at the epsilons asked for."""
        return list(copy.deepcopy(self._document["profile"]))

    @property
    def loss(self) -> float:
        """An upper bound on the privacy loss."""
        return float(self._document["loss"])

    @property
    def holds(self) -> bool:
        """Whether the loss is at most what is promised, at the data sets that were compared."""
        return bool(self._document["holds"])

    @property
    def witness(self) -> dict[str, list[int]]:
        """Where the loss is largest: two adjacent data sets and an outcome."""
        return dict(copy.deepcopy(self._document["witness"]))

    def __repr__(self) -> str:
        says = "within" if self.holds else "NOT within"
        return f"<Audit of {self._document['mechanism']}: loss {self.loss:.6f}, {says} epsilon {self._document['claimed']:g}>"


def compare_mechanisms(
    counts: Mapping[Any, int] | Sequence[int],
    *,
    epsilon: float | str,
    adjacency: Adjacency = "replace",
    prior: float | Sequence[float] | None = None,
    mechanisms: str | Sequence[str] | None = None,
    decode: Decode | Sequence[Decode] | None = None,
    limit: bool = False,
    distance: Distance = "hellinger",
    by: Ranking = "distance",
    runs: int | None = None,
    seed: int = 1,
    max_outcomes: int = 4_000_000,
) -> Comparison:
    """Compare mechanisms at one data set. Not private.

    Parameters
    ----------
    counts : mapping or sequence of int
        How many records fall into each category.
    epsilon : float or str
        The privacy budget.
    adjacency : str
        ``replace`` if n is public, ``add-remove`` if it is private, as in :func:`release`.
    prior : float or sequence of float, optional
        The public prior, as in :func:`release`.
    mechanisms : str or sequence of str, optional
        Which mechanisms, as in :func:`release`; all if not given.
    decode : str or sequence of str, optional
        Decoders: each mechanism whose noise is known is shown with each of them.
    limit : bool
        Also show the mean distance over all data under the prior, and its ratio to the least that any private mechanism can
        have; for small n only.
    distance : str
        ``hellinger``, ``l1``, ``kl`` or ``tv``.
    by : str
        What to rank by: ``distance`` (the least expected distance first) or ``width`` (the narrowest interval of a share
        first). The field ``width`` of a row is the expected width of the 95 % interval of a share, of the category whose
        interval is widest: 1 says nothing. A row has none where no interval has the noise in it, or where it would take
        too long.
    runs : int, optional
        Simulate this many releases instead of listing all outcomes.
    seed : int
        Seed of the simulation.
    max_outcomes : int
        List at most this many outcomes; a mechanism with more is left out, with a warning.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import posterity
    >>> c = posterity.compare_mechanisms([50, 50], epsilon=1, mechanisms=["geometric", "ehds(gamma=0.5)"])
    >>> c.best["mechanism"]
    'geometric'
    """
    document, left_out = _posterity.compare_mechanisms(locals())
    for text in left_out:
        warnings.warn(text, PosterityWarning, stacklevel=2)
    return Comparison(document)


def inspect(
    counts: Mapping[Any, int] | Sequence[int],
    *,
    epsilon: float | str,
    adjacency: Adjacency = "replace",
    prior: float | Sequence[float] | None = None,
    mechanism: str | None = None,
    decode: Decode | None = None,
    max_outcomes: int = 4_000_000,
) -> Inspection:
    """Show the sensitivities and the probability of every outcome of one mechanism at one data set. Not private.

    Parameters
    ----------
    counts : mapping or sequence of int
        How many records fall into each category.
    epsilon, adjacency, prior, mechanism, decode
        As in :func:`release`.
    max_outcomes : int
        List at most this many outcomes; refuse if there are more.

    Returns
    -------
    Inspection

    Examples
    --------
    >>> import posterity
    >>> i = posterity.inspect([4, 4], epsilon=1, mechanism="ehds")
    >>> len(i.rows), round(sum(row["probability"] for row in i.rows), 12)
    (9, 1.0)
    """
    return Inspection(_posterity.inspect(locals()))


def audit(
    *,
    n: int | None = None,
    epsilon: float | str,
    adjacency: Adjacency = "replace",
    prior: float | Sequence[float] | None = None,
    k: int | None = None,
    counts: Mapping[Any, int] | Sequence[int] | None = None,
    mechanism: str | None = None,
    profile: Sequence[float] | None = None,
    certificate: str | os.PathLike[str] | None = None,
    max_probabilities: float = 2e10,
    force: bool = False,
) -> Audit:
    """Find the exact privacy loss of a mechanism over all data sets of size n. Reads no data.

    Unlike the command, this function does not fail if the loss exceeds epsilon: see ``holds``.

    Parameters
    ----------
    n : int
        The number of records; required unless counts are given.
    epsilon : float or str
        The privacy budget.
    adjacency : str
        Which data sets are compared: with ``replace`` those of n records that differ in one; with ``add-remove`` those of at most n
        records of which one has a record more.
    prior : float or sequence of float, optional
        The public prior, as in :func:`release`.
    k : int, optional
        The number of categories; not needed where the prior has one number for each.
    counts : mapping or sequence of int, optional
        Instead of n and k: compare only this data set with its neighbours. This promises nothing, and the result shows the
        counts.
    mechanism : str, optional
        As in :func:`release`.
    profile : sequence of float, optional
        Also give an upper bound on delta at each of these epsilons.
    certificate : path, optional
        Write the result as a certificate, which :func:`release` checks and cites.
    max_probabilities : float
        Refuse to compute more probabilities than this.
    force : bool
        Overwrite a certificate that exists.

    Returns
    -------
    Audit

    Examples
    --------
    >>> import posterity
    >>> posterity.audit(n=20, k=2, epsilon=1, mechanism="ehds").holds
    True
    >>> round(posterity.audit(counts=[50, 50], epsilon=1, mechanism="ehds").loss, 3)
    0.25
    >>> posterity.audit(n=9, k=2, epsilon=1, adjacency="add-remove").holds
    True
    """
    return Audit(_posterity.audit(locals()))


_Numbers = Sequence[float] | None
_Columns = str | Sequence[int] | Mapping[str, int]
_Names = str | Sequence[str] | None


@overload
def advise(
    *,
    n: int,
    epsilon: float | str,
    adjacency: Literal["replace"] = ...,
    prior: float | _Numbers = ...,
    k: int | None = ...,
    shape: _Numbers = ...,
    mechanisms: _Names = ...,
) -> Advice: ...
@overload
def advise(
    *,
    n: int,
    half_width: float,
    adjacency: Literal["replace"] = ...,
    prior: float | _Numbers = ...,
    k: int | None = ...,
    shape: _Numbers = ...,
    level: float = ...,
) -> LeastEpsilon: ...
@overload
def advise(
    *,
    n: int,
    distance: float,
    adjacency: Literal["replace"] = ...,
    prior: float | _Numbers = ...,
    k: int | None = ...,
    shape: _Numbers = ...,
) -> LeastEpsilon: ...
@overload
def advise(
    *,
    n: int,
    adjacency: Literal["add-remove"],
    epsilon: float | str,
    k: int,
    read: _Names = ...,
    shape: _Numbers = ...,
    level: float = ...,
) -> TableAdvice: ...
@overload
def advise(
    *,
    n: int,
    adjacency: Literal["add-remove"],
    half_width: float,
    k: int,
    read: _Names = ...,
    shape: _Numbers = ...,
    level: float = ...,
) -> LeastTableEpsilon: ...
@overload
def advise(
    *,
    n: int,
    columns: _Columns,
    epsilon: float | str,
    adjacency: Adjacency = ...,
    read: _Names = ...,
    shape: Mapping[str, Sequence[float]] | None = ...,
    shape_from: Release | str | os.PathLike[str] | None = ...,
    level: float = ...,
) -> TableAdvice: ...
@overload
def advise(
    *,
    n: int,
    columns: _Columns,
    half_width: float,
    adjacency: Adjacency = ...,
    read: _Names = ...,
    shape: Mapping[str, Sequence[float]] | None = ...,
    shape_from: Release | str | os.PathLike[str] | None = ...,
    level: float = ...,
) -> LeastTableEpsilon: ...
@overload
def advise(
    *,
    n: int,
    sets: int | str,
    epsilon: float | str,
    delta: float | str,
    schema: str | os.PathLike[str] | Mapping[str, Any],
    allow_large_delta: bool = ...,
    adjacency: Adjacency = ...,
    level: float = ...,
) -> MarginsAdvice: ...
@overload
def advise(
    *,
    n: int,
    sets: int | str,
    epsilon: float | str,
    delta: float | str,
    columns: _Columns,
    allow_large_delta: bool = ...,
    adjacency: Adjacency = ...,
    level: float = ...,
) -> MarginsAdvice: ...
def advise(
    *,
    n: int,
    epsilon: float | str | None = None,
    delta: float | str | None = None,
    adjacency: Adjacency = "replace",
    prior: float | _Numbers = None,
    k: int | None = None,
    shape: _Numbers | Mapping[str, Sequence[float]] = None,
    shape_from: Release | str | os.PathLike[str] | None = None,
    half_width: float | None = None,
    distance: float | None = None,
    level: float = 0.95,
    mechanisms: _Names = None,
    columns: _Columns | None = None,
    read: _Names = None,
    sets: int | str | None = None,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    allow_large_delta: bool = False,
) -> Advice | LeastEpsilon | TableAdvice | LeastTableEpsilon | MarginsAdvice:
    """Say which mechanism to use for a budget, or which budget is enough for an error that you can bear. Reads no data.

    Give one of `epsilon`, `half_width` and `distance`. With `columns` the advice is on a table: one joint release or several, how to
    divide epsilon, and how wide the intervals of each reading will be. With `sets` it is on all pairs or triples of many columns:
    how much noise they will have, how wide their intervals will be, and what more or fewer tables would cost.

    Parameters
    ----------
    n : int
        The number of records; where it is private, a guess of it from public sources.
    epsilon : float or str, optional
        The privacy budget: ranks the mechanisms at it.
    delta : float or str, optional
        With `sets`: the delta of the budget, such as ``"1e-9"``.
    allow_large_delta : bool
        With `sets`: state that a delta above 0.001 is meant.
    adjacency : str
        What will be protected, as in :func:`release`. With ``add-remove`` there is one mechanism and nothing to rank, so the advice is
        always that for a table; without `columns` it is one of `k` values, called ``category``.
    prior : float or sequence of float, optional
        The public prior: one number for all categories, or one for each; 1 if not given.
    k : int, optional
        The number of categories; not needed where the prior has one number for each.
    shape : sequence of float, or mapping from str to sequence of float, optional
        Expected proportions of the categories, on any scale; equal ones if not given. With `columns` those of the values of columns: ``{"ward": [50, 24, 26]}``; equal for all others. Take
        them from public sources: sizes counted in the data would be published through the choice of epsilon.
    shape_from : Release or path, optional
        With `columns`: an earlier private release, or the path of its document, whose shares are taken for the columns that have no
        `shape`.
    half_width : float, optional
        Finds the least epsilon for intervals that reach at most so far to each side: 0.03 is 3 percentage points.
    distance : float, optional
        Finds the least epsilon for an expected Hellinger distance of the released from the true posterior.
    level : float, default 0.95
        The probability of the intervals.
    mechanisms : str or sequence of str, optional
        Which mechanisms to rank, with `epsilon`, as in :func:`release`; all that are private if not given.
    columns : str, sequence of int, or mapping from str to int, optional
        The number of values of each column of a table: ``"2,2,6"``, ``[2, 2, 6]`` (called a, b, c) or ``{"ward": 3, "cured": 2}``.
    read : str or sequence of str, optional
        What will be read of the table, such as ``"cured | ward"``; the shares of each column if not given.
    sets : int or str, optional
        Which tables of many columns, as in :func:`margins`: 2 for all pairs, 3 for all triples, or sets of columns. It needs `epsilon`,
        `delta`, and either `schema` or `columns`.
    schema : path or mapping, optional
        With `sets`: the Table Schema that declares the columns, as in :func:`margins`.

    Returns
    -------
    Advice, LeastEpsilon, TableAdvice, LeastTableEpsilon or MarginsAdvice

    Examples
    --------
    >>> import posterity
    >>> posterity.advise(n=90, k=3, epsilon=1).mechanism
    'lattice'
    >>> posterity.advise(n=90, k=2, half_width=0.12).epsilon
    0.573
    >>> posterity.advise(columns={"ward": 3, "cured": 2}, read="cured | ward", n=900, epsilon=1).recommendation
    'Make one joint release of ward, cured.'
    >>> posterity.advise(columns={"ward": 3, "cured": 2}, read="cured | ward", n=900, epsilon=1, adjacency="add-remove").recommendation
    'Make one joint release of ward, cured.'
    >>> posterity.advise(columns="2,3,4", n=9000, sets=2, epsilon=1, delta="1e-9").reasons[0]
    'With --sets 1, the noise of single columns is 0.87 times as large.'
    """
    given = locals()
    if sets is not None:
        return MarginsAdvice(_posterity.advise_margins(_of_margins(given)))
    for name in ("delta", "schema"):
        if given[name] is not None:
            raise ArgumentError(f"{name}: this is for tables of many columns; give sets")
    if columns is None and adjacency == "add-remove":
        for name in ("prior", "distance", "mechanisms"):
            if given[name] is not None:
                raise ArgumentError(f'{name}: this is for a public n; with adjacency="add-remove", leave it out')
        if k is None:
            raise ArgumentError("k: give the number of categories, or columns")
        if shape is not None and not isinstance(shape, Mapping):
            given["shape"] = {"category": shape}
        given["columns"], given["k"] = {"category": k}, None
        columns = given["columns"]
    if columns is not None:
        for name in ("k", "prior", "distance", "mechanisms"):
            if given[name] is not None:
                raise ArgumentError(f"{name}: this cannot be used with columns; leave one out")
        if isinstance(shape_from, Release):
            given["shape_from"] = shape_from._inner
        if (epsilon is None) == (half_width is None):
            raise ArgumentError("epsilon: give either a budget or half_width")
        if half_width is not None:
            return LeastTableEpsilon(_posterity.least_table_epsilon(given))
        return TableAdvice(_posterity.advise_table(given))
    for name in ("read", "shape_from"):
        if given[name] is not None:
            raise ArgumentError(f"{name}: this is for tables; give columns")
    if epsilon is None and mechanisms is not None:
        raise ArgumentError("mechanisms: this is for a ranking at an epsilon; leave it out")
    if epsilon is None:
        return LeastEpsilon(_posterity.least_epsilon(given))
    if half_width is not None or distance is not None:
        raise ArgumentError("epsilon: this cannot be used with half_width or distance; leave one out")
    return Advice(_posterity.advise(given))


def _of_margins(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, if all of them are for tables of many columns."""
    for name in ("k", "prior", "shape", "shape_from", "mechanisms", "read"):
        if given[name] is not None:
            raise ArgumentError(f"{name}: this does not go with sets; leave it out")
    for name in ("half_width", "distance"):
        if given[name] is not None:
            raise ArgumentError(f"{name}: tables of many columns are planned for a budget; give epsilon instead")
    for name in ("epsilon", "delta"):
        if given[name] is None:
            raise ArgumentError(f"{name}: give the budget of all tables")
    if (given["schema"] is None) == (given["columns"] is None):
        raise ArgumentError("schema: give either the schema that declares the columns, or columns")
    return given
