"""Pictures with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._optional import need

if TYPE_CHECKING:
    from ._release import Release


def draw(release: Release, ax: Any = None) -> Any:
    """Draw one line per category, with its interval below it."""
    pyplot = need("matplotlib.pyplot", "plot")
    if ax is None:
        ax = pyplot.subplots(figsize=(6, 3.5))[1]
    level = release.to_dict()["posterior"]["level"]
    intervals = release.interval(level)
    lines = release._inner.lines()
    top = max(max(line[1]) for line in lines)
    # If there are many categories, only the largest have a line.
    mean = release.mean
    largest = set(sorted(mean, key=lambda name: -mean[name])[: len(lines)])
    shown = [name for name in mean if name in largest]
    for index, (name, (x, y)) in enumerate(zip(shown, lines, strict=True)):
        (line,) = ax.plot(x, y, label=name)
        depth = -0.04 * top * (index + 1)
        ax.plot(intervals[name], [depth, depth], color=line.get_color(), linewidth=3, solid_capstyle="butt")
    ax.set_xlabel("proportion")
    ax.set_yticks([])
    noise = "" if release.noise_aware else ", privacy noise not included"
    private = "" if release.private else " (NOT PRIVATE)"
    ax.set_title(f"{release.mechanism}, epsilon {release.epsilon:g}, n {release.n}{private}\n{100 * level:g} % intervals{noise}")
    # At most ten names stand in one column of the legend.
    many = len(shown) > 10
    ax.legend(frameon=False, ncol=1 + (len(shown) - 1) // 10, fontsize="x-small" if many else None, columnspacing=1)
    return ax
