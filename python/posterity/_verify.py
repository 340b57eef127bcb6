"""Whether a document, or the results of a study, say what was drawn, charged and signed."""

from __future__ import annotations

import os
from typing import Any

from ._errors import ArgumentError
from ._ledger import Ledger
from ._published import Published
from ._study import Study
from ._verification import Verification, verified


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
    return verified(of, ledger=ledger, key=key)
