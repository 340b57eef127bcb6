"""One reading interface of all kinds of releases."""

from __future__ import annotations

import copy
import inspect
import pathlib
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import posterity
import pytest
from scipy import special, stats

ROWS = pd.DataFrame(
    {
        "ward": [("A", "B", "C")[i % 3] for i in range(600)],
        "cured": ["yes" if i % 10 < 4 + 2 * (i % 3) else "no" for i in range(600)],
        "score": [str(i % 4) for i in range(600)],
    }
)
DECLARED: dict[str, Any] = {"column": ["ward", "cured"], "categories": [["A", "B", "C"], ["yes", "no"]]}
INTERFACE = [
    "__getitem__", "read", "given", "marginal", "difference", "compare", "sample", "to_pandas", "to_polars", "to_arviz", "picture",
    "describe", "verify", "save", "load", "from_json", "to_json", "to_dict", "columns", "plan", "private", "guarantee", "level",
]  # fmt: skip


@pytest.fixture(scope="module")
def release() -> posterity.Release:
    return posterity.release(posterity.Data(ROWS, **DECLARED), epsilon=1, seed=3)


@pytest.fixture(scope="module")
def margins() -> posterity.Margins:
    return posterity.margins(posterity.Data(ROWS, **DECLARED), epsilon=1, delta="1e-9", sets=2, seed=3)


@pytest.fixture(scope="module")
def found() -> posterity.Discovered:
    return posterity.discover(ROWS, column="ward", epsilon=1, delta="1e-9", one_record_per_person=True, total_epsilon=1, seed=3)


@pytest.fixture(params=["release", "margins", "found"])
def any_kind(request: pytest.FixtureRequest) -> posterity.Published[Any]:
    kind: posterity.Published[Any] = request.getfixturevalue(request.param)
    return kind


def test_every_kind_has_the_same_methods() -> None:
    """If this fails, what can be read of one release needs another word for another one."""
    for name in INTERFACE:
        for kind in (posterity.Release, posterity.Margins, posterity.Discovered):
            expected, has = inspect.getattr_static(posterity.Published, name), getattr(kind, name, None)
            assert has is not None, (kind, name)
            if inspect.isfunction(expected):
                assert inspect.signature(expected) == inspect.signature(inspect.getattr_static(kind, name)), (kind, name)


def test_a_document_is_saved_and_read(any_kind: posterity.Published[Any], tmp_path: pathlib.Path) -> None:
    path = tmp_path / "release.json"
    any_kind.save(path)
    assert path.read_text() == any_kind.to_json().rstrip() + "\n"
    kind = type(any_kind)
    assert kind.load(path) == any_kind == kind.from_json(any_kind.to_json()) == posterity.load(path) == pickle.loads(pickle.dumps(any_kind))
    with pytest.raises(posterity.ArgumentError, match=r"^path: .*exists.*\(force=True\)"):
        any_kind.save(path)
    any_kind.save(path, force=True)
    for other in {posterity.Release, posterity.Margins, posterity.Discovered} - {kind}:
        with pytest.raises(posterity.ArgumentError, match=f"^path: this is a document of another kind .*; read it with {kind.__name__}.load$"):
            other.load(path)
        with pytest.raises(posterity.ArgumentError, match=f"^text: .*; read it with {kind.__name__}.from_json$"):
            other.from_json(any_kind.to_json())
    assert any_kind.verify().checked and any_kind.describe().startswith("# ")
    assert "<h1" in any_kind.describe("label", format="html")
    with pytest.raises(posterity.ArgumentError, match='^what: .*sheet, label, registry'):
        any_kind.describe("poster")  # type: ignore[arg-type]


def test_every_kind_shows_its_numbers(any_kind: posterity.Published[Any]) -> None:
    """If this fails, print shows no interval, or does not say that a seed is not private."""
    text, page = str(any_kind), any_kind._repr_html_()
    assert text.startswith("NOT PRIVATE: ") and "95 % confidence interval" in text and any_kind.guarantee in text
    assert "NOT PRIVATE" in page and "95 % confidence interval" in page and text != repr(any_kind)
    assert any_kind.picture().svg.startswith("<svg") and bool(any_kind)


