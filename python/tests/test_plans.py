"""The same questions as at all fronts: by a plan, and by arguments.

The plans and the digests of their documents are those of ``crates/posterity-cli/tests/pinned/plans``, whose README.md describes them.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import shutil
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import posterity
import pytest
from conftest import ROOT

FIXTURE = ROOT / "crates/posterity-cli/tests/pinned/plans"
ENTRIES: list[dict[str, Any]] = json.loads((FIXTURE / "plans.json").read_text(encoding="utf-8"))
TEXTS = {line.split('"', 4)[3]: line for line in (FIXTURE / "plans.json").read_text(encoding="utf-8").splitlines() if line.startswith("{")}
FUNCTIONS: dict[str, Callable[..., Any]] = {"release": posterity.release, "margins": posterity.margins, "discover": posterity.discover}
EACH = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["name"]))


@pytest.fixture
def desk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The folder of the questions: documents name their source as it is asked for."""
    for path in FIXTURE.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def digest(document: Any) -> str:
    """The digest of a document without the number of the version."""
    text = document.to_json().rstrip().replace(f'"version": "{posterity.__version__}"', '"version": ""', 1)
    return hashlib.sha256(text.encode()).hexdigest()


def drawn(entry: dict[str, Any], *arguments: Any, **named: Any) -> Any:
    """The answer to a question under its seed."""
    if entry["not_private"]:
        named["not_private"] = True
    return FUNCTIONS[entry["command"]](*arguments, **named, seed=entry["seed"])


# What only a schema says of a column.
SPELLED = {"aliases", "labels", "ordered", "whole"}


def of_schema(name: str, column: dict[str, Any]) -> dict[str, Any]:
    """A column of a plan as a field of a schema, where spellings and labels stand by their categories."""
    pairs = {key: [text.split("=", 1) for text in column.get(key, [])] for key in ("aliases", "labels")}
    aliases = {category: [alias for of, alias in pairs["aliases"] if of == category] for category, _ in pairs["aliases"]}
    spelled = {"aliases": aliases, "labels": dict(pairs["labels"])}
    return {"name": name, **column, **{key: said for key, said in spelled.items() if said}}


