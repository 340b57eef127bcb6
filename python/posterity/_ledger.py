"""Budgets. A ledger refuses any charge beyond the budget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import _posterity
from ._optional import to_pandas, to_polars
from ._posterity import escaped, html_table


class Ledger:
    """Accounts, charges and their history, in one file.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    create : bool
        Create the file if it does not exist.

    Examples
    --------
    >>> import posterity, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = posterity.Ledger(pathlib.Path(folder.name) / "study.ledger", create=True)
    >>> account = ledger.create_account("trial", epsilon=1)
    >>> counts, budget = posterity.Data({"yes": 48, "no": 42}, name="trial-7"), posterity.Budget(ledger, "trial")
    >>> r = posterity.release(counts, epsilon=0.4, budget=budget)
    >>> r.charged, r.remaining
    ('0.4', '0.6')
    >>> posterity.release(counts, epsilon=0.4, budget=budget).recalled
    True
    >>> folder.cleanup()
    """

    __slots__ = ("_inner",)
    _inner: _posterity.Ledger

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self._inner = _posterity.Ledger(path, create=create)

    @property
    def path(self) -> Path:
        """The path of the ledger file."""
        return Path(self._inner.path)

    def create_account(
        self,
        account: str,
        *,
        epsilon: float | str,
        delta: float | str = 0,
        allow_large_delta: bool = False,
        unit: str = "record",
        adjacency: str = "replace",
        population: str | None = None,
        reason: str | None = None,
        adds_up: bool = False,
    ) -> dict[str, Any]:
        """Create an account; its budget never changes.

        The account counts what is charged to it. What is charged to another account or another file, or to none, is not counted.

        Parameters
        ----------
        account : str
            Its name.
        epsilon, delta : float or str
            How much may be spent in all; an exact decimal, or a fraction such as ``"1/3"``. With a delta, releases may number more
            than their sum allows: together they are private at this epsilon and delta.
        allow_large_delta : bool
            State that a delta above 0.001 is meant. With a probability of up to delta everything about a person may be told, so it
            is refused otherwise.
        unit : str
            Whom it protects: the column of the unit, such as ``"patient"``, or ``"record"``. Releases for another unit are refused.
        adjacency : str
            ``replace`` if n, the number of records, is public in releases; ``add-remove`` if it is private. An account of ``replace``
            also pays for releases with a private n, at twice their epsilon. An account of ``add-remove`` refuses what publishes n.
        population : str, optional
            Of which population, in words.
        reason : str, optional
            Why a second account is needed for the same unit of the same population. The ledger keeps it.
        adds_up : bool
            Let releases add up although there is a delta.

        Returns
        -------
        dict
            The account with its balance, amounts as exact text.

        Examples
        --------
        >>> import posterity, tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> ledger = posterity.Ledger(pathlib.Path(folder.name) / "study.ledger", create=True)
        >>> account = ledger.create_account("wards", epsilon=5, delta=1e-6, unit="patient")
        >>> account["unit"], ledger.releases_of("wards", 0.1)
        ('patient', 97)
        >>> folder.cleanup()
        """
        return self._inner.create_account(
            account,
            epsilon=epsilon,
            delta=delta,
            allow_large_delta=allow_large_delta,
            unit=unit,
            adjacency=adjacency,
            population=population,
            reason=reason,
            adds_up=adds_up,
        )

    def decide_unit(self, account: str, *, unit: str, population: str | None = None) -> dict[str, Any]:
        """Give an account that has no charges yet another unit.

        Once something is charged, the unit cannot change: a promise per record and a promise per patient cannot be added
        up. The change is an entry of the ledger.
        """
        return self._inner.decide_unit(account, unit=unit, population=population)

    def releases_of(self, account: str, epsilon: float | str) -> int:
        """How many more releases of this epsilon the account can pay, one after another."""
        return self._inner.releases_of(account, epsilon)

    def check(self, document: str) -> dict[str, Any]:
        """Derive a release document, given as JSON text, again, and check that its draw was charged and recorded here.

        Returns
        -------
        dict
            The charge: its account, its number, its epsilon and the head of the ledger after it.

        Raises
        ------
        VerificationError
            If the ledger does not hold it, or it was changed. It is a :class:`LedgerError` too.
        """
        return self._inner.check(document)

    def _repr_html_(self) -> str:
        accounts = self.accounts()
        # Some accounts lack some names, such as a population or a sum of rho.
        names = list(dict.fromkeys(name for account in accounts for name in account)) or ["no accounts"]
        table = html_table(names, [[str(account.get(name, "")) for name in names] for account in accounts])
        return f"<div>Ledger {escaped(str(self.path))}</div>{table}"

    def accounts(self) -> list[dict[str, Any]]:
        """All accounts, each with what was spent and what is left."""
        return self._inner.accounts()

    def account(self, account: str) -> dict[str, Any]:
        """One account, with what was spent and what is left."""
        return self._inner.account(account)

    def history(self, account: str) -> list[dict[str, Any]]:
        """The charges of an account, in their order. A charge of rho has the key "rho" instead of "epsilon" and "delta"."""
        return self._inner.history(account)

    def documents(self, account: str) -> list[dict[str, Any]]:
        """The release documents that were recorded for an account, in their order.

        A release that was interrupted after its charge is found here.
        """
        return self._inner.documents(account)

    def verify(self, head: str | None = None) -> str:
        """Check that no entry was changed, removed or added by hand.

        Parameters
        ----------
        head : str, optional
            A head that an earlier call returned: everything up to it must still be there.

        Returns
        -------
        str
            The head. Keep it where those who can write the ledger cannot change it.
        """
        return self._inner.verify(head)

    def export(self) -> dict[str, Any]:
        """The whole ledger, after verification."""
        return self._inner.export()

    def to_pandas(self) -> Any:
        """The accounts as a pandas DataFrame."""
        return to_pandas(self.accounts())

    def to_polars(self) -> Any:
        """The accounts as a Polars DataFrame."""
        return to_polars(self.accounts())

    def __eq__(self, other: object) -> bool:
        """Whether both are the same file."""
        return isinstance(other, Ledger) and self._file() == other._file()

    def __hash__(self) -> int:
        return hash(self._file())

    def _file(self) -> Path:
        return self.path.resolve()

    def __reduce__(self) -> tuple[Any, ...]:
        """The path, for copies and pickles: the file itself stays where it is."""
        return Ledger, (str(self._file()),)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"