def test_names(release: posterity.Release, margins: posterity.Margins, found: posterity.Discovered) -> None:
    """If this fails, going through a release does not end, or a name that it lists cannot be read."""
    one = posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1)
    assert list(one) == ["yes", "no"] and "yes" in one and "maybe" not in one and len(one) == 2 and 3 not in one
    assert one["yes"].rows == one.read("category=yes").rows and one["category"] == one.read("category")
    assert len(release) == 6 and "ward=B,cured=no" in release
    for name in release:
        (row,) = release[name].rows
        assert name == ",".join(f"{column}={value}" for column, value in row["cell"].items())
    assert list(margins) == ["ward", "cured"] and margins["ward"] == margins.marginal("ward")
    assert list(found) == ["A", "B", "C"] and found["B"].rows == [found.read("count | ward")["B"]]
    assert found["count | ward"].interval()["A"] == found.interval()["A"]
    for kind in (release, margins, found):
        with pytest.raises(KeyError) as error:
            kind["wards"]
        assert isinstance(error.value, posterity.ArgumentError) and "ward" in str(error.value) and not str(error.value).startswith("'")
        with pytest.raises(posterity.ArgumentError, match="^reading: "):
            kind[3]  # type: ignore[index]
    with pytest.raises(KeyError, match="no row is named Bb; did you mean B"):
        release["ward"]["Bb"]
    assert "B" in release["ward"] and ("A", "yes") in release["cured | ward"] and release["ward"].rows[0] in release["ward"]


def test_what_a_kind_cannot_answer_says_what_to_use(margins: posterity.Margins, found: posterity.Discovered) -> None:
    for kind, remedy in ((margins, "rows"), (found, "counts")):
        for call in (lambda kind=kind: kind.sample(3), lambda kind=kind: kind.to_arviz()):
            with pytest.raises(posterity.ArgumentError, match=remedy):
                call()
    with pytest.raises(posterity.ArgumentError, match="^comparison: .*read the counts"):
        found.compare("ward: A - B")
    with pytest.raises(posterity.ArgumentError, match="^simultaneous: .*read in one way only"):
        found.read("count | ward", simultaneous=True)
    with pytest.raises(posterity.ArgumentError, match="^about: credible intervals are about the population"):
        found.read("count | ward", interval_kind="credible")
    with pytest.raises(posterity.UnknownNameError, match="discovered categories are read as they are: .*count | ward"):
        found.given("ward", "age")
    for kind in (margins, found):
        with pytest.raises(posterity.ArgumentError, match="^draws: this has no meaning for .*; leave it out"):
            kind.read("ward", draws=10)
        with pytest.raises(posterity.ArgumentError, match="^kind: .*forest"):
            kind.picture("ward", "mosaic")


def test_frames_keep_constants_apart(release: posterity.Release, margins: posterity.Margins, found: posterity.Discovered) -> None:
    frame = release.read("cured | ward").to_pandas()
    assert list(frame.columns)[:3] == ["estimate", "low", "high"]
    assert frame.attrs == {
        "reading": "cured | ward", "interval_kind": "confidence", "level": 0.95, "about": "population", "simultaneous": False,
        "method": "measured", "error": frame.attrs["error"], "private": False,
    }  # fmt: skip
    wide = margins.to_pandas()
    assert wide.index.names == ["column", "value"] and list(wide.index) == [(name, value) for name in margins for value in margins.columns[name]]
    assert wide.loc[("ward", "B"), "low"] == margins.read("ward")["B"]["interval"][0] and wide.attrs["level"] == 0.95
    assert "reading" not in wide.attrs and wide.attrs["private"] is False
    assert margins.to_polars()["low"].to_list() == wide["low"].tolist()
    counts = found.to_pandas()
    assert list(counts.columns)[:3] == ["count", "low", "high"] and counts.attrs["threshold"] == found.threshold
    assert found.to_polars()["high"].to_list() == counts["high"].tolist() and found.to_polars().columns[0] == "ward"
    assert release.to_polars()["private"].to_list() == [False] * 6
    difference = release.compare("cured=yes | ward: A - B")
    assert difference.to_pandas().loc["difference", "low"] == difference.interval()[0]
    assert difference.to_pandas().attrs["interval_kind"] == difference.interval_kind == "confidence"


