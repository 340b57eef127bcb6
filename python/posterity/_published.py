"""What all that is published has in common, whatever it holds."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar


class Inner(Protocol):
    """A document with its payment, in Rust."""

    def facts(self) -> dict[str, Any]: ...
    def document(self) -> dict[str, Any]: ...
    def json(self) -> str: ...
    @property
    def charged(self) -> tuple[str, ...] | None: ...
    @property
    def recalled(self) -> bool: ...


AnyInner = TypeVar("AnyInner", bound=Inner)


class Published(Generic[AnyInner]):
    """A document: what is promised, what it cost, and its text."""

    __slots__ = ("_facts", "_inner")
    _inner: AnyInner
    _facts: dict[str, Any] | None

    def __init__(self, inner: AnyInner, /) -> None:
        self._inner = inner
        self._facts = None

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
    def guarantee(self) -> str:
        """The promise in words, with its assumptions. For a release from a seed it says that nothing is promised."""
        return str(self._fields["guarantee"]["statement"])

    @property
    def remaining(self) -> str | None:
        """The epsilon that was left after the charge, exactly; None if nothing was charged."""
        charged = self._inner.charged
        return None if charged is None else charged[-1]

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
