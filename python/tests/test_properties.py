"""No argument crashes the interpreter, and every failure is a PosterityError."""

from __future__ import annotations

import datetime
import inspect
import warnings
from typing import Any

import numpy as np
import polars as pl
import posterity
from conftest import draw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.complex_numbers()
    | st.dates()
    | st.decimals()
    | st.sampled_from(["tight(mh)", "ehds(gamma=", "ehd(score=kl)", "best", "mh", "ehds", "lattice", "l1", "\ud800", "a"])
    | st.sampled_from([object(), object, len, Ellipsis, np.float64(0.5), np.int64(3), np.array([1, 2]), datetime.UTC])
)
junk = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4)
    | st.tuples(inner, inner)
    | st.dictionaries(st.text(max_size=3) | st.integers(0, 3), inner, max_size=3)
    | st.sets(st.text(max_size=3), max_size=3),
    max_leaves=6,
)
slowly = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def survives(function: Any, *arguments: Any, **options: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", posterity.PosterityWarning)
        try:
            function(*arguments, **options)
        except posterity.PosterityError as error:
            assert str(error)


RELEASE = (
    "epsilon categories prior mechanism column bins where unit per_unit other missing input_format delimiter name decode "
    "level seed not_private certificate ledger account again"
).split()


@given(junk, st.dictionaries(st.sampled_from(RELEASE), junk, max_size=3))
@slowly
def test_release_of_anything(data: Any, options: dict[str, Any]) -> None:
    survives(draw, data, **{"epsilon": 1, "categories": ["a", "b"], "column": None, **options})


@given(st.dictionaries(st.sampled_from(RELEASE), junk, min_size=1, max_size=2))
@slowly
def test_release_with_anything(options: dict[str, Any]) -> None:
    survives(draw, {"a": 5, "b": 4}, **{"epsilon": 1, **options})


@given(st.dictionaries(st.sampled_from(RELEASE), junk, max_size=3))
@slowly
def test_release_of_a_table_with_anything(options: dict[str, Any]) -> None:
    table = pl.DataFrame({"a": ["a", "b", "b"], "n": [1, 2, 3]})
    survives(draw, table, **{"epsilon": 1, "categories": ["a", "b"], "column": "a", **options})


# Few records: every candidate of every mechanism is listed, and decoded.
numbers = st.integers(-2, 9)
few = st.lists(numbers, max_size=3) | junk


@given(
    few | st.dictionaries(st.text(max_size=2), numbers, max_size=3),
    st.fixed_dictionaries(
        {"epsilon": st.floats(0.01, 10) | junk},
        optional={
            "prior": st.lists(st.floats(), max_size=4) | junk,
            "mechanisms": st.lists(st.sampled_from(["lattice", "geometric", "ehds", "mh"]), max_size=2) | junk,
            "decode": junk,
            "distance": st.sampled_from(["l1", "kl", "far"]) | junk,
            "runs": st.integers(-2, 20) | st.floats() | st.none(),
            "seed": junk,
            "max_outcomes": junk,
        },
    ),
)
@slowly
def test_compare_anything(counts: Any, options: dict[str, Any]) -> None:
    survives(posterity.compare_mechanisms, counts, **options)


@given(few, st.dictionaries(st.sampled_from(["prior", "mechanism", "decode", "max_outcomes"]), junk))
@slowly
def test_inspect_anything(counts: Any, options: dict[str, Any]) -> None:
    survives(posterity.inspect, counts, **{"epsilon": 1, **options})


sizes = st.integers(-3, 30) | st.floats() | st.text(max_size=3) | st.none()


@given(
    sizes,
    sizes,
    st.dictionaries(st.sampled_from(["prior", "mechanism", "profile", "max_probabilities", "certificate"]), junk),
)
@slowly
def test_audit_anything(n: Any, k: Any, options: dict[str, Any]) -> None:
    # Small enough to be done, whatever it is.
    survives(posterity.audit, n=n, k=k, **{"epsilon": 1, "max_probabilities": 1e6, **options, "certificate": None})


@given(sizes, st.integers(-1, 4) | scalars.filter(lambda k: not isinstance(k, int)), junk, junk)
@settings(parent=slowly, max_examples=25)
def test_advise_anything(n: Any, k: Any, epsilon: Any, shape: Any) -> None:
    survives(posterity.advise, n=n, k=k, epsilon=epsilon, shape=shape)


@given(st.sampled_from(["ehds", "ehd", "mh", "lsdim"]), junk)
@slowly
def test_mechanisms_of_anything(name: str, value: Any) -> None:
    make = getattr(posterity.mechanisms, name)
    for parameter in inspect.signature(make).parameters:
        survives(make, **{parameter: value})
    survives(posterity.mechanisms.tight, value)
    survives(posterity.release, {"a": 5, "b": 4}, epsilon=1, unit=value, budget=value)


@given(junk, junk, junk)
@slowly
def test_dirichlet_of_anything(parameters: Any, level: Any, seed: Any) -> None:
    survives(posterity.Dirichlet, parameters)
    release = posterity.release({"a": 5, "b": 4}, epsilon=1, seed=1)
    survives(release.interval, level)
    survives(release.sample, 3, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        survives(release.released_posterior.interval, level)
    survives(release.released_posterior.ln_density, parameters)


@given(junk)
@slowly
def test_ledger_of_anything(path: Any) -> None:
    survives(posterity.Ledger, path)


labels = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=50)


@given(labels, st.floats(0.05, 5), st.integers(0, 2**64 - 1))
@slowly
def test_labels_are_counted_as_python_counts_them(labels: list[str], epsilon: float, seed: int) -> None:
    mapping = {name: labels.count(name) for name in "abc"}
    from_labels = posterity.release(labels, categories=list("abc"), epsilon=epsilon, seed=seed)
    assert from_labels.to_dict() == posterity.release(mapping, categories=list("abc"), epsilon=epsilon, seed=seed).to_dict()