def test_tables_show_themselves(release: posterity.Release) -> None:
    table = release.read("cured | ward")
    lines = str(table).splitlines()
    assert lines[0].split() == ["ward", "cured", "share", "95", "%", "confidence", "interval"] and lines[1].startswith("A     yes")
    assert len({len(line.rstrip()) for line in lines[:7]}) == 1, "the columns are aligned"
    assert lines[-1].startswith("NOT PRIVATE") and "NOT PRIVATE" in table._repr_html_() and "NOT PRIVATE" in repr(table)
    compared = release.compare("cured=yes | ward: A - B")
    assert "difference" in str(compared) and str(compared).splitlines()[-1].startswith("NOT PRIVATE") and "difference" in compared._repr_html_()
    open_ended = posterity.release({"yes": 48, "no": 42}, epsilon=1).read("category")
    assert open_ended.private and "PRIVATE" not in str(open_ended)


def test_changing_what_is_returned_changes_nothing(release: posterity.Release, margins: posterity.Margins, found: posterity.Discovered) -> None:
    """If this fails, whoever sorts a list changes what the next reader sees."""
    table, compared = release.read("cured | ward"), release.compare("cured=yes | ward: A - B")
    advice = posterity.advise(n=90, k=3, epsilon=1)
    audit = posterity.audit(n=9, k=2, epsilon=1, mechanism="ehds", profile=[0.5])
    inspected, compared_mechanisms = posterity.inspect([3, 4], epsilon=1), posterity.compare_mechanisms([3, 4], epsilon=1, mechanisms="geometric")
    checked, verified = posterity.check(["yes"], categories=["yes", "no"]), release.verify()

    def spoil(value: Any) -> None:
        if isinstance(value, dict):
            for one in value.values():
                spoil(one)
            value.clear()
        elif isinstance(value, list):
            for one in value:
                spoil(one)
            value.clear()

    for thing in (release, margins, found, table, compared, advice, audit, inspected, compared_mechanisms, checked, verified, release.posterior):
        names = [name for name, member in inspect.getmembers(type(thing)) if isinstance(member, property) and not name.startswith("_")]
        reads = [lambda name=name: getattr(thing, name) for name in names]
        reads += [getattr(thing, name) for name in ("to_dict", "interval", "_ipython_key_completions_") if hasattr(thing, name)]
        if isinstance(thing, posterity.Table):
            reads += [lambda: thing[0], lambda: thing["A", "yes"], lambda: list(thing), lambda: thing[:2]]
        for read in reads:
            before = copy.deepcopy(read())
            spoil(read())
            assert read() == before, (type(thing), read)


def test_copies_are_equal(release: posterity.Release) -> None:
    made = [
        release.posterior, release.posterior.of("cured | ward"), release.verify(), posterity.check(["yes"], categories=["yes", "no"]),
        posterity.advise(n=90, k=3, epsilon=1), posterity.inspect([3, 4], epsilon=1), release.compare("cured=yes | ward: A - B"),
        posterity.mechanisms.ehds(gamma=0.5),
    ]  # fmt: skip
    for one in made:
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one) and one != "else", type(one)


# The posterior.


def test_without_noise_the_posterior_is_that_of_scipy() -> None:
    """At an epsilon that leaves no noise, the law of a share is the Beta distribution of its counts."""
    counts, prior = {"a": 20, "b": 30, "c": 50}, [0.5, 2, 1]
    posterior = posterity.release(counts, epsilon=700, prior=prior, seed=1).posterior
    assert list(posterior) == ["a", "b", "c"] and posterior.noise_aware
    points = np.linspace(0.05, 0.95, 19)
    for (name, count), alpha in zip(counts.items(), prior, strict=True):
        law, expected = posterior[name], stats.beta(alpha + count, 103.5 - alpha - count)
        for function in ("pdf", "cdf", "ppf", "sf"):
            np.testing.assert_allclose(getattr(law, function)(points), getattr(expected, function)(points), rtol=1e-9, atol=1e-12)
        assert law.mean() == pytest.approx(expected.mean()) and law.std() == pytest.approx(expected.std()) and law.var() == pytest.approx(expected.var())
        assert law.interval(0.9) == pytest.approx(expected.interval(0.9)) and law.median() == pytest.approx(expected.median())
    both = posterior.of("category in {a, b}")
    assert both["{a, b}"].cdf(0.5) == pytest.approx(stats.beta(52.5, 51).cdf(0.5))


