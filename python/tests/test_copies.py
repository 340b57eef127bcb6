"""Releases can be copied, pickled and sent to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pathlib
import pickle
from typing import Any

import posterity
import pytest

COUNTS = {"a": 20, "b": 30, "c": 50}

OPTIONS: list[dict[str, Any]] = [
    {},
    {"epsilon": "0.1000000000000000000000000001"},
    {"mechanism": "geometric(consistent)", "decode": "moments"},
    {"mechanism": "lshist", "level": 0.5},
    {"mechanism": "ehds(gamma=2)"},
    {"mechanism": "ehd(global-sensitivity=published)"},
    {"mechanism": "mh(delta=1e-5)", "not_private": True},
    {"prior": [0.5, 2, 7], "epsilon": 0.3},
]


def ask(release: posterity.Release) -> tuple[Any, ...]:
    """Everything that a release can be asked."""
    lines, picture = release._inner.lines(), release._inner.svg()
    draws = release.sample(3, seed=5).tolist()
    return release.to_json(), release.mean, release.interval(0.37), draws, lines, picture, repr(release), release._repr_html_()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_copy_says_the_same(options: dict[str, Any]) -> None:
    release = posterity.release(COUNTS, **{"epsilon": 1, "seed": 1, **options})
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    copies = [copy.copy(release), copy.deepcopy(release), *(pickle.loads(pickle.dumps(release, one)) for one in protocols)]
    for other in copies:
        assert type(other) is posterity.Release and ask(other) == ask(release)


def test_a_tight_calibration_is_found_again() -> None:
    release = posterity.release({"a": 5, "b": 4}, epsilon=1, seed=1, mechanism="tight(ehds)")
    assert ask(pickle.loads(pickle.dumps(release))) == ask(release)


def test_what_was_paid_is_remembered(tmp_path: pathlib.Path) -> None:
    ledger = posterity.Ledger(tmp_path / "study.ledger", create=True)
    ledger.create_account("a", epsilon="1/3")
    for _ in range(2):
        release = posterity.release(posterity.Data(COUNTS, name="trial"), epsilon=0.1, budget=posterity.Budget(ledger, "a"))
        again = pickle.loads(pickle.dumps(release))
        assert (again.charged, again.remaining, again.recalled) == (release.charged, release.remaining, release.recalled)
    assert release.recalled and again.private


def test_other_objects() -> None:
    distribution = posterity.Dirichlet([1, 2.5, 1e-300])
    assert pickle.loads(pickle.dumps(distribution)) == copy.deepcopy(distribution) == copy.copy(distribution) == distribution
    advice = posterity.advise(n=20, k=2, epsilon=1)
    assert pickle.loads(pickle.dumps(advice)).to_dict() == advice.to_dict()


def test_a_text_that_is_no_release() -> None:
    from posterity import _posterity

    for text in ("", "{}", "[]", "null"):
        with pytest.raises(posterity.InternalError, match="cannot be read"):
            _posterity.restore(text)


def work(epsilon: float) -> posterity.Release:
    return posterity.release(COUNTS, epsilon=epsilon, seed=1)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_send_releases(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {method}")
    # The parent has worked before, as in a notebook.
    expected = [ask(work(epsilon)) for epsilon in (0.5, 1, 2)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(work, (0.5, 1, 2)).get(timeout=120)
    assert [ask(release) for release in found] == expected


def test_what_is_equal_stays_equal_in_a_copy(tmp_path: pathlib.Path) -> None:
    release = posterity.release(COUNTS, epsilon=1, seed=1)
    other = posterity.release(COUNTS, epsilon=1, seed=2)
    ledger = posterity.Ledger(tmp_path / "a.ledger", create=True)
    makes = [lambda r: r, lambda r: r.picture("category"), lambda r: r.read("category"), lambda r: r.compare("category: a - b")]
    for make in makes:
        one = make(release)
        assert one == make(release) == copy.copy(one) == pickle.loads(pickle.dumps(one))
        assert one != make(other)
        assert one != "something else"
    assert ledger == pickle.loads(pickle.dumps(ledger)) == posterity.Ledger(tmp_path / "a.ledger")
    assert len({ledger, posterity.Ledger(tmp_path / "a.ledger")}) == 1
    assert ledger != posterity.Ledger(tmp_path / "b.ledger", create=True)


def test_a_copied_picture_is_written_in_both_forms(tmp_path: pathlib.Path) -> None:
    picture = posterity.release(COUNTS, epsilon=1, seed=1).picture("category")
    other = pickle.loads(pickle.dumps(picture))
    for form in ("svg", "png"):
        picture.save(tmp_path / f"a.{form}")
        other.save(tmp_path / f"b.{form}")
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
    with pytest.raises(posterity.ArgumentError, match=r"^path: .*\.svg or \.png"):
        other.save(tmp_path / "b.gif")
