"""Exceptions: one family, so that one ``except`` catches every failure."""

from collections.abc import Iterable


class PosterityError(Exception):
    """The base class of all failures; nothing was released."""


class ArgumentError(PosterityError, ValueError):
    """An argument is wrong; the message names it and the remedy."""


class UnknownNameError(ArgumentError, KeyError):
    """There is no such column, value or row; the message names those that there are."""

    # A KeyError shows its message in quotes.
    __str__ = Exception.__str__


class DataError(PosterityError):
    """The data cannot be counted. The message shows no value of a record."""


class PrivacyError(PosterityError):
    """The release would not be private."""


class LedgerError(PosterityError):
    """The ledger cannot be used."""


class BudgetError(LedgerError):
    """The account has not enough left; nothing was charged."""


class VerificationError(LedgerError):
    """A document is not what it says, or no ledger or key says that it is; ``differences`` names each part that differs."""

    def __init__(self, message: str, differences: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.differences = list(differences)


class SizeError(PosterityError):
    """The question is too large to be answered exactly."""


class PackageError(PosterityError, ImportError):
    """An optional package is needed and not installed."""


class InternalError(PosterityError):
    """A mistake in posterity itself; please report it."""


class PosterityWarning(UserWarning):
    """An argument has no effect, or a mechanism was left out."""