def enumerated(drawn: list[int], n: int, epsilon: float, alpha: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """All counts that are possible with their probabilities, given what geometric noise made of them: by Bayes' rule alone."""
    k = len(drawn)
    every = np.array([counts for counts in np.ndindex(*(n + 1,) * k) if sum(counts) == n])
    log = sum(special.gammaln(alpha[i] + every[:, i]) - special.gammaln(every[:, i] + 1) for i in range(k))
    # The last count follows from the others, which have the noise; of two categories a record changes one of them by one.
    scale = epsilon if k == 2 else epsilon / 2
    log = log - scale * sum(abs(every[:, i] - drawn[i]) for i in range(k - 1))
    weights = np.exp(log - log.max())
    return every, weights / weights.sum()


@pytest.mark.parametrize("counts", [[9, 4], [6, 3, 5]])
def test_with_noise_the_posterior_is_the_enumerated_one(counts: list[int]) -> None:
    """If this fails, the posterior is not what Bayes' rule makes of the release."""
    names, alpha, epsilon, n = "abc"[: len(counts)], [1.0, 0.5, 2.0][: len(counts)], 0.5, sum(counts)
    release = posterity.release(dict(zip(names, counts, strict=True)), mechanism="geometric", epsilon=epsilon, prior=alpha, seed=5)
    every, weights = enumerated(list(release.drawn.values()), n, epsilon, alpha)
    total = sum(alpha) + n
    for place, name in enumerate(names):
        law, a = release.posterior[name], alpha[place] + every[:, place]
        for x in (0.1, 0.35, 0.5, 0.8):
            assert law.cdf(x) == pytest.approx(float(weights @ stats.beta(a, total - a).cdf(x)), abs=1e-9)
            assert law.pdf(x) == pytest.approx(float(weights @ stats.beta(a, total - a).pdf(x)), rel=1e-8)
        assert law.mean() == pytest.approx(float(weights @ (a / total)))
        second = float(weights @ (a * (a + 1) / (total * (total + 1))))
        assert law.var() == pytest.approx(second - law.mean() ** 2)
        assert law.cdf(law.ppf(0.3)) == pytest.approx(0.3)
        above = release.probability(f"category={name} > 0.4")
        assert above == pytest.approx(1 - float(weights @ stats.beta(a, total - a).cdf(0.4)), abs=1e-9)
        assert above + release.probability(f"category={name} <= 0.4") == pytest.approx(1)


def test_the_posterior_of_readings(release: posterity.Release) -> None:
    """If this fails, intervals, draws and the distribution of one number belong to different laws."""
    for reading in ("cured | ward", "cured=yes | ward=A", "ward in {A, B}", "ward, cured"):
        table, posterior = release.read(reading, interval_kind="credible"), release.posterior.of(reading)
        assert list(posterior) == list(table.interval()) and posterior.reading == reading
        for key, (low, high) in table.interval().items():
            assert posterior[key].interval(0.95) == pytest.approx((low, high), abs=1e-9)
        assert list(posterior.mean().values()) == pytest.approx([row["mean"] for row in table])
        draws = posterior.rvs(2000, random_state=4)
        assert (draws == release.sample(2000, 4, reading=reading)).all() and draws.shape == (2000, len(table))
        assert posterior.std().keys() == posterior.cdf(0.5).keys() == posterior.pdf(0.5).keys() == posterior.ppf(0.5).keys() == posterior.interval().keys()
    assert release.posterior[("A", "yes")].rvs(5, 1).shape == (5,)
    assert release.posterior.of("ward")["A"].pdf([0.2, 0.3]).shape == (2,) and release.posterior.of("ward")["A"].cdf([[0.2]]).shape == (1, 1)
    with pytest.raises(KeyError, match="did you mean A"):
        release.posterior.of("ward")["AA"]
    with pytest.raises(posterity.ArgumentError, match="^reading: there are draws of shares and means, not of counts"):
        posterity.release({"a": 3, "b": 4}, epsilon=1, adjacency="add-remove", seed=1).posterior.of("count")


def test_the_posterior_of_a_mean() -> None:
    scores = posterity.release(ROWS, column="score", categories=["0", "1", "2", "3"], epsilon=1, seed=1)
    drawn = scores.posterior.of("mean(score)")["mean(score)"]
    row = scores.read("mean(score)", interval_kind="credible")[0]
    assert drawn.interval() == pytest.approx(row["interval"], abs=2e-3) and drawn.mean() == pytest.approx(row["mean"], abs=5e-3)
    assert scores.probability("mean(score) > 1") > 0.99 > 0.01 > scores.probability("mean(score) < 1")
    with pytest.raises(posterity.ArgumentError, match="^x: this number is known by draws, which have no density"):
        drawn.pdf(1.5)
    two = posterity.release({"1": 30, "3": 10}, epsilon=1, seed=1)
    share, mean = two.posterior["1"], two.posterior.of("mean(category)")["mean(category)"]
    assert mean.cdf(1.6) == pytest.approx(1 - share.cdf(0.7)) and mean.ppf(0.2) == pytest.approx(3 - 2 * share.ppf(0.8))
    assert mean.pdf(1.6) == pytest.approx(share.pdf(0.7) / 2) and mean.std() == pytest.approx(2 * share.std())


def test_statements(release: posterity.Release) -> None:
    for wrong in ("cured=yes | ward=A", "cured=yes > half", "> 0.5", "", 3, "cured=yes | ward=A > 50 %"):
        with pytest.raises(posterity.ArgumentError, match="^(statement|reading): "):
            release.probability(wrong)  # type: ignore[arg-type]
    with pytest.raises(posterity.ArgumentError, match="^statement: cured=yes | ward has 3 rows .*name one"):
        release.probability("cured=yes | ward > 0.5")
    plain = posterity.release({"a": 3000, "b": 4000}, epsilon=1, mechanism="lszhang", seed=1)
    if not plain.noise_aware:
        with pytest.warns(posterity.PosterityWarning, match="leaves the privacy noise out"):
            plain.probability("category=a > 0.4")
    certain = posterity.release({"a": 3, "b": 4}, epsilon=1, seed=1)
    whole = "category in {a, b}"
    assert [certain.probability(f"{whole} {sign} 1") for sign in (">", ">=", "<", "<=")] == [0, 1, 0, 1]


# What people give by mistake.


def test_what_is_no_data_says_what_to_write() -> None:
    """If this fails, a mistake that is often made is answered by an error of another library, or by a wrong release."""
    labels = {"categories": ["yes", "no"], "epsilon": 1, "seed": 1}
    frame = ROWS[["cured"]]
    text = "cured\n" + "\n".join(ROWS["cured"]) + "\n"
    numbers = pd.DataFrame({"age": pd.cut([3, 20, 40], [0, 18, 65])})
    for call, said in [
        (lambda: posterity.release(pl.from_pandas(frame).lazy(), column="cured", **labels), r"^data: this is a LazyFrame.*frame\.collect\(\)"),
        (lambda: posterity.release(frame["cured"], column="cured", **labels), r"^column: a Series is one column.*to_frame\(\)"),
        (lambda: posterity.release(text, column="cured", **labels), r"^data: this text is no path; .*io\.StringIO"),
        (lambda: posterity.release("yes" * 5000, column="cured", **labels), "^data: this text is no path"),
        (lambda: posterity.release(frame, column=0, **labels), '^column: columns are named by text; the one with the label 0 is column="0"'),
        (lambda: posterity.release(frame, column=[0, 1], **labels), "^column: columns are named by text"),
        (lambda: posterity.release(posterity.Data(numbers, column="age", bins=[0, 18, 65]), epsilon=1), "^data: age holds intervals, as pandas.cut makes them; .*bins"),
        (lambda: posterity.release(numbers["age"], categories=["a", "b"], epsilon=1), "^data: the Series holds intervals"),
        (lambda: posterity.discover(pl.from_pandas(frame).lazy(), column="cured", epsilon=1, delta="1e-9", one_record_per_person=True), "LazyFrame"),
    ]:
        with pytest.raises(posterity.ArgumentError, match=said) as error:
            call()
        assert "yesyes" not in str(error.value) and "yes\nno" not in str(error.value)
    named = pd.cut(pd.Series([3, 20, 40]), [0, 18, 65], labels=["young", "old"])
    parts = posterity.release(named, categories=["young", "old"], epsilon=700, seed=1)
    assert list(parts.drawn.values()) == [1, 2]
    zero = pd.DataFrame({0: ["yes", "no"]})
    assert posterity.release(zero, column="0", **labels).n == 2
