"""Exceptions: one family, so that one ``except`` catches every failure."""


class PosterityError(Exception):
    """Whatever went wrong; nothing was released."""


class ArgumentError(PosterityError, ValueError):
    """An argument is wrong; the message names it and the remedy."""


class DataError(PosterityError):
    """The data cannot be counted. The message says nothing that a record holds."""


class PrivacyError(PosterityError):
    """The release would not be private."""


class LedgerError(PosterityError):
    """The ledger cannot be used."""


class BudgetError(LedgerError):
    """The account has not enough left; nothing was charged."""


class SizeError(PosterityError):
    """The question is too large to be answered exactly."""


class PackageError(PosterityError, ImportError):
    """An optional package is needed and not installed."""


class InternalError(PosterityError):
    """Something happened that should not."""


class PosterityWarning(UserWarning):
    """Something that was asked for has no effect."""
