"""Many questions of one source under one budget."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _posterity
from ._margins import Margins
from ._published import Published, wrapped
from ._release import Release


class Study(Mapping[str, Release]):
    """The answers of a study: a mapping from the names of its questions to their releases.

    Made by :func:`study`. Tables of many columns are in ``margins``.
    """

    __slots__ = ("_documents", "_folder")

    def __init__(self, folder: Path, documents: dict[str, Published[Any]]) -> None:
        self._folder = folder
        self._documents = documents

    @property
    def documents(self) -> dict[str, Published[Any]]:
        """All documents by their names, whatever they hold: releases and tables of many columns."""
        return dict(self._documents)

    @property
    def margins(self) -> dict[str, Margins]:
        """The tables of many columns by their names; empty if the plan asks for none."""
        return {name: one for name, one in self._documents.items() if isinstance(one, Margins)}

    @property
    def _releases(self) -> dict[str, Release]:
        return {name: one for name, one in self._documents.items() if isinstance(one, Release)}

    @property
    def folder(self) -> Path:
        """The folder with a document, tables and a picture for each question, and ``report.html``."""
        return self._folder

    @property
    def report(self) -> Path:
        """The page that shows all answers to people."""
        return self._folder / "report.html"

    @property
    def private(self) -> bool:
        """Whether all of it may be published as private."""
        return all(document.private for document in self._documents.values())

    def __getitem__(self, name: str) -> Release:
        return self._releases[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._releases)

    def __len__(self) -> int:
        return len(self._releases)

    def __repr__(self) -> str:
        private = "private" if self.private else "NOT PRIVATE"
        margins = f", margins {list(self.margins)}" if self.margins else ""
        return f"Study({str(self._folder)!r}, {private}, questions {list(self._releases)}{margins})"

    def _repr_html_(self) -> str:
        page = html.escape(self.report.read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width:100%;height:40rem;border:0"></iframe>'


def study(
    plan: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    again: bool = False,
    sign: str | os.PathLike[str] | None = None,
    seed: int | None = None,
) -> Study:
    """Carry out a plan: many questions of one source under one budget.

    All of the plan is checked before anything is charged. Every question is counted in one pass, one charge pays for all, and a
    folder is written with a document for each question, tables, pictures and one report. Running the same plan again finishes it
    for nothing.

    Parameters
    ----------
    plan : path
        A TOML file; ``docs/studies.md`` describes it. Paths in it start from its folder.
    out : path, optional
        The folder to write to: a new one, or one with results of a study. If it is not given, one with the name of the plan
        without its extension, here.
    again : bool
        Draw and pay anew even if the ledger of the plan holds the answers.
    sign : path, optional
        The secret key that signs all documents and the list of all files (``posterity budget keygen`` makes one). Only what an
        account pays for is signed.
    seed : int, optional
        Draw from this seed instead of the system's randomness: repeatable, and therefore not private.

    Returns
    -------
    Study

    Raises
    ------
    ArgumentError
        The plan is wrong; the message has the line and the remedy.
    PosterityError
        Nothing was released, or the results could not be written. Running the plan again then costs nothing more.

    Examples
    --------
    >>> import pathlib, posterity, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name)
    >>> _ = (path / "people.csv").write_text("ward,cured\\nA,yes\\nB,no\\nB,yes\\n")
    >>> _ = (path / "plan.toml").write_text('''
    ... source = "people.csv"
    ... epsilon = 1
    ... columns = { ward = ["A", "B"], cured = ["yes", "no"] }
    ... [[question]]
    ... columns = ["ward", "cured"]
    ... ''')
    >>> study = posterity.study(path / "plan.toml", out=path / "results")
    >>> study["ward-cured"].n, study.report.exists()
    (3, True)
    >>> folder.cleanup()
    """
    given = locals()
    where, answers = _posterity.study(given if out is not None else given | {"out": Path(plan).stem})
    return Study(Path(where), {name: wrapped(inner) for name, inner in answers})
