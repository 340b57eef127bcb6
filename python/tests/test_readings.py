"""Readings and comparisons of a release, and of its document."""

from __future__ import annotations

import pathlib

import pandas as pd
import posterity
import pytest

VISITS = pd.DataFrame(
    {
        "ward": [("A", "B", "C")[i % 3] for i in range(300)],
        "outcome": ["yes" if i % 10 < 3 + 2 * (i % 3) else "no" for i in range(300)],
        "blood type": [("0, negative", "A", "B")[i % 7 % 3] for i in range(300)],
    }
)


@pytest.fixture(scope="module")
def release() -> posterity.Release:
    columns = ["ward", "outcome", "blood type"]
    categories = [["A", "B", "C"], ["yes", "no"], ["0, negative", "A", "B"]]
    return posterity.release(VISITS, column=columns, categories=categories, epsilon=1, seed=3)


def test_readings(release: posterity.Release) -> None:
    assert list(release.columns) == ["ward", "outcome", "blood type"]
    table = release.read("outcome | ward")
    assert table.method == "exact" and table.error < 1e-9 and table.level == 0.95
    assert [(row["given"]["ward"], row["cell"]["outcome"]) for row in table.rows][:3] == [
        ("A", "yes"),
        ("A", "no"),
        ("B", "yes"),
    ]
    assert release.given("outcome", "ward").rows == table.rows
    both = release.given({"outcome": "yes"}, {"ward": ["A", "B"], "blood type": "0, negative"})
    assert len(both.rows) == 1 and both.rows[0]["given"]["blood type"] == "0, negative"
    narrow = release.marginal("outcome", level=0.5).rows[0]["interval"]
    wide = release.marginal("outcome", level=0.99).rows[0]["interval"]
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert "<table>" in table._repr_html_() and "6 rows" in repr(table)


def test_frames(release: posterity.Release) -> None:
    frame = release.given("outcome", "ward").to_pandas()
    assert isinstance(frame.index, pd.MultiIndex) and frame.index.names == ["ward", "outcome"]
    assert list(frame.columns) == ["mean", "low", "high"]
    assert frame.loc[("B", "yes"), "mean"] == pytest.approx(1 - frame.loc[("B", "no"), "mean"])
    assert release.marginal("ward").to_pandas().index.name == "ward"
    whole = release.to_pandas()
    assert whole.shape == (18, 3) and whole["mean"].sum() == pytest.approx(1)
    assert list(whole["mean"]) == pytest.approx(list(release.mean.values()))


def test_comparisons(release: posterity.Release) -> None:
    difference = release.difference({"outcome": "yes"}, "ward", "A", "B")
    shares = release.read("outcome=yes | ward").rows
    assert difference.mean == pytest.approx(shares[0]["mean"] - shares[1]["mean"])
    low, high = difference.interval
    assert low < difference.median < high and difference.probability_larger is not None
    ratio = release.compare("outcome=yes | ward: A / {B, C}", draws=2000, seed=5)
    assert ratio.mean is None and ratio.to_dict()["draws"] == 2000
    independence = release.compare("independence(ward, outcome)", draws=2000)
    assert set(independence.measures) == {"mutual-information", "cramers-v"}
    assert independence.probability_larger is None and "independence" in repr(independence)


def test_documents(release: posterity.Release, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "release.json"
    path.write_text(release.to_json())
    loaded = posterity.Release.load(path)
    assert loaded.to_dict() == release.to_dict()
    assert loaded.read("outcome | ward").rows == release.read("outcome | ward").rows
    assert loaded.interval(0.9) == release.interval(0.9)
    assert (loaded.sample(5, seed=1) == release.sample(5, seed=1)).all()
    with pytest.raises(posterity.ArgumentError, match="is no release document"):
        bad = tmp_path / "bad.json"
        bad.write_text("{}")
        posterity.Release.load(bad)
    with pytest.raises(posterity.ArgumentError, match="cannot be read"):
        posterity.Release.load(tmp_path / "none.json")


def test_refusals(release: posterity.Release) -> None:
    with pytest.raises(posterity.ArgumentError, match="no column \"wards\"; its columns are \"ward\""):
        release.marginal("wards")
    with pytest.raises(posterity.ArgumentError, match="has no value \"D\""):
        release.given("outcome", {"ward": "D"})
    with pytest.raises(posterity.ArgumentError, match="cannot be read: a name is missing"):
        release.read("outcome |")
    with pytest.raises(posterity.ArgumentError, match="spaces around"):
        release.compare("outcome=yes | ward: A-B")


def test_ledgers_show_themselves(tmp_path: pathlib.Path) -> None:
    ledger = posterity.Ledger(tmp_path / "study.ledger", create=True)
    assert "no accounts" in ledger._repr_html_()
    ledger.create_account("trial <1>", epsilon=1)
    page = ledger._repr_html_()
    assert "trial &lt;1&gt;" in page and "<table>" in page