def by_arguments(plan: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The data and the arguments that say what a plan says."""
    (key,) = {"question", "margins", "discover"} & plan.keys()
    (question,) = plan[key]
    said = {**{name: value for name, value in plan.items() if name not in (key, "columns", "source")}, **question}
    said.pop("columns", None)
    data = {name: said.pop(name) for name in ("where", "within", "other", "missing", "input-format", "delimiter", "encoding", "edition") if name in said}
    declared = plan.get("columns", {})
    if key != "discover":
        names = list(question.get("columns", declared))
        columns = [declared[name] if isinstance(declared[name], dict) else {"categories": declared[name]} for name in names]
        data |= {"column": names, "categories": [one.get("categories") for one in columns], "bins": [one.get("bins") for one in columns]}
        for label in ("other", "missing"):
            of_columns = {name: one[label] for name, one in zip(names, columns, strict=True) if label in one}
            if of_columns:
                data[label] = of_columns
        # What else is declared of columns stands in a schema.
        if any(one.keys() & SPELLED for one in columns):
            data["schema"] = {"fields": [of_schema(name, one) for name, one in zip(names, columns, strict=True)]}
            del data["categories"], data["bins"]
    if "per-unit" in said:
        said["unit"] = posterity.Unit(said["unit"], per_unit=said.pop("per-unit"))
    arguments = {name.replace("-", "_"): value for name, value in said.items()}
    return posterity.Data(plan["source"], **{name.replace("-", "_"): value for name, value in data.items()}), arguments


def test_there_are_forty() -> None:
    assert len(ENTRIES) >= 40 and {entry["command"] for entry in ENTRIES} == FUNCTIONS.keys()


@EACH
def test_a_plan_gives_the_document_of_all_fronts(desk: pathlib.Path, entry: dict[str, Any]) -> None:
    """If this fails, Python reads a plan in another way than the other fronts do."""
    assert digest(drawn(entry, plan=entry["plan"])) == entry["digest"]


@EACH
def test_arguments_give_the_document_of_all_fronts(desk: pathlib.Path, entry: dict[str, Any]) -> None:
    """If this fails, what can be said by a plan is said otherwise by arguments, or not at all."""
    data, arguments = by_arguments(entry["plan"])
    found = drawn(entry, data, **arguments)
    assert digest(found) == entry["digest"]
    # What was asked is a plan again, which gives the same document.
    assert found.plan == posterity.plan(FUNCTIONS[entry["command"]], data, **arguments)
    assert digest(drawn(entry, plan=found.plan)) == entry["digest"]


def test_a_plan_is_a_dict_a_text_or_a_file(desk: pathlib.Path) -> None:
    """If this fails, a plan in a file, or as a text, is another one than as a dict."""
    entry = next(entry for entry in ENTRIES if entry["name"] == "joint-readings")
    expected = drawn(entry, plan=entry["plan"])
    text = json.dumps(entry["plan"])
    toml = '\nsource = "stays.csv"\nepsilon = 1\n[columns]\nward = ["A", "B"]\n[[question]]\ncolumns = ["ward"]\nread = "ward"\nmissing = "gone"\nother = "else"\n'
    (desk / "plan.json").write_text(text)
    (desk / "plan.toml").write_text(toml)
    for plan in (text, f"\n{text}", "plan.json", desk / "plan.json"):
        found = drawn(entry, plan=plan)
        assert found.to_dict()["drawn"] == expected.to_dict()["drawn"] and found.plan == expected.plan
    one = posterity.release(plan="plan.toml", seed=1)
    assert one == posterity.release(plan=toml, seed=1) and one.categories == ["A", "B", "else", "gone"]
    # Paths start from the folder of the plan.
    (desk / "below").mkdir()
    shutil.copy(desk / "plan.toml", desk / "below/plan.toml")
    with pytest.raises(posterity.PosterityError, match="below/stays.csv"):
        posterity.release(plan="below/plan.toml", seed=1)
    assert posterity.release("stays.csv", plan="below/plan.toml", seed=1).drawn == one.drawn


def test_a_plan_may_be_about_data_in_memory(desk: pathlib.Path) -> None:
    """If this fails, a plan that was made of one kind of data asks something else of another one."""
    frame = pd.read_csv("stays.csv")
    plan = posterity.plan(posterity.release, frame, column="ward", categories=["A", "B", "C"], epsilon=1)
    assert "source" not in plan
    with pytest.raises(posterity.ArgumentError, match="^data: the plan names no source; give the data beside it"):
        posterity.release(plan=plan)
    expected = posterity.release("stays.csv", column="ward", categories=["A", "B", "C"], epsilon=1, seed=3).drawn
    for data in (frame, pl.from_pandas(frame), "stays.csv", frame["ward"].tolist(), frame["ward"].value_counts().to_dict()):
        assert posterity.release(data, plan=plan, seed=3).drawn == expected
    labels = posterity.plan(posterity.release, ["A", "B"], categories=["A", "B", "C"], epsilon=1)
    assert posterity.release(frame["ward"].tolist(), plan=labels, seed=3).drawn == expected


def test_a_plan_says_what_is_asked(desk: pathlib.Path) -> None:
    """If this fails, an argument beside a plan has no effect, or changes what the plan says."""
    plan = ENTRIES[0]["plan"]
    for wrong in ({"epsilon": 2}, {"level": 0.9}, {"column": "ward"}, {"unit": "id"}, {"adjacency": "add-remove"}, {"read": "ward"}):
        with pytest.raises(posterity.ArgumentError, match=f"^{next(iter(wrong))}: the plan says what is asked"):
            posterity.release(plan=plan, **wrong)  # type: ignore[call-overload]
    with pytest.raises(posterity.ArgumentError, match="^where: the plan says what is asked"):
        posterity.release(posterity.Data("stays.csv", where="age > 3"), plan=plan)
    for wrong_plan, said in [
        ({**plan, "epsilon": -1}, r"^plan: epsilon: "),
        ({**plan, "epsilom": 1}, r'^plan: .*no key "epsilom"'),
        ({name: value for name, value in plan.items() if name != "epsilon"}, "^plan: .*epsilon"),
        ({**plan, "question": plan["question"] * 2}, "^plan: "),
        ("{", "^plan: "),
        ("nowhere.toml", "^plan: .*nowhere.toml"),
        (3, "^plan: this is not a path"),
    ]:
        with pytest.raises(posterity.ArgumentError, match=said):
            posterity.release(plan=wrong_plan, seed=1)
    with pytest.raises(posterity.ArgumentError, match="asks something else than one such question; posterity.study"):
        posterity.margins(plan=plan, seed=1)
    for call in (posterity.release, posterity.margins, posterity.discover):
        with pytest.raises(posterity.ArgumentError, match="^data: this is required"):
            call(epsilon=1)  # type: ignore[call-overload]
    with pytest.raises(posterity.ArgumentError, match="^epsilon: this is required"):
        posterity.release({"a": 1, "b": 2})  # type: ignore[call-overload]


def test_a_plan_may_name_who_pays(desk: pathlib.Path) -> None:
    """If this fails, a plan of a study pays another account when it is one release, or none."""
    ledger = posterity.Ledger("office.ledger", create=True)
    ledger.create_account("office", epsilon=2)
    paid = {**ENTRIES[0]["plan"], "ledger": "office.ledger", "account": "office"}
    assert posterity.release(plan=paid).charged == "1" and posterity.release(plan=paid).recalled
    assert posterity.release(plan=ENTRIES[0]["plan"], budget=posterity.Budget(ledger, "office")).recalled
    with pytest.raises(posterity.ArgumentError, match="^budget: the plan names its ledger"):
        posterity.release(plan=paid, budget=posterity.Budget(ledger, "office"))


def test_a_study_takes_a_plan_as_it_is(desk: pathlib.Path) -> None:
    """If this fails, a study of a plan in memory is another one than that of its file."""
    plan = {**ENTRIES[0]["plan"], "title": "Stays"}
    (desk / "plan.json").write_text(json.dumps(plan))
    studies = [posterity.study(given, out=f"out{index}", seed=2) for index, given in enumerate([plan, json.dumps(plan), "plan.json", desk / "plan.json"])]
    assert len({study["ward"].to_json() for study in studies}) == 1
    assert posterity.study("plan.json", seed=2).folder.name == "plan"
    for wrong, said in [
        ({"plan": plan}, "^out: name the folder"),
        ({"plan": {**plan, "epsilon": 0}, "out": "wrong"}, "^plan: epsilon: "),
        ({"plan": pd.DataFrame({"ward": ["A"]}), "out": "wrong"}, "^plan: this is a table"),
        ({"plan": {name: value for name, value in plan.items() if name != "source"}, "out": "wrong"}, "^plan: .*source"),
    ]:
        with pytest.raises(posterity.ArgumentError, match=said):
            posterity.study(**wrong)
    with pytest.raises(KeyError, match="did you mean ward"):
        studies[0]["wards"]


def test_a_plan_holds_no_counts() -> None:
    """If this fails, a plan shows what is private."""
    plan = posterity.plan(posterity.release, {"a": 4711, "b": 815}, epsilon=1, seed=90125)
    assert not {"4711", "815", "90125"} & set(re.findall(r"\d+", json.dumps(plan))) and plan["question"][0]["categories"] == ["a", "b"]


def test_only_functions_of_releases_are_planned() -> None:
    with pytest.raises(posterity.ArgumentError, match="^function: give one of posterity.release"):
        posterity.plan(posterity.audit, n=3)
