"""The arguments of each call are the fields of a plan, which stand in one list.

Fields are law (what is drawn), reading (how it is shown) or words. Those that a kind of releases has are arguments of its call,
or of its parts :class:`Data` and :class:`Unit`, by the same name with ``_``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import posterity
import pytest
from posterity import _posterity

# Which records are counted is one argument, and a release by itself has no share of a budget.
BY_HAND = {"source": "data", "columns": "column"}
WITHOUT = {"share"}
# What is no part of a plan: who pays and signs, what makes a draw repeatable, what no plan may promise, and what data is called.
BESIDE = {"data", "budget", "again", "sign", "seed", "schema", "name"}
OF_KIND: dict[str, set[str]] = {"table": {"not_private", "certificate"}, "margins": set(), "discovered": set()}
# Beside the arguments of a call, those of its parts have no meaning for some kinds, and are refused by name.
PARTS = {*inspect.signature(posterity.Data).parameters, *inspect.signature(posterity.Unit).parameters}


def fields(kind: str) -> set[str]:
    """The arguments for what a kind of releases may be asked for."""
    of_kind = [field for field in _posterity._fields() if kind in field["kinds"] and field["layer"] != "words"]
    return {BY_HAND.get(field["name"], field["name"].replace("-", "_")) for field in of_kind if field["name"] not in WITHOUT}


@pytest.mark.parametrize(
    ("kind", "ask"), [("table", posterity.release), ("margins", posterity.margins), ("discovered", posterity.discover)]
)
def test_the_arguments_of_a_call_are_the_fields_of_its_kind(kind: str, ask: Callable[..., Any]) -> None:
    """If this fails, a plan can say something that Python cannot, or the other way round."""
    arguments = set(inspect.signature(ask).parameters)
    assert fields(kind) <= arguments | PARTS, "a field is no argument"
    assert arguments <= fields(kind) | BESIDE | OF_KIND[kind], "an argument is no field"


def test_the_parts_of_a_call_are_fields() -> None:
    """If this fails, a part says something that no plan can say."""
    everything = fields("table") | fields("margins") | fields("discovered")
    assert PARTS <= everything | BESIDE


@pytest.mark.parametrize(
    ("ask", "part", "wrong"),
    [
        (posterity.margins, {"within": "age > 3"}, "within"),
        (posterity.discover, {"within": "age > 3"}, "within"),
        (posterity.discover, {"other": "else"}, "other"),
        (posterity.discover, {"categories": ["a", "b"]}, "categories"),
        (posterity.discover, {"bins": [1, 2, 3]}, "bins"),
    ],
)
def test_what_a_kind_has_not_is_refused(ask: Callable[..., Any], part: dict[str, Any], wrong: str) -> None:
    """If this fails, an argument is taken and has no effect."""
    data = posterity.Data("nothing.csv", column="age", **part)
    with pytest.raises(posterity.ArgumentError, match=f"^{wrong}: this has no meaning for .*; leave it out$"):
        ask(data, epsilon=1, delta="1e-9")
