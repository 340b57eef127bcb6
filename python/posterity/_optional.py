"""Other packages, imported only when they are used."""

from __future__ import annotations

import importlib
from typing import Any

from ._errors import PackageError


def need(package: str, purpose: str) -> Any:
    """Import a package, or raise an error that says what it is needed for."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        root = package.partition(".")[0]
        raise PackageError(f"{purpose} needs the package {root}; install it with `pip install {root}`") from error


def to_pandas(rows: list[dict[str, Any]]) -> Any:
    """Make a pandas DataFrame with one row per item."""
    return need("pandas", "to_pandas").DataFrame(rows)


def to_polars(rows: list[dict[str, Any]]) -> Any:
    """Make a Polars DataFrame with one row per item."""
    return need("polars", "to_polars").DataFrame(rows, infer_schema_length=None)


def matrix(data: bytes, columns: int) -> Any:
    """Turn the bytes of draws into an array with one draw per row."""
    numpy = need("numpy", "sample")
    return numpy.frombuffer(data, dtype=numpy.float64).reshape(-1, columns).copy()
