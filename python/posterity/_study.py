"""Many questions of one source under one budget."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _posterity
from ._errors import ArgumentError, UnknownNameError
from ._margins import Margins
from ._published import Published, wrapped
from ._readings import nearest
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
        """The release of a question.

        Raises
        ------
        UnknownNameError
            If no question has this name; it is a ``KeyError`` too.
        """
        releases = self._releases
        if name not in releases:
            raise UnknownNameError(f"no question is named {name!r}; {nearest(name, list(releases))}")
        return releases[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._releases)

    def __len__(self) -> int:
        return len(self._releases)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and (self._folder, self._documents) == (other._folder, other._documents)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        private = "private" if self.private else "NOT PRIVATE"
        margins = f", margins {list(self.margins)}" if self.margins else ""
        return f"Study({str(self._folder)!r}, {private}, questions {list(self._releases)}{margins})"

    def _repr_html_(self) -> str:
        page = html.escape(self.report.read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width:100%;height:40rem;border:0"></iframe>'


def study(
    plan: Mapping[str, Any] | str | os.PathLike[str],
    data: Any = None,
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
    plan : mapping, str or path
        What is asked (``docs/studies.md``): the path of a file in TOML or JSON, whose paths start from its folder; or a ``dict``, or the
        text of a plan, whose paths start from here. A text with a line break, or one that begins with a brace, is a plan and no path.
        Beside what is asked it may name a ``ledger`` and an ``account``.
    data : DataFrame, table or path, optional
        The records, in the place of the source of the plan: a DataFrame of pandas or Polars, anything that offers Arrow's interface, or
        the path of files. What the plan calls its source is then their name, by which a ledger knows them again: give it to these
        records and to no others. Records in memory without a name are charged each time.
    out : path, optional
        The folder to write to: a new one, or one with results of a study. If it is not given, one with the name of the plan's file
        without its extension, here; a plan that is no file needs it.
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

    Records in memory, and a plan without a file:

    >>> import pandas
    >>> people = pandas.read_csv(path / "people.csv")
    >>> plan = {"epsilon": 1, "columns": {"ward": ["A", "B"]}, "question": [{"columns": ["ward"]}]}
    >>> posterity.study(plan, people, out=path / "wards")["ward"].n
    3
    >>> folder.cleanup()
    """
    given = locals()
    if hasattr(plan, "columns") or hasattr(plan, "__arrow_c_stream__"):
        raise ArgumentError("plan: this is a table; a plan says what is asked of one: study(plan, table)")
    if out is None:
        is_path = isinstance(plan, os.PathLike) or isinstance(plan, str) and "\n" not in plan and not plan.lstrip().startswith("{")
        if not is_path:
            raise ArgumentError("out: name the folder for the results; only a plan in a file gives them a name")
        given["out"] = Path(str(plan)).stem
    where, answers = _posterity.study(given)
    return Study(Path(where), {name: wrapped(inner) for name, inner in answers})
