"""Readings and comparisons of a release, and of its document."""

from __future__ import annotations

import pathlib
from typing import Any

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
    assert table.method == "measured" and table.error < 1e-9 and table.level == 0.95
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
    assert list(frame.columns) == [
        "estimate", "low", "high", "mean", "confidence_low", "confidence_high", "credible_low", "credible_high", "mostly_prior",
        "may_be_empty",
    ]  # fmt: skip
    assert (frame["low"] == frame["confidence_low"]).all() and frame.attrs["about"] == "population"
    credible = release.given("outcome", "ward", interval_kind="credible").to_pandas()
    assert (credible["low"] == frame["credible_low"]).all() and credible.attrs["interval_kind"] == "credible"
    assert frame.loc[("B", "yes"), "mean"] == pytest.approx(1 - frame.loc[("B", "no"), "mean"])
    assert release.marginal("ward").to_pandas().index.name == "ward"
    whole = release.to_pandas()
    assert whole.shape == (18, 10) and whole["mean"].sum() == pytest.approx(1)
    assert list(whole["mean"]) == pytest.approx(list(release.mean.values()))


def test_intervals(release: posterity.Release) -> None:
    usual = release.read("outcome | ward")
    assert (usual.interval_kind, usual.about, usual.simultaneous) == ("confidence", "population", False)

    def widths(**ways: Any) -> list[float]:
        return [row["interval"][1] - row["interval"][0] for row in release.read("outcome | ward", **ways).rows]

    for narrow, wide in zip(widths(about="records"), widths(), strict=True):
        assert narrow < wide
    for narrow, wide in zip(widths(), widths(simultaneous=True), strict=True):
        assert narrow < wide
    for narrow, wide in zip(widths(interval_kind="shortest"), widths(interval_kind="credible"), strict=True):
        assert narrow <= wide
    page = release.read("outcome | ward", interval_kind="credible")._repr_html_()
    assert "95 % credible interval" in page and "About the population" in page
    assert "About the records themselves" in release.read("ward", about="records")._repr_html_()
    with pytest.raises(posterity.ArgumentError, match="^about: credible intervals are about the population"):
        release.read("ward", interval_kind="credible", about="records")
    with pytest.raises(posterity.ArgumentError, match="^interval_kind: .* is not one of confidence, credible and shortest"):
        release.read("ward", interval_kind="wide")
    with pytest.raises(posterity.ArgumentError, match="^about: .* is not one of population and records"):
        release.read("ward", about="everyone")


def test_draws_agree_with_credible_intervals(release: posterity.Release) -> None:
    """A share of 95 % of 20,000 draws is within five of its deviations: false alarm below 1e-5 (seed 4)."""
    for reading in ("outcome | ward", "ward", "outcome=yes | ward in {A, B}"):
        draws = release.sample(20_000, seed=4, reading=reading)
        rows = release.read(reading, interval_kind="credible").rows
        assert draws.shape == (20_000, len(rows))
        for row, drawn in zip(rows, draws.T, strict=True):
            low, high = row["interval"]
            assert abs(((low <= drawn) & (drawn <= high)).mean() - 0.95) < 5 * (0.95 * 0.05 / 20_000) ** 0.5
            assert abs(drawn.mean() - row["mean"]) < 5 * drawn.std() / 20_000**0.5


def test_draws_have_a_dimension_for_each_column(release: posterity.Release) -> None:
    theta = release.to_arviz(size=40, seed=1).posterior["theta"]
    assert theta.dims == ("chain", "draw", "ward", "outcome", "blood type")
    assert float(abs(theta.sum(["ward", "outcome", "blood type"]) - 1).max()) < 1e-9
    given = release.to_arviz("outcome | ward", size=40, seed=1).posterior["theta"]
    assert given.dims == ("chain", "draw", "ward", "outcome")
    assert list(given["ward"].values) == ["A", "B", "C"]
    assert float(abs(given.sum("outcome") - 1).max()) < 1e-9


def test_comparisons(release: posterity.Release) -> None:
    difference = release.difference({"outcome": "yes"}, "ward", "A", "B")
    shares = release.read("outcome=yes | ward").rows
    assert difference.estimate == pytest.approx(shares[0]["estimate"] - shares[1]["estimate"])
    # A prior on the cells that was stated is the same for all readings and comparisons.
    columns, categories = list(release.columns), list(release.columns.values())
    stated = posterity.release(VISITS, column=columns, categories=categories, epsilon=1, prior=[1] * 18, seed=3)
    means = [row["mean"] for row in stated.read("outcome=yes | ward").rows]
    exact = stated.difference({"outcome": "yes"}, "ward", "A", "B", interval_kind="credible")
    assert exact.mean == pytest.approx(means[0] - means[1]) and exact.interval()[0] < exact.median < exact.interval()[1]
    low, high = difference.interval()
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


def test_a_table_is_a_sequence_of_rows() -> None:
    data = posterity.Data({"A": 3, "B": 4, "C": 5})
    table = posterity.release(data, epsilon=1, seed=1).read("category")
    assert len(table) == 3 and list(table) == table.rows
    assert table[0] == table.rows[0] and table[-1] == table.rows[2] and table[1:] == table.rows[1:]
    assert table["B"]["cell"] == {"category": "B"}
    assert table._ipython_key_completions_() == ["A", "B", "C"]
    with pytest.raises(KeyError):
        table["D"]
    with pytest.raises(IndexError):
        table[3]


def test_polars_has_the_numbers_of_pandas() -> None:
    polars = pytest.importorskip("polars")
    people = polars.DataFrame({"ward": ["A", "B"] * 60, "mean": ["x", "y", "y"] * 40})
    data = posterity.Data(people, column=["ward", "mean"], categories=[["A", "B"], ["x", "y"]])
    release = posterity.release(data, epsilon=1, seed=1)
    table = release["mean | ward"]
    assert table == release.read("mean | ward")
    frame = table.to_polars()
    assert frame.columns[:6] == ["ward", "mean", "estimate", "low", "high", "mean_"]
    assert frame["mean_"].to_list() == [row["mean"] for row in table]
    assert frame["low"].to_list() == [row["interval"][0] for row in table]
    assert table["A", "x"]["given"] == {"ward": "A"}
    assert release._ipython_key_completions_() == ["ward", "mean", "ward | mean", "mean | ward"]


def test_tests_have_the_names_of_scipys_results() -> None:
    """If this fails, a test finds something else than the document says, or has another name for it."""
    rows = {"ward": ["A", "B"] * 300, "cured": ["yes", "no", "yes", "no"] * 100 + ["yes", "yes"] * 100}
    asked: dict[str, Any] = {"column": ["ward", "cured"], "categories": [["A", "B"], ["yes", "no"]], "epsilon": 1, "seed": 3}
    test = "independence: ward, cured"
    release = posterity.release(pd.DataFrame(rows), test=test, **asked)
    found = release.test(test)
    assert found.to_dict() == release.to_dict()["tests"][0]
    assert found.statistic is not None and found.statistic > 10
    assert found.pvalue < 0.01 and found.error > 0 and found.method == "measured"
    held = release.test("share: ward=A = 0.5")
    assert held.pvalue > 0.05 and held.error == 0 and held.method == "proven" and held.test == "share: ward=A = 0.5"
    with pytest.raises(posterity.ArgumentError, match="test"):
        release.test("share: ward=A")
