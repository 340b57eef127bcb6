"""What a release is good for, and what a ledger does with it."""

from __future__ import annotations

import copy
import decimal
import fractions
import inspect
import json
import pathlib
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import posterity
import pytest
from conftest import draw

COUNTS = {"cured": 48, "not": 42}


def seeded(**options: Any) -> posterity.Release:
    return draw(COUNTS, **{"epsilon": 1, "seed": 1, **options})


def test_mechanisms_are_functions_of_their_parameters() -> None:
    """If this fails, a mechanism or a parameter of the list cannot be reached from Python."""
    mechanisms = posterity.mechanisms
    assert str(mechanisms.ehds(gamma=0.5, score="angle")) == "ehds(gamma=0.5, score=angle)"
    assert mechanisms.lsdim(consistent=True) == "lsdim(consistent)" and mechanisms.lsdim(consistent=False) == "lsdim"
    assert mechanisms.ehd(global_sensitivity="published") == "ehd(global-sensitivity=published)"
    assert mechanisms.tight(mechanisms.ehds(gamma=np.float64(0.5))) == "tight(ehds(gamma=0.5))"
    assert str(inspect.signature(mechanisms.lsdim)) == "(*, consistent: 'bool' = False) -> 'Mechanism'"
    assert "Smoothing parameter" in (mechanisms.ehds.__doc__ or "") and "ehds" in dir(mechanisms)
    for mechanism in mechanisms.ALL:
        assert getattr(mechanisms, mechanism.name)() == mechanism and mechanism.summary
        release = posterity.release(COUNTS, epsilon=1, mechanism=mechanism, not_private=not mechanism.private)
        assert release.private == mechanism.private and release.mechanism == mechanism
    with pytest.raises(posterity.ArgumentError, match="mechanism: gamma is 0"):
        mechanisms.ehds(gamma=0)
    with pytest.raises(posterity.ArgumentError, match="lattice has no parameter"):
        posterity.release(COUNTS, epsilon=1, mechanism="lattice(gamma=0.5)")
    with pytest.raises(TypeError, match="gamma"):
        mechanisms.lattice(gamma=0.5)
    with pytest.raises(AttributeError, match="there is no mechanism 'latice'"):
        mechanisms.latice()
    assert copy.deepcopy(mechanisms.ehds()) == pickle.loads(pickle.dumps(mechanisms.ehds())) == mechanisms.ehds()


def test_what_was_drawn_is_kept_as_it_is() -> None:
    """If this fails, sums of many categories are biased, because noise below zero was cut."""
    draws = [draw({"A": 0, "B": 0, "C": 60}, epsilon=0.2, seed=seed) for seed in range(12)]
    for release in draws:
        document = release.to_dict()
        assert list(release.drawn.values()) == document["drawn"] and sum(document["drawn"]) == 60
        assert list(release.released_counts.values()) == document["released_counts"]
        clipped = {name: min(max(count, 0), 60) for name, count in release.drawn.items()}
        assert release.released_counts == clipped
        assert pickle.loads(pickle.dumps(release)).drawn == release.drawn
    assert any(count < 0 for release in draws for count in release.drawn.values())


def test_parts_of_a_request() -> None:
    data = posterity.Data(["a", None], categories=["a", "b"], missing="b")
    assert repr(data) == "Data(categories=['a', 'b'], missing='b')", "the data itself is private"
    assert posterity.release(data, epsilon=1).n == 2
    with pytest.raises(posterity.ArgumentError, match="categories: the Data says this"):
        posterity.release(data, categories=["a", "b"], epsilon=1)
    with pytest.raises(posterity.ArgumentError, match="budget: this is no Budget"):
        posterity.release(data, epsilon=1, budget="study.ledger")  # type: ignore[arg-type]


def test_only_the_systems_randomness_is_private() -> None:
    assert posterity.release(COUNTS, epsilon=1).private
    assert not seeded().private
    assert seeded().to_dict() == seeded().to_dict()


