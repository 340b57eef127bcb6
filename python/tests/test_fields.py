"""The arguments of each call are the fields of a plan, which stand in one list.

Fields are law (what is drawn), reading (how it is shown) or words. Those that a kind of releases has are arguments of its call,
or of its parts :class:`Data` and :class:`Unit`, by the same name with ``_``.
"""

from __future__ import annotations

import decimal
import fractions
import inspect
import json
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import posterity
import pytest
from posterity import _posterity

# Which records are counted is one argument, and a release by itself has no share of a budget.
BY_HAND = {"source": "data", "columns": "column"}
WITHOUT = {"share"}
# What is no part of a plan: the plan itself, who pays and signs, what makes a draw repeatable, what no plan may promise, and what data is called.
BESIDE = {"data", "plan", "budget", "again", "sign", "seed", "schema", "name"}
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


SCHEMA = {"fields": [{"name": "cured", "constraints": {"enum": ["yes", "no"]}}, {"name": "age", "bins": [0, 18.5, 65]}]}


@pytest.fixture
def people(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "people.csv"
    path.write_text("cured,age\n" + "".join(f"{('yes', 'no')[i % 2]},{i}\n" for i in range(60)))
    return path


def test_a_release_takes_its_columns_from_a_schema(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, a schema says something else of a column than a call that declares it."""
    file = tmp_path / "people.schema.json"
    file.write_text(json.dumps(SCHEMA))
    columns = ["cured", "age"]
    declared = posterity.Data(people, column=columns, categories=[["yes", "no"], None], bins=[None, [0, "18.5", 65]])
    expected = posterity.release(declared, epsilon=1, seed=1)
    for schema in (SCHEMA, file, str(file)):
        found = posterity.release(people, column=columns, schema=schema, epsilon=1, seed=1)
        assert found == expected and found.plan is not None
        assert found.plan["columns"] == {"cured": ["yes", "no"], "age": {"bins": [0, 18.5, 65]}}
    assert posterity.release(posterity.Data(people, column=columns, schema=SCHEMA), epsilon=1, seed=1) == expected
    assert posterity.check(people, column="cured", schema=SCHEMA).counted == 60
    # What the call declares of a column comes first.
    one = posterity.release(people, column="cured", categories=["no", "yes"], schema=SCHEMA, epsilon=1, seed=1)
    assert one.categories == ["no", "yes"]
    for wrong, said in [({"schema": "nowhere.json"}, "schema: "), ({"schema": ""}, "schema: "), ({"column": "ward"}, "column: .*ward"), ({"column": None}, "column: ")]:
        with pytest.raises(posterity.ArgumentError, match=f"^{said}"):
            posterity.release(people, **{"column": "cured", "schema": SCHEMA, "epsilon": 1, **wrong})
    with pytest.raises(posterity.ArgumentError, match="^schema: this is for files and tables"):
        posterity.release(["yes"], categories=["yes", "no"], schema=SCHEMA, epsilon=1)


def test_a_release_says_its_plan(people: pathlib.Path) -> None:
    """If this fails, what was asked for cannot be asked again by its plan."""
    made = posterity.release(
        posterity.Data(people, column="age", bins=[0, 18, 65], where="age > 3", edition="2026"),
        epsilon="1/3", read="age", compare="age: '[0,18)' - '[18,65)'", level=0.9, interval_kind="credible", seed=1,
    )
    assert made.plan is not None and made.plan["question"] == [{"columns": ["age"], "read": "age", "compare": "age: '[0,18)' - '[18,65)'"}]
    said = {"source": "people.csv", "where": "age > 3", "edition": "2026", "epsilon": "1/3", "level": 0.9, "interval-kind": "credible"}
    assert said.items() <= made.plan.items()
    assert pickle.loads(pickle.dumps(made)).plan == made.plan
    assert [table["reading"] for table in made.to_dict()["readings"]] == ["age"]


def test_a_plan_is_public(people: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If this fails, a plan that is shown to others says where this machine keeps its files, or who pays."""
    schema = tmp_path / "people.schema.json"
    schema.write_text(json.dumps(SCHEMA))
    ledger = posterity.Ledger(tmp_path / "private.ledger", create=True)
    ledger.create_account("survey", epsilon=5, adjacency="add-remove", delta="1e-6", unit="age")
    data = posterity.Data(people, column="cured", schema=schema)
    paid = {"epsilon": 1, "adjacency": "add-remove", "budget": posterity.Budget(tmp_path / "private.ledger", "survey")}
    wide = posterity.Data(people, schema=schema)
    drug = posterity.Data(people, column="cured")
    unit = posterity.Unit("age")
    made = [
        posterity.release(data, unit=unit, **paid),
        posterity.margins(wide, sets=2, unit=unit, delta="1e-7", **paid),
        posterity.discover(drug, unit=unit, delta="1e-7", epsilon=1, seed=1),
    ]
    for one in made:
        said = json.dumps(one.plan)
        assert str(tmp_path) not in said and "survey" not in said and "ledger" not in said and '"source": "people.csv"' in said
    # A plan is carried out for the file that it was made of, wherever that is.
    assert made[0].plan is not None
    again = posterity.release(people, plan=made[0].plan, seed=1)
    assert again.plan == made[0].plan
    # A document names its source as the plan does.
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(made[0].plan))
    assert posterity.release(plan=file, seed=1).to_dict()["request"]["data"]["source"] == "people.csv"


def test_categories_keep_their_blanks() -> None:
    """If this fails, a category that begins with a blank, as in many public data sets, cannot be counted."""
    for data in ([" a", "b"], {" a": 1, "b": 1}):
        assert posterity.release(data, categories=[" a", "b"], epsilon=1, seed=1).categories == [" a", "b"]


def test_numbers_keep_their_digits() -> None:
    """If this fails, a decimal is not taken at its word."""
    counts = {"a": 3, "b": 4}
    for epsilon, digits in [(0.1, 0.1), (decimal.Decimal("0.10"), 0.1), (fractions.Fraction(1, 3), "1/3"), ("1/3", "1/3"), (numpy.float64(0.1), 0.1), (numpy.int64(2), 2)]:
        plan = posterity.release(counts, epsilon=epsilon, seed=1).plan
        assert plan is not None and plan["epsilon"] == digits
    plan = posterity.release(counts, epsilon=1, prior=numpy.array([0.5, 2]), seed=1).plan
    assert plan is not None and plan["prior"] == [0.5, 2]
