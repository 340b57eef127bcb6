"""What was verified of a document."""

from __future__ import annotations

import copy
import os
from typing import Any

from . import _posterity
from ._ledger import Ledger
from ._posterity import escaped


class Verification:
    """What was verified of a document, or of the results of a study: what :func:`verify` returns. Nothing wrong was found.

    It does not say that everything was checked: see ``not_checked``.
    """

    __slots__ = ("_fields",)
    _fields: dict[str, Any]

    def __init__(self, fields: dict[str, Any], /) -> None:
        self._fields = fields

    @property
    def checked(self) -> list[str]:
        """What was checked and holds, in words."""
        return list(self._fields["checked"])

    @property
    def not_checked(self) -> list[str]:
        """What was not checked, and why, in words. Empty if all of it holds."""
        return list(self._fields["not_checked"])

    @property
    def differences(self) -> list[str]:
        """What is not as it should be: nothing here. Where something is, :class:`VerificationError` has it."""
        return list(self._fields["differences"])

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Each document: its ``file``, if it comes from one, its ``charge``, if a ledger was given, and ``signed_by``, if a key was."""
        return list(copy.deepcopy(self._fields["documents"]))

    @property
    def study(self) -> str | None:
        """The title of the study; None for a single document."""
        title: str | None = self._fields.get("study")
        return title

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields that the command prints."""
        return dict(copy.deepcopy(self._fields))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verification) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        missing = "; ".join(self.not_checked)
        return f"<Verification: {len(self.checked)} checks hold; not checked: {missing or 'nothing'}>"

    def _repr_html_(self) -> str:
        lines = [f"Checked: {one}." for one in self.checked] + [f"Not checked: {one}." for one in self.not_checked]
        return "".join(f"<div>{escaped(line)}</div>" for line in lines)


def verified(of: object, *, ledger: Ledger | str | os.PathLike[str] | None, key: str | os.PathLike[str] | None) -> Verification:
    """Derive the text of a document, or what is at a path, again, and compare it."""
    inner = ledger._inner if isinstance(ledger, Ledger) else ledger
    return Verification(_posterity.verify({"document": of, "ledger": inner, "key": key}))