def test_what_it_says() -> None:
    release = seeded()
    document = release.to_dict()
    assert (release.n, release.mechanism, release.epsilon, release.prior) == (90, "lattice", 1.0, [1.0, 1.0])
    assert release.categories == ["cured", "not"]
    rows = document["readings"][0]["rows"]
    assert list(release.share.values()) == [row["estimate"] for row in rows]
    assert list(release.mean.values()) == [row["mean"] for row in rows]
    assert [list(pair) for pair in release.interval().values()] == [row["confidence"] for row in rows]
    # With a prior that was stated, credible intervals are those of its posterior.
    stated = seeded(prior=[1, 1], interval_kind="credible")
    aware = stated.to_dict()["noise_aware"]
    assert list(stated.mean.values()) == list(stated.share.values()) == aware["mean"]
    assert [list(pair) for pair in stated.interval().values()] == aware["intervals"]
    assert release.released_posterior.parameters == document["posterior"]["parameters"]
    assert "intervals" not in document["posterior"] and "leaves the privacy noise out" in document["posterior"]["note"]
    assert release.effective is not None and release.effective.parameters == document["effective"]["parameters"]
    assert release.expected_distance is None and "expected_distance" not in document
    searched = seeded(decode="best")
    assert searched.expected_distance == json.loads(searched.to_json())["expected_distance"] > 0
    assert release.guarantee == document["guarantee"]["statement"]
    assert release.notes == document["notes"]
    assert release.charged is None and release.remaining is None and not release.recalled
    assert "NOT PRIVATE" in repr(release)


def test_intervals_of_every_level() -> None:
    release = seeded()
    assert release.noise_aware
    narrow, wide = release.interval(0.5), release.interval(0.99)
    for name in release.categories:
        assert wide[name][0] < narrow[name][0] < narrow[name][1] < wide[name][1]
    # At the level of the document, computed anew.
    assert seeded(level=0.8).interval(0.95) == seeded(level=0.95).interval(0.95)
    counts = {"a": 48, "b": 42, "c": 9}
    plain = posterity.release(counts, epsilon=1, seed=1, mechanism="ehds(score=angle)")
    assert not plain.noise_aware
    with pytest.warns(UserWarning, match="ignore the privacy noise.*use Release.interval or Release.read"):
        assert list(plain.interval(0.8).values()) == plain.released_posterior.interval(0.8)
    for level in (0, 1, -1, float("nan"), "x", None):
        with pytest.raises(posterity.ArgumentError, match="level"):
            release.interval(level)  # type: ignore[arg-type]


def test_samples_follow_the_noise_aware_posterior() -> None:
    """The mean of 20,000 draws is within five deviations of the mean: false alarm below 1e-6 (seed 3)."""
    for release in (seeded(epsilon=0.1), seeded(mechanism="ehds")):
        draws = release.sample(20_000, seed=3)
        assert draws.shape == (20_000, 2) and draws.dtype == np.float64
        assert np.allclose(draws.sum(axis=1), 1)
        error = abs(draws.mean(axis=0) - list(release.mean.values()))
        assert (error < 5 * draws.std(axis=0) / 20_000**0.5).all()
    assert (release.sample(5, seed=3) == release.sample(5, seed=3)).all()
    assert (release.sample(5) != release.sample(5)).any()
    assert release.sample(0).shape == (0, 2)
    for size in (-1, 1.5, "x", 10**12):
        with pytest.raises(posterity.ArgumentError, match="size"):
            release.sample(size)  # type: ignore[arg-type]


def test_dirichlet() -> None:
    from scipy import stats

    d = posterity.Dirichlet([2, 3.5, 0.5])
    frozen = stats.dirichlet([2, 3.5, 0.5])
    assert len(d) == 3 and d.parameters == [2, 3.5, 0.5]
    assert np.allclose(d.mean, frozen.mean()) and np.allclose(d.variance, frozen.var())
    point = [0.2, 0.5, 0.3]
    assert d.ln_density(point) == pytest.approx(frozen.logpdf(point), abs=1e-12)
    for index, (low, high) in enumerate(d.interval(0.9)):
        a = d.parameters[index]
        assert (low, high) == pytest.approx(stats.beta(a, 6 - a).interval(0.9), rel=1e-9)
    assert d == posterity.Dirichlet(np.array([2, 3.5, 0.5])) and d != posterity.Dirichlet([1, 1])
    assert repr(d) == "Dirichlet([2.0, 3.5, 0.5])"
    for parameters in ([1], [1, 0], [1, float("nan")], "11", None, [1, "x"], 5):
        with pytest.raises(posterity.ArgumentError, match="parameters"):
            posterity.Dirichlet(parameters)
    for bad in ([0.5, 0.5], [0.5, 0.4, 0.3], "abc", None):
        with pytest.raises(posterity.ArgumentError, match="point"):
            d.ln_density(bad)


