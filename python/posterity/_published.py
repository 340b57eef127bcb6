"""What all that is published has in common, whatever it holds: one way to read it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from . import _posterity
from ._errors import ArgumentError
from ._ledger import Ledger
from ._picture import Picture
from ._posterity import escaped
from ._readings import Contrast, Table, quoted, terms, values
from ._verification import Verification, verified
from ._words import About, IntervalKind, PictureKind, Sheet, Spelling

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    from typing_extensions import Self

AnyInner = TypeVar("AnyInner", bound=_posterity.Published)


class Published(Generic[AnyInner]):
    """A document: what is promised, what it cost, and how to read it.

    Every kind of releases has the same methods. What a kind cannot answer is an :class:`ArgumentError`, which says why, and what to
    use instead. A name that there is not is an :class:`UnknownNameError`, which is a ``KeyError`` too.
    """

    __slots__ = ("_facts", "_inner")
    _inner: AnyInner
    _facts: dict[str, Any] | None
    _of: ClassVar[type[_posterity.Published]]
    """The document in Rust that such an object is made of."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _CLASSES.setdefault(cls._of, cls)

    def __init__(self, inner: AnyInner, /) -> None:
        self._inner = inner
        self._facts = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a document from a file, as :meth:`save` and the command write it. It needs no data.

        Parameters
        ----------
        path : str or os.PathLike
            The file.
        """
        return cls(_posterity.load(path, cls._of.__name__))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a document from its text, as :meth:`to_json` gives it. It needs no data.

        Parameters
        ----------
        text : str
            The text.
        """
        return cls(_posterity.from_json(text, cls._of.__name__))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the document to a file, as the command does. A file that exists is overwritten only with ``force=True``.

        Parameters
        ----------
        path : str or os.PathLike
            The file, such as ``release.json``.
        force : bool
            Overwrite a file that exists.
        """
        _posterity.write_file(path, (self.to_json().rstrip() + "\n").encode(), force)

    def read(
        self,
        reading: str,
        *,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        simultaneous: bool | None = None,
        draws: int | None = None,
        seed: int | None = None,
    ) -> Table:
        """Shares, means or counts with their intervals, from the document alone: it costs no privacy.

        Parameters
        ----------
        reading : str
            Such as ``outcome``, ``outcome, gender | ward``, ``ward in {A, B}`` or ``mean(score) | ward``; where n is private also
            ``count`` and ``count | ward``, the numbers of records. Where missing or other values have a category, shares are among the
            records whose value is known, and ``outcome of all`` gives those among all. Names and values of other characters than letters
            and digits are quoted: ``"blood type"="0, negative"``. Of tables of many columns, all columns of a reading must stand together
            in a released table; discovered categories are read as they are, such as ``count | drug``.
        level : float, optional
            The level of the intervals; that of the document if not given.
        interval_kind : str, optional
            ``confidence`` (holds in at least 95 of 100 releases at level 0.95, whatever the truth is), ``credible`` (given the prior)
            or ``shortest``; that of the document if not given.
        about : str, optional
            ``population`` (sampling error counts too) or ``records`` (a complete register: only the noise counts).
        simultaneous : bool, optional
            Whether all intervals of the reading hold at once.
        draws, seed : int, optional
            How many draws are made where there is no exact method (100,000 if not given), and their seed (1).

        Returns
        -------
        Table

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"A": 30, "B": 20, "C": 50}, epsilon=1, seed=1)
        >>> table = r.read("category in {A, B}")
        >>> len(table.rows), table.method, table.interval_kind
        (1, 'proven', 'confidence')
        """
        ways = (level, interval_kind, about, simultaneous)
        return Table(self._inner.table(reading, ways=ways, draws=draws, seed=seed), private=self.private)

    def __getitem__(self, reading: str) -> Table:
        """A reading as :meth:`read` gives it: ``r["outcome | ward"]``; or the one of a name of ``list(r)``. IPython completes them.

        Raises
        ------
        UnknownNameError
            If there is no such column or value; it is a ``KeyError`` too.
        """
        return self.read(self._reading_of(reading))

    def _reading_of(self, name: str) -> str:
        """The reading that a name stands for: itself, unless it is one of the names of the document."""
        if not isinstance(name, str):
            raise ArgumentError('reading: this is not text; write a reading such as r["outcome | ward"]')
        return name

    def _names(self) -> list[str]:
        """What the document has a number of."""
        return list(self.columns)

    def __iter__(self) -> Iterator[str]:
        """The names of what there are numbers of: ``r[name]`` reads each."""
        return iter(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._names())

    def __bool__(self) -> bool:
        return True

    @property
    def columns(self) -> dict[str, list[str]]:
        """The columns with their values."""
        raise NotImplementedError

    def _ipython_key_completions_(self) -> list[str]:
        """The columns, and each within each other one."""
        names = [name if name.isidentifier() else quoted(name) for name in self.columns]
        return names + [f"{of} | {given}" for of in names for given in names if of != given]

    def marginal(
        self,
        *columns: str,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        simultaneous: bool | None = None,
    ) -> Table:
        """The share of each value of a column, or of each combination of values of several columns.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"A": 30, "B": 20, "C": 50}, epsilon=1, seed=1)
        >>> [row["cell"]["category"] for row in r.marginal("category").rows]
        ['A', 'B', 'C']
        """
        return self.read(terms(columns), level=level, interval_kind=interval_kind, about=about, simultaneous=simultaneous)

    def given(
        self,
        of: str | Sequence[str] | Mapping[str, Any],
        given: str | Sequence[str] | Mapping[str, Any],
        *,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        simultaneous: bool | None = None,
    ) -> Table:
        """Shares within values of other columns.

        Parameters
        ----------
        of : str, sequence of str, or mapping
            The columns whose shares are asked for; as a mapping, only these values: ``{"outcome": "yes"}``.
        given : str, sequence of str, or mapping
            The columns of the condition; as a mapping, only these values: ``{"ward": ["A", "B"]}`` is both wards together.
        level, interval_kind, about, simultaneous
            As in :meth:`read`.
        """
        reading = f"{terms(of)} | {terms(given)}"
        return self.read(reading, level=level, interval_kind=interval_kind, about=about, simultaneous=simultaneous)

    def compare(
        self,
        comparison: str,
        *,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        draws: int | None = None,
        seed: int | None = None,
    ) -> Contrast:
        """Compare two shares, or ask whether two columns are independent. It costs no privacy.

        Parameters
        ----------
        comparison : str
            Such as ``outcome=yes | ward: A - B`` (difference), ``outcome=yes | ward: A / B`` (ratio),
            ``outcome=yes | ward: odds A / B`` or ``independence(outcome, ward)``. Of tables of many columns, only differences, ratios and
            odds ratios of columns that stand together in a released table.
        level, interval_kind, about, draws, seed
            As in :meth:`read`.

        Returns
        -------
        Contrast
        """
        ways = (level, interval_kind, about, None)
        return Contrast(self._inner.contrast(comparison, ways=ways, draws=draws, seed=seed), private=self.private)

    def difference(
        self,
        of: Mapping[str, Any],
        column: str,
        first: Any,
        second: Any,
        *,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
    ) -> Contrast:
        """The share of ``of`` where ``column`` is ``first``, minus that where it is ``second``: with
        ``r.difference({"outcome": "yes"}, "ward", "A", ["B", "C"])``, the share of yes in ward A minus that in B and C together.
        """
        between = f"{values(first)} - {values(second)}"
        comparison = f"{terms(of)} | {quoted(column)}: {between}"
        return self.compare(comparison, level=level, interval_kind=interval_kind, about=about)

    def picture(
        self,
        reading: str | None = None,
        kind: PictureKind | None = None,
        *,
        level: float | None = None,
        interval_kind: IntervalKind | None = None,
        about: About | None = None,
        simultaneous: bool | None = None,
        draws: int | None = None,
        seed: int | None = None,
    ) -> Picture:
        """Draw a reading, as the command does. A notebook shows the picture; ``save(path)`` writes it.

        Parameters
        ----------
        reading : str, optional
            As in :meth:`read`; what is looked at most often if not given: all cells, the first column, or the counts.
        kind : str, optional
            ``heat`` for shaded cells, ``forest`` for intervals in groups, ``mosaic`` for rows as high as their groups. If not
            given, shares of several columns together are ``heat`` and everything else is ``forest``. Only releases of declared
            categories have other pictures than ``forest``.
        level, interval_kind, about, simultaneous, draws, seed
            As in :meth:`read`.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"A": 30, "B": 20, "C": 50}, epsilon=1, seed=1)
        >>> r.picture("category").svg.startswith("<svg")
        True
        """
        ways = (level, interval_kind, about, simultaneous)

        def draw(form: str) -> bytes:
            return bytes(self._inner.picture(reading, kind=kind, format=form, ways=ways, draws=draws, seed=seed))

        return Picture(draw)

    def sample(
        self, size: int, seed: int | None = None, *, reading: str | None = None
    ) -> numpy.typing.NDArray[numpy.float64]:
        """Draws of the shares, given the release. Only releases of declared categories have them: see :meth:`Release.sample`."""
        raise ArgumentError(f"sample: {self._without_draws}")

    _without_draws: ClassVar[str] = "there are no draws of this kind of releases; read its intervals"
    """Why there are no draws, and what to use."""

    def to_pandas(self) -> Any:
        """The numbers as a ``pandas.DataFrame`` with the columns of :meth:`Table.to_pandas`, and the constants in ``.attrs``."""
        raise NotImplementedError

    def to_polars(self) -> Any:
        """The numbers as a ``polars.DataFrame`` with the columns of :meth:`Table.to_polars`."""
        raise NotImplementedError

    def to_arviz(self, reading: str | None = None, *, size: int = 4000, seed: int | None = None) -> Any:
        """Draws as ArviZ inference data. Only releases of declared categories have them: see :meth:`Release.to_arviz`."""
        raise ArgumentError(f"to_arviz: {self._without_draws}")

    def describe(
        self,
        what: Sheet = "sheet",
        *,
        format: Spelling = "markdown",
        ledger: Ledger | str | os.PathLike[str] | None = None,
        name: str = "release.json",
    ) -> str:
        """The release for people who decide, in words. Everything in it is derived again first.

        Parameters
        ----------
        what : str
            ``sheet`` for the page of a committee with the answer, ``label`` for the facts on privacy alone, or ``registry`` for the
            record of a public registry, in YAML.
        format : str
            How a sheet or a label is written: ``markdown``, or ``html`` for a page that stands alone.
        ledger : Ledger or path, optional
            The ledger that paid; then the sheet also shows the account.
        name : str
            What readers call the document.

        Examples
        --------
        >>> import posterity
        >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1)
        >>> r.describe("label").startswith("# ")
        True
        """
        inner = ledger._inner if isinstance(ledger, Ledger) else ledger
        call = {"document": self.to_json(), "name": name, "what": what, "format": format, "ledger": inner}
        return _posterity.describe(call)

    def verify(
        self, *, ledger: Ledger | str | os.PathLike[str] | None = None, key: str | os.PathLike[str] | None = None
    ) -> Verification:
        """Derive the document again, and compare it with what a ledger holds and a key signed: see :func:`verify`."""
        return verified(self.to_json(), ledger=ledger, key=key)

    @property
    def _fields(self) -> dict[str, Any]:
        """What the document says, computed when it is first read."""
        if self._facts is None:
            self._facts = self._inner.facts()
        return self._facts

    @property
    def private(self) -> bool:
        """Whether it may be published as private."""
        return bool(self._fields["private"])

    @property
    def level(self) -> float:
        """The level of the intervals, unless a reading asks for another one."""
        return float(self._fields["level"])

    @property
    def plan(self) -> dict[str, Any] | None:
        """What was asked for, as a plan (`posterity study` carries it out); None for a document that was loaded from a file."""
        plan = self._inner.plan
        return None if plan is None else dict(json.loads(plan))

    @property
    def guarantee(self) -> str:
        """The promise in words, with its assumptions. For a release from a seed it says that nothing is promised."""
        return str(self._fields["guarantee"]["statement"])

    def _charged(self, amount: str) -> str | None:
        """One of the amounts of the charge, exactly; None if nothing was charged."""
        return (self._inner.charged or {}).get(amount)

    @property
    def remaining(self) -> str | None:
        """The epsilon that was left after the charge, exactly; None if nothing was charged."""
        return self._charged("remaining")

    @property
    def recalled(self) -> bool:
        """Whether the ledger already held the answer, so that nothing was charged."""
        return self._inner.recalled

    def __eq__(self, other: object) -> bool:
        """Whether both are the same document. What was paid for it makes no difference."""
        return type(other) is type(self) and isinstance(other, Published) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def to_dict(self) -> dict[str, Any]:
        """The document, with the fields that the command prints."""
        return self._inner.document()

    def to_json(self) -> str:
        """The document as text, as the command prints it."""
        return self._inner.json()

    def _terms(self) -> str:
        """The mechanism and the budget in a line."""
        raise NotImplementedError

    def __str__(self) -> str:
        """What a notebook shows, as text: the numbers with their intervals, and what is promised."""
        private = "Private" if self.private else "NOT PRIVATE"
        return f"{private}: {self._terms()}\n\n{self._inner.shown().rstrip()}\n\n{self.guarantee}"

    def _repr_html_(self) -> str:
        private = "private" if self.private else "<b>NOT PRIVATE</b>"
        return f"<div>{private}: {escaped(self._terms())}</div>{self._inner.html()}<div>{escaped(self.guarantee)}</div>"

    def __reduce__(self) -> tuple[Any, ...]:
        """The document, and what a copy needs besides it, for copies and pickles."""
        return restored, (self._inner.state(), self._inner.plan)


_CLASSES: dict[type[_posterity.Published], type[Published[Any]]] = {}
"""The class of each kind of documents."""


def wrapped(inner: _posterity.Published) -> Published[Any]:
    """The object that users see of a document."""
    return _CLASSES[type(inner)](inner)


def restored(state: str, plan: str | None) -> Published[Any]:
    """What a pickle holds."""
    return wrapped(_posterity.restore(state, plan))


def load(path: str | os.PathLike[str]) -> Published[Any]:
    """Read a document of any kind from a file: a :class:`Release`, :class:`Margins` or :class:`Discovered`.

    Examples
    --------
    >>> import pathlib, posterity, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "release.json"
    >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
    >>> r.save(path)
    >>> posterity.load(path) == r
    True
    >>> folder.cleanup()
    """
    return wrapped(_posterity.load(Path(path)))
