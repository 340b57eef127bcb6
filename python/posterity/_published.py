"""What all that is published has in common, whatever it holds."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from . import _posterity

if TYPE_CHECKING:
    from typing_extensions import Self

AnyInner = TypeVar("AnyInner", bound=_posterity.Published)


class Published(Generic[AnyInner]):
    """A document: what is promised, what it cost, and its text."""

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
        """Read a document from a file, as ``to_json`` and the command write it. It needs no data.

        Parameters
        ----------
        path : str or os.PathLike
            The file.
        """
        return cls(_posterity.load(path, cls._of.__name__))

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