def test_other_packages() -> None:
    release = posterity.release({"a": 20, "b <c>": 30, "d": 50}, epsilon=1, seed=1)
    assert release.effective is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(release.to_scipy().mean(), release.effective.mean)
        # The total variance is that of draws with the noise in them, up to five standard errors.
        draws = release.sample(20_000, seed=4)
        total = release.to_scipy().var().sum()
        spread = ((draws - draws.mean(axis=0)) ** 2).sum(axis=1)
        assert abs(spread.mean() - total) < 5 * spread.std() / 20_000**0.5
    alone = posterity.release({"a": 20, "b": 30}, epsilon=1, seed=1, mechanism="ehds(score=angle)")
    assert alone.effective is None
    with pytest.warns(posterity.PosterityWarning, match="leaves the privacy noise out"):
        assert np.allclose(alone.to_scipy().mean(), alone.released_posterior.mean)
    inference = release.to_arviz(size=50, seed=1)
    # Four chains, because diagnostics compare chains.
    assert inference.posterior["theta"].shape == (4, 13, 3)
    assert inference.posterior["theta"].dims == ("chain", "draw", "category")
    assert list(inference.posterior["category"].values) == release.categories
    import matplotlib

    matplotlib.use("Agg")
    axes = release.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == release.categories
    assert release.plot(ax=axes) is axes
    page = release._repr_html_()
    assert "<svg" in page and "b &lt;c&gt;" in page and "NOT PRIVATE" in page
    assert "No privacy is promised: the draw is that of seed 1" in page
    hidden = posterity.release({"a\u202e\x1b": 5, "<b>": 4}, epsilon=1)
    assert ">a\\u202e\\u001b</th>" in hidden._repr_html_() and ">&lt;b&gt;</th>" in hidden._repr_html_()
    assert not {"\u202e", "\x1b"} & set(hidden._repr_html_() + hidden.to_json())
    private = posterity.release({"a": 5, "b": 4}, epsilon=1)._repr_html_()
    assert "NOT PRIVATE" not in private and "No privacy" not in private and "1-differential privacy" in private
    many = posterity.release({str(index): index + 1 for index in range(60)}, epsilon=1, seed=1)
    assert many._repr_html_().count("<tr>") == 41
    many.plot()


def test_tables() -> None:
    comparison = posterity.compare_mechanisms([5, 4], epsilon=1, limit=True)
    for frame in (comparison.to_pandas(), comparison.to_polars()):
        assert list(frame["mechanism"]) == [row["mechanism"] for row in comparison.rows]
        assert list(frame.columns)[0] == "mechanism", "as the command orders them"
    assert comparison.best == comparison.rows[0] and comparison.limit is not None
    advice = posterity.advise(n=90, k=3, epsilon=1)
    assert len(advice.to_pandas()) == len(advice.rows) == len(advice.to_polars())
    assert advice.mechanism == advice.rows[0]["mechanism"] and advice.mechanism in repr(advice)
    assert advice.reason and advice.decoder and advice.calibration == "proven" and advice.expected_distance < 0.2
    inspection = posterity.inspect([2, 2], epsilon=1)
    assert inspection.to_polars()["probability"].sum() == pytest.approx(1, abs=1e-12)
    assert set(inspection.sensitivity) == {"global", "local", "smooth"}
    assert 0 < inspection.probability_exact < 1 and inspection.expected_distance > 0
    audit = posterity.audit(n=5, k=2, epsilon=1, profile=[0, 1])
    assert len(audit.to_pandas()) == 2 and audit.holds and set(audit.witness) == {"from", "to", "outcome"}
    for analysis in (comparison, inspection):
        assert analysis.private is False and analysis.to_dict()["private"] is False
        assert "NOT PRIVATE" in repr(analysis) and "<b>NOT PRIVATE</b>" in analysis._repr_html_()
    for table in (comparison, advice, inspection, audit):
        assert "<table>" in table._repr_html_() and repr(table).startswith("<")


def test_what_is_left_out_is_warned_of() -> None:
    with pytest.warns(posterity.PosterityWarning, match="optimal has more than 10 outcomes"):
        posterity.compare_mechanisms([50, 50], epsilon=1, mechanisms=["geometric", "ehd"], max_outcomes=101)
        posterity.compare_mechanisms([5, 6], epsilon=1, mechanisms=["geometric", "optimal"], max_outcomes=10, decode="best")


def test_budgets_are_exact_decimals() -> None:
    statements = {seeded(epsilon=epsilon).to_json() for epsilon in (0.1, "0.1", decimal.Decimal("0.1"), np.float64(0.1))}
    assert len(statements) == 1
    assert seeded(epsilon=fractions.Fraction(1, 3)).to_json() == seeded(epsilon="1/3").to_json()
    for epsilon in (True, None, [1], {}, object(), float("nan"), float("inf"), 10**400):
        with pytest.raises(posterity.ArgumentError, match="epsilon"):
            seeded(epsilon=epsilon)


