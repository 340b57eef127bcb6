"""Pictures of readings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file that ends in ``.svg`` or ``.png``."""
        file = Path(path)
        file.write_bytes(self._draw(file.suffix[1:].lower()))

    def __repr__(self) -> str:
        return f"<Picture, {len(self._svg)} characters of SVG>"

    def _repr_html_(self) -> str:
        # The picture keeps its shape and gets the width of a page, whatever its own size is.
        picture = self._svg[self._svg.find("<svg") :]
        return picture.replace("<svg ", '<svg style="width:600px;height:auto;background:#fff" ', 1)
