"""Tables of many columns, and the function that releases them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, overload

from . import _posterity
from ._optional import need
from ._parts import ArrowData, Budget, Data, Unit, asked
from ._posterior import Posterior, probability
from ._published import Published
from ._readings import joined_frame
from ._words import About, Adjacency, IntervalKind


class Margins(Published[_posterity.Margins]):
    """Tables of many columns, released together: what :func:`margins` returns.

    Everything in it may be published if ``private`` is true.
    """

    __slots__ = ()
    _of = _posterity.Margins

    @property
    def columns(self) -> dict[str, list[str]]:
        """The columns with their values."""
        return {str(column["name"]): list(column["values"]) for column in self._fields["columns"]}

    @property
    def tables(self) -> dict[int, int]:
        """How many tables there are of each number of columns."""
        return {int(size["columns"]): int(size["tables"]) for size in self._fields["tables"]}

    @property
    def expected_l1(self) -> dict[int, float]:
        """The mean, over the tables of each number of columns, of the expected sum of the errors of their shares. Empty if n is private."""
        sizes = self._fields["tables"]
        return {int(size["columns"]): float(size["expected_l1"]) for size in sizes if "expected_l1" in size}

    def rows(self, number: int | None = None, *, seed: int = 1) -> dict[str, list[str]]:
        """Fit rows to the release, for software that needs rows. They follow from the release alone, so they cost no privacy.

        They are records of nobody. Read numbers from the release: it has intervals. Several sets of rows from one release share its
        noise.

        Parameters
        ----------
        number : int, optional
            How many rows; as many as there are records if not given, with noise if their number is private.
        seed : int
            The seed of the fit, which protects nothing and reveals nothing.

        Returns
        -------
        dict from str to list of str
            The values of each column. If the release is not private, there is one more, ``private``, with ``"false"`` in each row.
            ``pandas.DataFrame``, ``polars.DataFrame`` and ``pyarrow.table`` take it as it is.
        """
        return self._inner.rows(number, seed=seed)

    @property
    def posterior(self) -> Posterior:
        """The posterior of the shares of the first column, with the privacy noise in it: like a frozen distribution of SciPy by value.

        ``posterior.of(reading)`` is that of any reading of shares or means within a table. It is the distribution of which the credible
        intervals are, given the release, each cell of a table being as likely as any other beforehand.

        Examples
        --------
        >>> import posterity
        >>> people = {"ward": ["A", "B"] * 300, "cured": ["yes", "no", "yes"] * 200}
        >>> import pandas
        >>> values = {"ward": ["A", "B"], "cured": ["yes", "no"]}
        >>> schema = {"fields": [{"name": name, "constraints": {"enum": these}} for name, these in values.items()]}
        >>> m = posterity.margins(pandas.DataFrame(people), schema=schema, sets=2, epsilon=1, delta="1e-9", seed=1)
        >>> list(m.posterior), list(m.posterior.of("cured=yes | ward"))
        (['A', 'B'], [('A', 'yes'), ('B', 'yes')])
        >>> low, high = m.posterior["A"].interval(0.95)
        >>> abs(m.posterior["A"].cdf(high) - m.posterior["A"].cdf(low) - 0.95) < 1e-9
        True
        """
        return Posterior(self)

    def probability(self, statement: str, *, draws: int | None = None, seed: int | None = None) -> float:
        """The probability, given the release, that a share or a mean within a table is above or below a number.

        Parameters
        ----------
        statement : str
            A reading of one row, then ``>``, ``>=``, ``<`` or ``<=``, then a number: ``cured=yes | ward=A > 0.5``.
        draws, seed : None
            Draws of tables of many columns are fixed.
        """
        return probability(self, statement, draws=draws, seed=seed)

    _without_draws = "tables of many columns have no draws of all shares together; read intervals, or fit rows with rows(number)"

    def to_pandas(self) -> Any:
        """The shares of the values of each column as a ``pandas.DataFrame`` with the columns of :meth:`Table.to_pandas`, by ``column``
        and ``value``. ``read(..).to_pandas()`` gives those of any reading.
        """
        return joined_frame({name: self.marginal(name) for name in self.columns})

    def to_polars(self) -> Any:
        """The same as a ``polars.DataFrame``, with the columns ``column`` and ``value``."""
        polars = need("polars", "to_polars")
        frames = [
            self.marginal(name).to_polars().select(
                polars.lit(name).alias("column"), polars.col(name).alias("value"), polars.exclude(name)
            )
            for name in self.columns
        ]
        return polars.concat(frames)

    @property
    def n(self) -> int | None:
        """The number of records, or of units if there is a unit; None if it is private."""
        n: int | None = self._fields["n"]
        return n

    @property
    def epsilon(self) -> float:
        """The epsilon of all tables together. A release from a seed promises nothing: see ``private``."""
        return float(self._fields["epsilon"])

    @property
    def delta(self) -> float:
        """The delta of all tables together."""
        return float(self._fields["delta"])

    @property
    def rho(self) -> float:
        """The zero-concentrated privacy of all tables together, from which epsilon and delta follow."""
        return float(self._fields["rho"])

    @property
    def notes(self) -> list[str]:
        """Notes on how to read it."""
        return list(self._fields["notes"])

    @property
    def charged_rho(self) -> str | None:
        """The rho that an account was charged, exactly; None if nothing was charged."""
        return self._charged("rho")

    def _terms(self) -> str:
        """The tables and the budget in a line."""
        tables = ", ".join(f"{number} of {columns} column{'s' * (columns > 1)}" for columns, number in self.tables.items())
        n = "private" if self.n is None else self.n
        return f"tables: {tables}; epsilon {self.epsilon:g}, delta {self.delta:g}, n {n}"

    def __repr__(self) -> str:
        private = "private" if self.private else "NOT PRIVATE"
        return f"<Margins ({private}): {self._terms()}>"


@overload
def margins(
    data: Data | ArrowData | str | os.PathLike[str],
    *,
    epsilon: float | str,
    delta: float | str,
    sets: int | str = ...,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = ...,
    column: str | Sequence[str] | None = ...,
    adjacency: Adjacency = ...,
    unit: Unit | str | None = ...,
    where: str | None = ...,
    other: str | Mapping[str, str] | None = ...,
    missing: str | Mapping[str, str] | None = ...,
    edition: str | None = ...,
    read: str | Sequence[str] | None = ...,
    compare: str | Sequence[str] | None = ...,
    level: float = ...,
    interval_kind: IntervalKind = ...,
    about: About = ...,
    simultaneous: bool = ...,
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
    allow_large_delta: bool = ...,
) -> Margins: ...
@overload
def margins(
    data: Data | ArrowData | str | os.PathLike[str] | None = ...,
    *,
    plan: Mapping[str, Any] | str | os.PathLike[str],
    budget: Budget | None = ...,
    again: bool = ...,
    sign: str | os.PathLike[str] | None = ...,
    seed: int | None = ...,
) -> Margins: ...
def margins(
    data: Data | ArrowData | str | os.PathLike[str] | None = None,
    *,
    epsilon: float | str | None = None,
    delta: float | str | None = None,
    sets: int | str = 2,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    column: str | Sequence[str] | None = None,
    adjacency: Adjacency = "replace",
    unit: Unit | str | None = None,
    where: str | None = None,
    other: str | Mapping[str, str] | None = None,
    missing: str | Mapping[str, str] | None = None,
    edition: str | None = None,
    read: str | Sequence[str] | None = None,
    compare: str | Sequence[str] | None = None,
    level: float = 0.95,
    interval_kind: IntervalKind = "confidence",
    about: About = "population",
    simultaneous: bool = False,
    plan: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    budget: Budget | None = None,
    again: bool = False,
    sign: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    allow_large_delta: bool = False,
) -> Margins:
    """Release all tables of pairs or triples of many columns together, with an interval for every number.

    Parameters
    ----------
    data : Data, table or path
        The path of files, or a table: a pandas or Polars DataFrame or a pyarrow Table. A :class:`Data` also says how they are read,
        and may declare the columns by ``column`` with ``categories`` or ``bins`` in the place of ``schema``. A table in memory has no
        path; a name, ``Data(.., name=..)``, lets a ledger recognise it.
    epsilon, delta : float or str
        The privacy budget of all tables together, such as 1 and ``"1e-9"``. A decimal is exact: 0.1 is one tenth.
    sets : int or str
        2 for all pairs, 3 for all triples, each with all smaller tables; or sets of columns, ``"age,ward; ward,cured"``; or both, with
        weights for what matters, ``"2; age,ward=5"``. Names with blanks or with any of ``,`` ``;`` ``=`` are quoted.
    schema : str, os.PathLike or mapping, optional
        The Table Schema that declares the values of the columns by ``enum``, ``categories``, the type ``boolean``, or for numbers by
        ``bins``, a list of edges: the path of a file, or what ``json.load`` returns.
    column : str or sequence of str, optional
        The columns to take, as in :class:`Data`; all that the schema declares, or those of the named sets, if not given.
    adjacency : str
        ``replace``: n is public. ``add-remove``: whether anyone is in the data at all is protected, and n is private.
    unit : Unit or str, optional
        The column that tells people (or other units) apart: each counts with one record in all tables. A :class:`Unit` also says with
        which one.
    where, other, missing, edition : optional
        As in :class:`Data`.
    read, compare : str or sequence of str, optional
        What the document shows, such as ``outcome | ward``; as in :meth:`Margins.read` and :meth:`Margins.compare`.
    level : float
        The level of the intervals.
    interval_kind, about, simultaneous
        As in :func:`release`: what holds unless a reading says otherwise.
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
    Margins

    Raises
    ------
    PosterityError
        Nothing was released. After a failure of the ledger its history says whether something was charged.

    Warns
    -----
    PosterityWarning
        Before anything is drawn or charged, if the budget is so large that it protects hardly anybody, or if n is public and nearly
        all that some tables would say is noise.

    Examples
    --------
    >>> import posterity, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> people = pathlib.Path(folder.name) / "people.csv"
    >>> rows = "".join(f"{'AB'[i % 2]},{i % 5 > 1},{i % 90}\\n" for i in range(3000))
    >>> _ = people.write_text("ward,cured,age\\n" + rows)
    >>> schema = {"fields": [
    ...     {"name": "ward", "constraints": {"enum": ["A", "B"]}},
    ...     {"name": "cured", "constraints": {"enum": ["True", "False"]}},
    ...     {"name": "age", "bins": [0, 18, 65, 120]},
    ... ]}
    >>> found = posterity.margins(people, schema=schema, sets=2, epsilon=1, delta="1e-9", seed=1)
    >>> found.tables, found.private
    ({1: 3, 2: 3}, False)
    >>> [row["cell"] for row in found.read("cured=True | ward").rows]
    [{'cured': 'True'}, {'cured': 'True'}]
    >>> rows = found.rows(100)
    >>> list(rows), len(rows["age"]), set(rows["ward"]) <= {"A", "B"}
    (['ward', 'cured', 'age', 'private'], 100, True)
    >>> folder.cleanup()
    """
    return Margins(_posterity.margins(asked(locals(), margins)))
