"""What a release would leave out, for whoever prepares the data."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _posterity
from ._parts import Data, Source, Unit, joined
from ._posterity import html_table


class Check:
    """What a release of some data would leave out, or be refused for: what :func:`check` returns.

    Not private: these are exact numbers of the data, and values of it. Show them to its owner only.
    """

    __slots__ = ("_fields",)
    _fields: dict[str, Any]

    def __init__(self, fields: dict[str, Any], /) -> None:
        self._fields = fields

    @property
    def private(self) -> bool:
        """Whether it may be published as private: it never may, because it shows the data."""
        return False

    @property
    def records(self) -> int:
        """How many records there are."""
        return int(self._fields["records"])

    @property
    def filtered(self) -> int:
        """For how many of them ``where`` is not true. Of files, those for which it has no answer are ``unanswered`` in ``to_dict()``."""
        return int(self._fields["filtered"])

    @property
    def outside(self) -> int:
        """How many of those that pass ``where`` are outside ``within``."""
        return int(self._fields["outside"])

    @property
    def no_unit(self) -> int:
        """How many of those that pass ``where`` have no unit."""
        return int(self._fields["no_unit"])

    @property
    def counted(self) -> int:
        """How many records count, or are among those of which a unit's record is chosen."""
        return int(self._fields["counted"])

    @property
    def columns(self) -> list[dict[str, Any]]:
        """For each column how many values are ``undeclared``, ``missing``, and ``unnamed`` (such as fractions and lists, which are no
        labels). Of files also the undeclared values that are ``most_frequent``, each with how often it occurs.
        """
        return list(copy.deepcopy(self._fields["columns"]))

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return dict(copy.deepcopy(self._fields))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Check) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [f"{self.counted} of {self.records} records count"]
        parts += [f"{name} {self._fields[name]}" for name in ("filtered", "unanswered", "outside", "no_unit", "no_order") if self._fields.get(name)]
        for column in self.columns:
            told = [f"{column[kind]} {kind}" for kind in ("undeclared", "missing", "unnamed") if column[kind]]
            if told:
                parts.append(f"{column.get('name', 'labels')}: {', '.join(told)}")
        return f"<Check (NOT PRIVATE): {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        rows = [[name, str(value)] for name, value in self._fields.items() if name != "columns"]
        for column in self.columns:
            of = f" ({column['name']})" if "name" in column else ""
            rows += [[f"{kind}{of}", str(column[kind])] for kind in ("undeclared", "missing", "unnamed")]
            rows += [[f"not declared{of}: {value!r}", str(times)] for value, times in column.get("most_frequent", [])]
        return f"<p><b>NOT PRIVATE</b>: it shows the data.</p>{html_table(['what', 'records'], rows)}"


def check(
    data: Data | Source,
    *,
    column: str | Sequence[str] | None = None,
    categories: Sequence[Any] | None = None,
    schema: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    unit: Unit | str | None = None,
) -> Check:
    """Look at the data, and tell what a release of it would leave out, or be refused for. Not private, and it costs nothing.

    Where n is private, a release leaves out what it cannot count, and must not say so: a misspelt category would go unnoticed. So look
    first, with the same data arguments. Nothing is drawn or charged, no ledger is touched, and nothing is an error that a record
    holds. The result is for the eyes of the data's owner: what you change because of it, such as a category that you add, is published
    with the release, so change only what you would have declared without the data.

    Parameters
    ----------
    data, column, categories, schema, unit
        As in :func:`release`.

    Returns
    -------
    Check

    Examples
    --------
    >>> import posterity
    >>> posterity.check(["yes", "no", "Yes", None, 1.5], categories=["yes", "no"])
    <Check (NOT PRIVATE): 2 of 5 records count; labels: 1 undeclared, 1 missing, 1 unnamed>
    """
    return Check(_posterity.check(joined(locals())))
