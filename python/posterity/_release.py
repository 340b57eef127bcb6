"""Releases, and the function that makes them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _posterity
from ._draw import Line, draw
from ._errors import PosterityWarning
from ._optional import matrix, need
from ._parts import Budget, Data, Source, Unit, asked
from ._posterior import Posterior, probability
from ._posterity import Dirichlet, escaped
from ._published import Published
from ._readings import Test, quoted, terms
from ._words import About, Adjacency, Decode, IntervalKind

if TYPE_CHECKING:
    import numpy
    import numpy.typing


class Release(Published[_posterity.Release]):
    """A release: a posterior, what is promised about it, and how to read it.

    It is made by :func:`release`, or read from a file by ``Release.load(path)``. Everything in it may be published if ``private`` is
    true.

    Examples
    --------
    >>> import posterity, tempfile, pathlib
    >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "release.json"
    >>> r.save(path)
    >>> posterity.Release.load(path).mean == r.mean
    True
    >>> folder.cleanup()
    """

    __slots__ = ()
    _of = _posterity.Release

    @property
    def columns(self) -> dict[str, list[str]]:
        """The columns with their values. Counts that belong to no column have one, ``category``."""
        return dict(self._inner.columns)

    def _reading_of(self, name: str) -> str:
        """The reading of a category, or of a column, or of anything that is written as a reading."""
        name = super()._reading_of(name)
        if name in self.columns:
            return quoted(name)
        if name not in self:
            return name
        # A category of several columns is one value of each, in the order of the cells.
        place = self.categories.index(name)
        chosen = []
        for column, values in reversed(list(self.columns.items())):
            place, value = divmod(place, len(values))
            chosen.append(f"{quoted(column)}={quoted(values[value])}")
        # A category of missing or other values has a share among all records only.
        return ", ".join(reversed(chosen)) + ("" if name in self.share else " of all")

    def _names(self) -> list[str]:
        return self.categories

    def to_pandas(self) -> Any:
        """All cells as a ``pandas.DataFrame`` with the columns of :meth:`Table.to_pandas`. Several columns make a ``MultiIndex``."""
        return self.marginal(*self.columns).to_pandas()

    def to_polars(self) -> Any:
        """All cells as a ``polars.DataFrame`` with the columns of :meth:`Table.to_polars`."""
        return self.marginal(*self.columns).to_polars()

    @property
    def posterior(self) -> Posterior:
        """The posterior of each category, with the privacy noise in it: like a frozen distribution of SciPy by category.

        It is the distribution of which the credible intervals are, given the release and the prior. ``posterior.of(reading)`` is that
        of another reading.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
        >>> low, high = r.posterior["yes"].interval(0.95)
        >>> abs(r.posterior["yes"].cdf(high) - r.posterior["yes"].cdf(low) - 0.95) < 1e-9
        True
        >>> r.posterior.of("category in {yes, no}").mean()
        {'{yes, no}': 1.0}
        """
        return Posterior(self)

    def probability(self, statement: str, *, draws: int | None = None, seed: int | None = None) -> float:
        """The probability, given the release and the prior, that a share or a mean is above or below a number.

        The privacy noise is in it where ``noise_aware`` is true, and a warning says so where it is not.

        Parameters
        ----------
        statement : str
            A reading of one row, then ``>``, ``>=``, ``<`` or ``<=``, then a number: ``outcome=yes | ward=A > 0.5``.
        draws, seed : int
            As in :meth:`read`.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 480, "no": 120}, epsilon=1, seed=1)
        >>> r.probability("category=yes > 0.5") > 0.999
        True
        """
        return probability(self, statement, draws=draws, seed=seed)

    @property
    def released_posterior(self) -> Dirichlet:
        """The released Beta or Dirichlet distribution. It leaves the privacy noise out, so its intervals warn: use
        :attr:`posterior`, :meth:`interval` or :meth:`read`, and :attr:`effective` where one distribution is needed.
        """
        return self._inner.released_posterior

    @property
    def effective(self) -> Dirichlet | None:
        """The Beta or Dirichlet distribution to go on with, for example as the prior of another study: it has the means and the
        total variance of the posterior with the privacy noise in it. None where the noise is not modelled (``noise_aware``), or
        n is private.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=0.1, seed=1)
        >>> sum(r.effective.parameters) < 0.7 * sum(r.released_posterior.parameters)  # the noise takes something away
        True
        """
        return self._inner.effective

    @property
    def categories(self) -> list[str]:
        """The names of the categories."""
        return self._inner.categories

    @property
    def drawn(self) -> dict[str, int]:
        """What the mechanism drew for each category: the count with its noise, which may be negative or, where n is public, above
        ``n``.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"A": 0, "B": 0, "C": 9}, epsilon=0.2, seed=1)
        >>> sum(r.drawn.values()) == r.n
        True
        """
        return dict(zip(self.categories, self._inner.drawn, strict=True))

    @property
    def released_counts(self) -> dict[str, int]:
        """The released count of each category, zero or more, and at most ``n`` where n is public. It follows from ``drawn``."""
        return dict(zip(self.categories, self._inner.released_counts, strict=True))

    @property
    def mean(self) -> dict[str, float]:
        """The posterior mean of each category, with the privacy noise taken into account where that is possible.

        Categories of missing and other values are left out: shares are among the records whose value is known.
        """
        return self._of_known(self._inner.mean)

    @property
    def share(self) -> dict[str, float]:
        """The share of each category to show beside its interval: the estimate beside a confidence interval, and the posterior mean
        beside a credible one. Categories of missing and other values are left out: shares are among the records whose value is known.
        """
        return self._of_known(self._inner.share)

    def _of_known(self, numbers: list[float]) -> dict[str, float]:
        """The numbers of the categories that have one."""
        return {name: number for name, number in zip(self.categories, numbers, strict=True) if number == number}

    def test(self, test: str) -> Test:
        """Test what the population is like. It costs no privacy, and everybody who has the release gets the same.

        Parameters
        ----------
        test : str
            ``independence: outcome, ward`` (whether two columns are independent), ``equal: outcome=yes | ward`` (whether a share is
            the same in all wards), ``trend: outcome=yes | age`` (against one that rises or falls with an ordered column) or
            ``share: outcome=yes = 0.8`` (whether a share has a value).

        Returns
        -------
        Test

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 480, "no": 420}, epsilon=1, seed=1)
        >>> r.test("share: category=yes = 0.9").pvalue < 0.01
        True
        """
        return Test(self._inner.test(test))

    def interval(
        self,
        level: float = 0.95,
        *,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        simultaneous: bool | None = None,
    ) -> dict[str, tuple[float, float]]:
        """The interval of each category, but for those of missing and other values.

        Each confidence interval by itself: if the records were drawn and released anew, at least 95 of 100 such intervals would hold
        the true share, whatever it is. The privacy noise is in all intervals where ``noise_aware`` is true.

        Parameters
        ----------
        level : float
            The level of each interval, such as 0.95.
        interval_kind, about, simultaneous
            As in :meth:`read`.

        Returns
        -------
        dict of str to tuple of float

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
        >>> low, high = r.interval(0.9)["yes"]
        >>> 0 < low < r.share["yes"] < high < 1
        True
        """
        found = self._inner.interval((level, interval_kind, about, simultaneous))
        return {name: ends for name, ends in zip(self.categories, found, strict=True) if ends[0] == ends[0]}

    @property
    def noise_aware(self) -> bool:
        """Whether means, intervals and samples take the privacy noise into account."""
        return self._inner.noise_aware

    def sample(
        self, size: int, seed: int | None = None, *, reading: str | None = None
    ) -> numpy.typing.NDArray[numpy.float64]:
        """Draws of the shares of all categories together, or of the rows of a reading, given the release.

        They take the privacy noise into account where ``noise_aware`` is true, and agree with the credible intervals of the reading.
        Draws of all categories are of all records, those of missing and other values among them.

        Parameters
        ----------
        size : int
            How many draws.
        seed : int, optional
            A seed for draws that can be repeated; without it, the system's randomness is used. Neither costs privacy.
        reading : str, optional
            As in :meth:`read`; all categories if not given.

        Returns
        -------
        numpy.ndarray
            Of shape (size, number of categories or rows).

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
        >>> r.sample(1000, seed=2).shape
        (1000, 2)
        """
        if reading is None:
            drawn, width = self._inner.sample(size, seed), len(self.categories)
        else:
            drawn = self._inner.sample_reading(reading, size, seed)
            width = len(drawn) // 8 // size if size > 0 else 1
        draws: numpy.typing.NDArray[numpy.float64] = matrix(drawn, width)
        return draws

    @property
    def mechanism(self) -> str:
        """The mechanism that drew the release."""
        return str(self._fields["mechanism"])

    @property
    def epsilon(self) -> float:
        """The epsilon that is promised; where nothing is promised, the parameter of the mechanism."""
        return float(self._fields["epsilon"])

    @property
    def n(self) -> int | None:
        """The number of records or units; None if it is private. Then ``read("count")`` estimates it, from what is released.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1, adjacency="add-remove")
        >>> r.n is None, r.read("count").rows[0]["estimate"] > 0
        (True, True)
        """
        n = self._fields["n"]
        return None if n is None else int(n)

    @property
    def _n(self) -> str:
        """The number of records as text."""
        return "private" if self.n is None else str(self.n)

    @property
    def prior(self) -> list[float]:
        """The prior's parameters."""
        return list(self._fields["prior"])

    @property
    def expected_distance(self) -> float | None:
        """The expected Hellinger distance between the released and the true posterior, where the decoder computes it: ``best``."""
        distance = self._fields.get("expected_distance")
        return None if distance is None else float(distance)

    @property
    def notes(self) -> list[str]:
        """Notes on how to read the release."""
        return self._inner.notes

    @property
    def charged(self) -> str | None:
        """The epsilon that an account was charged, exactly; None if nothing was charged."""
        return self._charged("epsilon")

    def to_scipy(self) -> Any:
        """The :attr:`effective` distribution as a frozen ``scipy.stats.dirichlet``.

        Where there is none, it is the released posterior, which leaves the privacy noise out, and a warning says so.
        :meth:`sample`, :meth:`interval` and :meth:`read` say more than one distribution can.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"a": 20, "b": 30, "c": 50}, epsilon=1, seed=1)
        >>> bool(abs(r.to_scipy().mean() - r.effective.mean).max() < 1e-12)
        True
        """
        effective = self.effective
        if effective is None:
            warnings.warn(
                "to_scipy leaves the privacy noise out, because it is in no single distribution here; its intervals are too narrow",
                PosterityWarning,
                stacklevel=2,
            )
            effective = self.released_posterior
        return need("scipy.stats", "to_scipy").dirichlet(effective.parameters)

    def to_arviz(self, reading: str | None = None, *, size: int = 4000, seed: int | None = None) -> Any:
        """Draws of ``theta`` as ArviZ inference data, with four chains and one dimension for each column.

        The draws are independent. They are divided into chains because the diagnostics of ArviZ compare chains. They agree with the
        credible intervals of the reading.

        Parameters
        ----------
        reading : str, optional
            As in :meth:`read`; all columns together if not given.
        size : int
            How many draws in all; rounded up to a multiple of four.
        seed : int, optional
            As in :meth:`sample`.
        """
        arviz = need("arviz", "to_arviz")
        numpy = need("numpy", "to_arviz")
        chains = 4
        length = max(1, -(-size // chains))
        table = self.read(terms(list(self.columns)) if reading is None else reading)
        draws = self.sample(chains * length, seed, reading=table.reading).reshape(chains, length, -1)
        labels = table._labels()
        # Labels in the order in which they appear, which is that of the columns.
        coordinates = {name: list(dict.fromkeys(row[name] for row in labels)) for name in table._names()}
        shape = [len(known) for known in coordinates.values()]
        # A combination that the reading excludes is not a number.
        theta = numpy.full((chains, length, *shape), numpy.nan)
        for row, label in enumerate(labels):
            place = (coordinates[name].index(label[name]) for name in coordinates)
            where = (slice(None), slice(None), *place)
            theta[where] = draws[:, :, row]
        dimensions = {"theta": list(coordinates)}
        if int(arviz.__version__.split(".")[0]) >= 1:
            return arviz.from_dict({"posterior": {"theta": theta}}, coords=coordinates, dims=dimensions)
        return arviz.from_dict(posterior={"theta": theta}, coords=coordinates, dims=dimensions)

    def plot(self, ax: Any = None) -> Any:
        """Draw the posterior density of each category with its interval.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes if not given.

        Returns
        -------
        matplotlib.axes.Axes
        """
        level = self._fields["level"]
        intervals, share, lines = self.interval(level), self.share, self._inner.lines()
        # If there are many categories, only the largest have a line.
        largest = set(sorted(share, key=lambda name: -share[name])[: len(lines)])
        shown = [name for name in share if name in largest]
        private = "" if self.private else " (NOT PRIVATE)"
        title = f"{self.mechanism}, epsilon {self.epsilon:g}, n {self._n}{private}\n{self._inner.intervals}"
        return draw([Line(name, *line, intervals[name]) for name, line in zip(shown, lines, strict=True)], title, ax)

    def _terms(self) -> str:
        return f"{self.mechanism}, epsilon {self.epsilon:g}, n {self._n}"

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {value:.4f}" for name, value in list(self.share.items())[:6])
        more = ", ..." if len(self.categories) > 6 else ""
        private = "private" if self.private else "NOT PRIVATE"
        return f"<Release ({private}): {parts}{more}; {self._terms()}>"

    def _repr_html_(self) -> str:
        private = "private" if self.private else "<b>NOT PRIVATE</b>"
        picture = self._inner.svg()
        # The picture keeps its shape and gets the width of a table, whatever its own size is.
        picture = picture[picture.find("<svg") :].replace("<svg ", '<svg style="width:420px;height:auto" ', 1)
        return (
            f"<div>{private}: {escaped(self._terms())}</div>"
            f"{self._inner.html()}{picture}<div>{escaped(self.guarantee)}</div>"
        )


@overload
def release(
    data: Data | Source,
    *,
    epsilon: float | str,
    column: str | Sequence[str] | None = ...,
    categories: Sequence[Any] | None = ...,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = ...,
    unit: Unit | str | None = ...,
    adjacency: Adjacency = ...,
    most: int | None = ...,
    prior: float | Sequence[float] | None = ...,
    prior_outside: float | None = ...,
    mechanism: str | None = ...,
    decode: Decode | None = ...,
    rate: str | None = ...,
    read: str | Sequence[str] | None = ...,
    compare: str | Sequence[str] | None = ...,
    test: str | Sequence[str] | None = ...,
    level: float = ...,
    interval_kind: IntervalKind = ...,
    about: About | None = ...,
    simultaneous: bool = ...,
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
    not_private: bool = ...,
    certificate: str | os.PathLike[str] | None = ...,
) -> Release: ...
@overload
def release(
    data: Data | Source | None = ...,
    *,
    plan: Mapping[str, Any] | str | os.PathLike[str],
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
    not_private: bool = ...,
    certificate: str | os.PathLike[str] | None = ...,
) -> Release: ...
def release(
    data: Data | Source | None = None,
    *,
    epsilon: float | str | None = None,
    column: str | Sequence[str] | None = None,
    categories: Sequence[Any] | None = None,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    unit: Unit | str | None = None,
    adjacency: Adjacency = "replace",
    most: int | None = None,
    prior: float | Sequence[float] | None = None,
    prior_outside: float | None = None,
    mechanism: str | None = None,
    decode: Decode | None = None,
    rate: str | None = None,
    read: str | Sequence[str] | None = None,
    compare: str | Sequence[str] | None = None,
    test: str | Sequence[str] | None = None,
    level: float = 0.95,
    interval_kind: IntervalKind = "confidence",
    about: About | None = None,
    simultaneous: bool = False,
    plan: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    budget: Budget | None = None,
    again: bool = False,
    sign: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    not_private: bool = False,
    certificate: str | os.PathLike[str] | None = None,
) -> Release:
    """Draw one private release.

    Parameters
    ----------
    data : Data, mapping, sequence, array, table or path
        What is counted. A :class:`Data` also says how, with filters, bins and rules for missing labels. Without one: a mapping of
        counts, labels, a table, or the path of files.
    epsilon : float or str
        The privacy budget: smaller is more private. A decimal is exact: 0.1 is one tenth.
    column, categories, schema : optional
        The column of a table or file, and the possible labels, as in :class:`Data`.
    unit : Unit or str, optional
        For a path or a table: protect all records of one value of this column together, such as a person. A :class:`Unit` also says
        by which of its records it counts.
    adjacency : str
        What is protected. ``replace``: what any one record says; n, the number of records, is public. ``add-remove``: also whether
        anyone is in the data at all; n is private. Then nothing that is returned or raised depends on n or on one record: labels that
        are not declared and missing ones are left out, a value that cannot be read is left out too, and no data is released like any
        other. :func:`check` tells you what would be left out.
    most : int, optional
        With ``add-remove``: the most records that readings assume, which is published; 10 000 000 000 if not given.
    prior : float or sequence of float, optional
        Dirichlet parameters of the public prior: one number for all categories, or one for each; 1 if not given. With ``add-remove``
        they must sum to 1, and are equal if not given.
    prior_outside : float, optional
        With ``within``: the parameter of the category ``outside``, which says how many are expected outside.
    mechanism : str, optional
        ``lattice`` if not given, and ``geometric`` with ``add-remove``. The text of a mechanism, such as ``"ehds(gamma=0.5)"`` or ``"tight(ehds)"``, or one of :mod:`posterity.mechanisms`, such as
        ``mechanisms.ehds(gamma=0.5)``.
    decode : str, optional
        How noisy counts become a posterior: ``none``, ``projection``, ``mean``, ``moments`` or ``best``. If not given, ``projection``
        with ``lattice``, and ``none`` with the others.
    rate : str, optional
        For a path or a table: ask for this share within groups, such as ``cured=yes | ward, age``. Its columns are counted together,
        and it is read; so ``column`` is not needed where a ``schema`` declares them.
    read, compare : str or sequence of str, optional
        What the document shows, such as ``cured | ward``, and what it compares, as in :meth:`Release.read` and
        :meth:`Release.compare`; if not given, all cells, and each column by itself.
    test : str or sequence of str, optional
        What the document tests, such as ``independence: cured, ward``, as in :meth:`Release.test`.
    level : float
        The level of the intervals.
    interval_kind : str
        Which intervals are shown: ``confidence`` (holds in at least 95 of 100 releases at level 0.95, whatever the truth is),
        ``credible`` (given the prior) or ``shortest``.
    about : str, optional
        What they are about: ``population`` (sampling error counts too) or ``records`` (a complete register: only the noise counts). If
        not given, ``population``, but ``records`` where several records of a unit count.
    simultaneous : bool
        Whether all intervals of a reading hold at once.
    plan : mapping, str or path, optional
        A plan that asks one such question, in the place of all arguments that say what is asked: a ``dict``, the text of one in TOML or
        JSON, or the path of a file. Its source starts from the folder of the file; ``data`` says where the records are instead.
    budget : Budget, optional
        The account that pays.
    again : bool
        Draw and charge again even if the ledger holds the answer to the same question.
    sign : path, optional
        The secret key that signs the document (``posterity budget keygen`` makes one). Only what an account pays for is signed.
    seed : int, optional
        Draw from this seed instead of the system's randomness: repeatable, and therefore not private.
    not_private : bool
        Release even though the mechanism promises nothing (ehdl, mh).
    certificate : path, optional
        A certificate that :func:`audit` wrote. The audit is repeated, and its loss is promised if the mechanism has no proof.

    Returns
    -------
    Release

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
    >>> import posterity
    >>> r = posterity.release({"cured": 48, "not": 42}, epsilon=1)
    >>> r.private
    True
    >>> labels = ["yes"] * 48 + ["no"] * 42
    >>> r = posterity.release(labels, categories=["yes", "no"], epsilon=1, seed=1)
    >>> r.private, r.n
    (False, 90)
    >>> r = posterity.release({"a": 3, "b": 4}, epsilon=1, mechanism=posterity.mechanisms.ehds(gamma=0.5))
    >>> r.mechanism
    'ehds(gamma=0.5)'
    >>> posterity.release(labels + [None], categories=["yes", "no"], epsilon=1, adjacency="add-remove").n is None
    True
    """
    return Release(_posterity.release(asked(locals(), release)))
