"""Whether a document, or the results of a study, say what was drawn, charged and signed."""

from __future__ import annotations

import copy
import os
from typing import Any

from . import _posterity
from ._errors import ArgumentError
from ._ledger import Ledger
from ._posterity import escaped
from ._published import Published
from ._study import Study


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


def verify(
    document: Published[Any] | Study | str | os.PathLike[str],
    *,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    key: str | os.PathLike[str] | None = None,
) -> Verification:
    """Derive a document, or all results of a study, again, and compare them with what a ledger recorded and what a key signed.

    Parameters
    ----------
    document : Release, Margins, Discovered, Study, str or path
        The document: an object, its JSON text, or its file. Or the results of a study: the object, their folder, or the report in it.
    ledger : Ledger or path, optional
        The ledger that it was charged to: its request, its promise and its draw must be what the ledger charged and recorded.
    key : path, optional
        The public key of whoever signed it.

    Returns
    -------
    Verification
        What was checked, and what was not.

    Raises
    ------
    VerificationError
        It is not what it says. ``differences`` names each part that differs.

    Examples
    --------
    >>> import posterity
    >>> r = posterity.release({"yes": 48, "no": 42}, epsilon=1)
    >>> posterity.verify(r)
    <Verification: 3 checks hold; not checked: nothing>
    >>> try:
    ...     posterity.verify(r.to_json().replace('"private": true', '"private": false'))
    ... except posterity.VerificationError as error:
    ...     print(error.differences)
    ['private is not what follows from the draw']
    """
    of: object = document
    if isinstance(document, Published):
        of = document.to_json()
    elif isinstance(document, Study):
        of = document.folder
    elif not isinstance(document, str | os.PathLike):
        raise ArgumentError("document: this is no document; give a release, its text or its file, or the results of a study")
    return Verification(_posterity.verify({"document": of, "ledger": ledger._inner if isinstance(ledger, Ledger) else ledger, "key": key}))
