"""Categories of missing and other values are no answers: shares are among the records whose value is known."""

from __future__ import annotations

import math

import pandas as pd
import posterity
import pytest
from conftest import draw

# 78.0 % of the known are cured, and 75.8 % of all.
STAYS = pd.DataFrame(
    {"ward": ["A", "B"] * 10_000, "cured": ["yes"] * 15_160 + ["no"] * 4_276 + [None] * 564},
)
CATEGORIES = {"ward": ["A", "B"], "cured": ["yes", "no"]}


@pytest.fixture(scope="module")
def release() -> posterity.Release:
    columns = {"column": ["ward", "cured"], "categories": list(CATEGORIES.values()), "missing": {"cured": "unknown"}}
    return draw(STAYS, epsilon=1, seed=1, **columns)


def test_a_rate_is_among_the_known(release: posterity.Release) -> None:
    known, of_all = (release.read(f"cured=yes{among} | ward") for among in ("", " of all"))
    assert [row["estimate"] for row in known.rows] == pytest.approx([0.78, 0.78], abs=2e-3)
    assert [row["estimate"] for row in of_all.rows] == pytest.approx([0.758, 0.758], abs=2e-3)
    assert known.unknown is not None and known.unknown["share"] == pytest.approx(0.0282, abs=2e-3)
    low, high = known.unknown["interval"]
    assert low < 0.0282 < high and of_all.unknown is None
    assert release.given({"cured": "yes"}, "ward").rows == known.rows
    frame = known.to_pandas()
    assert frame.attrs["unknown"] == known.unknown["share"] and (frame.attrs["unknown_low"], frame.attrs["unknown_high"]) == (low, high)
    assert "unknown" not in of_all.to_pandas().attrs
    assert "% unknown (" in known._repr_html_()


def test_categories_of_unknown_values_have_no_share(release: posterity.Release) -> None:
    assert "ward=A,cured=unknown" in release.categories
    for numbers in (release.share, release.mean, release.interval()):
        assert list(numbers) == ["ward=A,cured=yes", "ward=A,cured=no", "ward=B,cured=yes", "ward=B,cured=no"]
    assert sum(release.share.values()) == pytest.approx(1)
    assert "nan" not in repr(release) and "<svg" in release._repr_html_()
    # Draws of all categories are of all records.
    assert release.sample(50, seed=1).sum(axis=1) == pytest.approx([1] * 50)
    assert release.sample(50, seed=1).shape == (50, 6)
    assert release.sample(50, seed=1, reading="ward, cured").shape == (50, 4)
    # Each category can be read: what is no answer, among all records.
    assert [len(release[name]) for name in release] == [1] * 6 and release["ward=A,cured=unknown"].unknown is None


def test_the_unknown_are_compared_of_all_only(release: posterity.Release) -> None:
    compared = release.compare("cured=yes | ward: A - B").to_dict()
    assert {"share", "interval"} == set(compared["first"]["unknown"])
    with pytest.raises(posterity.ArgumentError, match="cured=unknown of all"):
        release.read("cured=unknown | ward")
    assert all(math.isfinite(row["mean"]) for row in release.read("cured=unknown of all | ward").rows)
