"""Pictures with matplotlib."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._optional import need


class Line(NamedTuple):
    """The density of one category, as points of a line, and its interval."""

    name: str
    x: list[float]
    y: list[float]
    interval: tuple[float, float]


def draw(lines: list[Line], title: str, ax: Any = None) -> Any:
    """Draw one line per category, with its interval below it."""
    pyplot = need("matplotlib.pyplot", "plot")
    if ax is None:
        ax = pyplot.subplots(figsize=(6, 3.5))[1]
    top = max(max(line.y) for line in lines)
    for index, line in enumerate(lines):
        (drawn,) = ax.plot(line.x, line.y, label=line.name)
        depth = -0.04 * top * (index + 1)
        ax.plot(line.interval, [depth, depth], color=drawn.get_color(), linewidth=3, solid_capstyle="butt")
    ax.set_xlabel("proportion")
    ax.set_yticks([])
    ax.set_title(title)
    # At most ten names stand in one column of the legend.
    many = len(lines) > 10
    ax.legend(frameon=False, ncol=1 + (len(lines) - 1) // 10, fontsize="x-small" if many else None, columnspacing=1)
    return ax