def test_budgets_too_small_for_an_audit_are_refused_at_once() -> None:
    program = """
import posterity
tiny = "1e-13"
for call in (
    lambda: posterity.release({"a": 48, "b": 42}, mechanism="tight(ehds)", epsilon=tiny),
    lambda: posterity.release({"a": 48, "b": 42}, mechanism="tight(ehds(gamma=auto))", epsilon=tiny),
    lambda: posterity.compare_mechanisms([48, 42], mechanisms=["tight(ehds)"], epsilon=tiny),
    lambda: posterity.audit(n=90, k=2, mechanism="tight(ehds)", epsilon=tiny),
):
    try:
        call()
    except posterity.ArgumentError as error:
        print(error)
posterity.advise(n=90, k=2, epsilon="1e-13")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    said = run.stdout.splitlines()
    assert len(said) == 4, run.stdout
    for line in said:
        assert line.startswith("epsilon: epsilon is 1e-13") and "leave out tight(..)" in line


@pytest.fixture
def ledger(tmp_path: pathlib.Path) -> posterity.Ledger:
    ledger = posterity.Ledger(tmp_path / "study.ledger", create=True)
    ledger.create_account("a", epsilon=1)
    return ledger


def left(ledger: posterity.Ledger) -> str:
    return str(ledger.account("a")["remaining_epsilon"])


def test_ten_tenths_are_one(ledger: posterity.Ledger) -> None:
    for _ in range(10):
        draw(COUNTS, epsilon=0.1, ledger=ledger, account="a")
    assert left(ledger) == "0"
    with pytest.raises(posterity.BudgetError, match="exceeds what remains"):
        draw(COUNTS, epsilon=0.1, ledger=ledger, account="a")
    assert [line["status"] for line in ledger.history("a")] == ["released"] * 10
    assert len(ledger.documents("a")) == 10


def test_data_without_a_name_is_never_recognised(ledger: posterity.Ledger) -> None:
    for data in (COUNTS, COUNTS, ["cured"] * 48 + ["not"] * 42):
        release = draw(data, categories=["cured", "not"], epsilon=0.2, ledger=ledger, account="a")
        assert not release.recalled and release.charged == "0.2"
    assert left(ledger) == "0.4"


def test_a_name_stands_for_the_same_data(ledger: posterity.Ledger) -> None:
    def ask(**options: Any) -> posterity.Release:
        arguments = {"name": "trial-7", "epsilon": 0.1, "ledger": ledger, "account": "a", **options}
        return draw(COUNTS, **arguments)

    first = ask()
    assert first.charged == "0.1" and first.remaining == "0.9"
    again = ask()
    assert again.recalled and again.charged is None
    assert again.to_dict() == first.to_dict()
    assert ledger.documents("a") == [first.to_dict()]
    assert again.private
    # How a draw is read is no part of the question.
    assert ask(level=0.5).recalled and ask(decode="projection").recalled and ask(prior=[2, 2]).recalled
    # What changes the law, or how the data is counted, is.
    for options in ({"epsilon": 0.05}, {"name": "trial-8"}, {"mechanism": "lshist"}, {"missing": "not"}):
        assert not ask(**options).recalled
    assert not ask(again=True).recalled
    assert ask().recalled


def test_a_name_does_not_stand_for_other_data(ledger: posterity.Ledger) -> None:
    options: dict[str, Any] = {"name": "survey", "epsilon": 0.1, "ledger": ledger, "account": "a"}
    draw({"x": 3, "y": 4}, **options)
    before = left(ledger)
    with pytest.raises(posterity.ArgumentError, match="this name stood for other data") as failure:
        draw({"x": 4, "y": 3}, **options)
    assert left(ledger) == before and "4" not in str(failure.value)
    assert draw({"x": 3, "y": 4}, **options).recalled
    assert not draw({"x": 4, "y": 3}, **options, again=True).recalled
    # Another number of records is another question anyway.
    assert not draw({"x": 5, "y": 4}, **(options | {"name": "other"})).recalled
    with pytest.raises(posterity.ArgumentError, match="name"):
        draw({"x": 5, "y": 4}, **(options | {"name": " "}))


def test_bad_requests_cost_nothing(ledger: posterity.Ledger) -> None:
    pay: dict[str, Any] = {"ledger": ledger, "account": "a"}
    bad: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"epsilon": 1, "seed": 1}, posterity.ArgumentError),
        ({"epsilon": 1, "level": 2}, posterity.ArgumentError),
        ({"epsilon": 1, "mechanism": "ehdl", "not_private": True}, posterity.PrivacyError),
        ({"epsilon": 1, "prior": [1]}, posterity.ArgumentError),
        ({"epsilon": 1, "prior": True}, posterity.ArgumentError),
        ({"epsilon": 1, "prior": "one"}, posterity.ArgumentError),
        ({"epsilon": 1, "account": "b"}, posterity.ArgumentError),
        ({"epsilon": 1, "account": None}, posterity.ArgumentError),
        ({"epsilon": 1, "ledger": None}, posterity.ArgumentError),
        ({"epsilon": 1, "ledger": "no-such.ledger"}, posterity.LedgerError),
        ({"epsilon": 1, "ledger": 5}, posterity.ArgumentError),
        ({"epsilon": 2}, posterity.BudgetError),
    ]
    for options, error in bad:
        with pytest.raises(error):
            draw(COUNTS, **(pay | options))
    assert left(ledger) == "1" and ledger.history("a") == []
    with pytest.raises(posterity.ArgumentError, match="again"):
        posterity.release(COUNTS, epsilon=1, again=True)


def test_one_number_is_the_prior_of_every_category(ledger: posterity.Ledger) -> None:
    pay: dict[str, Any] = {"ledger": ledger, "account": "a", "name": "trial", "epsilon": 0.1, "mechanism": "ehds"}
    written = draw(COUNTS, prior=[0.5, 0.5], **pay)
    again = draw(COUNTS, prior=0.5, **pay)
    assert again.recalled and again.to_dict() == written.to_dict()
    with pytest.raises(posterity.ArgumentError, match="k: this is required"):
        posterity.audit(n=9, epsilon=1, prior=0.5)


def test_ledgers(ledger: posterity.Ledger, tmp_path: pathlib.Path) -> None:
    assert repr(ledger) == f"Ledger({str(ledger.path)!r})" and ledger.path.exists()
    assert len(ledger.to_pandas()) == len(ledger.to_polars()) == 1
    head = ledger.verify()
    ledger.create_account("third", epsilon="1/3", delta=1e-6)
    assert ledger.account("third")["epsilon"] == "1/3"
    assert ledger.verify(head) != head
    with pytest.raises(posterity.LedgerError, match="no ledger"):
        posterity.Ledger(tmp_path / "none.ledger")
    bad: list[tuple[dict[str, Any], str]] = [
        ({"account": "a", "epsilon": 1}, "account: there is an account"),
        ({"account": "b", "epsilon": 0}, "epsilon: "),
        ({"account": "b", "epsilon": "x"}, "epsilon: the amount is"),
        ({"account": "b", "epsilon": 1, "delta": 2}, "delta: "),
        ({"account": "", "epsilon": 1}, "account: "),
        ({"account": 5, "epsilon": 1}, "account: this is not text"),
    ]
    for options, words in bad:
        with pytest.raises(posterity.ArgumentError, match=words):
            ledger.create_account(**options)
    for head in ("x", "1:" + "0" * 64):
        with pytest.raises(posterity.PosterityError):
            ledger.verify(head)
    assert json.dumps(ledger.export())


def test_accounts_protect_a_unit(ledger: posterity.Ledger) -> None:
    made = ledger.create_account("wards", epsilon=5, delta=1e-6, unit="patient", population="all of 2026")
    assert (made["unit"], made["population"], made["rule"]["kind"]) == ("patient", "all of 2026", "renyi")
    assert ledger.releases_of("wards", 0.1) == 97
    with pytest.raises(posterity.ArgumentError, match="unit: account .* protects each patient"):
        draw(COUNTS, epsilon=1, ledger=ledger, account="wards")
    assert ledger.history("wards") == []
    assert ledger.decide_unit("wards", unit="record")["unit"] == "record"
    drawn = draw(COUNTS, epsilon=1, ledger=ledger, account="wards")
    assert ledger.check(drawn.to_json())["account"] == "wards"
    with pytest.raises(posterity.LedgerError, match="was changed"):
        ledger.check(drawn.to_json().replace('"private": true', '"private": false'))
    with pytest.raises(posterity.ArgumentError, match="unit: .* can no longer be changed"):
        ledger.decide_unit("wards", unit="patient")
    sums = ledger.create_account("sums", epsilon=5, delta=1e-6, adds_up=True)
    assert sums["rule"]["kind"] == "sum" and ledger.releases_of("sums", "0.1") == 50


def test_keys_of_a_dictionary_are_said_to_be_published() -> None:
    plain = posterity.release({"yes": 3, "no": 4}, epsilon=1).to_dict()
    assert any("keys of a mapping" in note for note in plain["notes"])
    declared = posterity.release({"yes": 3, "no": 4}, categories=["yes", "no"], epsilon=1).to_dict()
    assert not any("keys of a mapping" in note for note in declared["notes"])
