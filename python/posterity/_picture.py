"""Pictures of readings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _posterity
from ._errors import ArgumentError


class Picture:
    """The picture of a reading: what :meth:`Release.picture` returns. A notebook shows it."""

    __slots__ = ("_draw", "_svg")

    def __init__(self, draw: Callable[[str], bytes], /) -> None:
        self._draw = draw
        # Drawn at once, so that a wrong argument is noticed by the call that has it.
        self._svg = draw("svg").decode()

    @property
    def svg(self) -> str:
        """The text of the picture as SVG."""
        return self._svg

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the picture to a file that ends in ``.svg`` or ``.png``.

        A file that exists is overwritten only with ``force=True``.
        """
        _posterity.write_file(path, self._draw(Path(path).suffix[1:].lower()), force)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self._svg == other._svg

    def __hash__(self) -> int:
        return hash(self._svg)

    def __reduce__(self) -> tuple[Any, ...]:
        """Both forms of the picture, for copies and pickles."""
        return _drawn, ({form: self._draw(form) for form in ("svg", "png")},)

    def __repr__(self) -> str:
        return f"<Picture, {len(self._svg)} characters of SVG>"

    def _repr_html_(self) -> str:
        # The picture keeps its shape and gets the width of a page, whatever its own size is.
        picture = self._svg[self._svg.find("<svg") :]
        return picture.replace("<svg ", '<svg style="width:600px;height:auto;background:#fff" ', 1)


class _Forms:
    """A picture that was drawn before, in both forms."""

    __slots__ = ("_forms",)

    def __init__(self, forms: dict[str, bytes]) -> None:
        self._forms = forms

    def __call__(self, form: str) -> bytes:
        if form not in self._forms:
            raise ArgumentError(f'path: "{form}" is no format of pictures; end it in .svg or .png')
        return self._forms[form]


def _drawn(forms: dict[str, bytes]) -> Picture:
    """The picture that was pickled."""
    return Picture(_Forms(forms))
