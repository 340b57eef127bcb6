"""The same arguments give the same answers and the same words as the command."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import posterity
import pytest
from conftest import EXAMPLES, Command

MECHANISMS = ["lattice", "geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh", "mhg"]


def flags(options: dict[str, Any]) -> list[str]:
    """Keyword arguments as they are typed."""
    line: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            line.append(flag)
        elif isinstance(value, list):
            line += [flag, ",".join(str(item) for item in value)]
        else:
            line += [flag, str(value)]
    return line


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("counts", [[48, 42], [54, 9, 27], [1000, 0, 3, 17]])
def test_the_same_seed_gives_the_same_release(command: Command, mechanism: str, counts: list[int]) -> None:
    data = {str(index + 1): count for index, count in enumerate(counts)}
    for epsilon, seed in ((0.1, 7), (1, 8)):
        options: dict[str, Any] = {"mechanism": mechanism, "epsilon": epsilon, "seed": seed, "not_private": True}
        found = posterity.release(data, categories=list(data), **options)
        expected = command.document("release", "--counts", ",".join(map(str, counts)), *flags(options))
        assert found.to_dict() == expected
        assert json.loads(found.to_json()) == expected


OPTIONS: list[dict[str, Any]] = [
    {"prior": [0.5, 0.25, 4]},
    {"prior": 0.5},
    {"mechanism": "ehds(gamma=2)"},
    {"mechanism": "tight(ehd)"},
    {"mechanism": "ehd(global-sensitivity=published)"},
    {"mechanism": "mh(delta=1e-5)", "not_private": True},
    {"mechanism": "lshist(consistent)", "decode": "best"},
    {"decode": "moments", "level": 0.5},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_option_of_a_release(command: Command, options: dict[str, Any]) -> None:
    options = {"epsilon": 0.7, "seed": 3, **options}
    found = posterity.release({"a": 5, "b": 9, "c": 2}, categories=["a", "b", "c"], **options)
    line = ["release", "--counts", "5,9,2", "--categories", "a,b,c", *flags(options)]
    assert found.to_dict() == command.document(*line)


def test_the_best_gamma(command: Command) -> None:
    options: dict[str, Any] = {"mechanism": "tight(ehds(gamma=auto))", "epsilon": 1, "seed": 3}
    expected = command.document("release", "--counts", "4,3", *flags(options))
    assert posterity.release({1: 4, 2: 3}, categories=[1, 2], **options).to_dict() == expected


def test_a_release_from_a_file(command: Command) -> None:
    path = EXAMPLES / "bike-weather.csv"
    options: dict[str, Any] = {"column": "weather", "categories": ["clear", "mist", "wet"], "epsilon": 0.5, "seed": 4}
    found = posterity.release(path, **options)
    assert found.to_dict() == command.document("release", path, *flags(options))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mechanisms": ["lattice", "geometric"], "decode": ["none", "best"], "limit": True},
        {"runs": 40, "seed": 5, "distance": "kl"},
        {"mechanisms": ["tight(ehds(gamma=auto))", "ehds(gamma=2, score=angle)"], "by": "width"},
    ],
    ids=str,
)
def test_compare(command: Command, options: dict[str, Any]) -> None:
    options = {"epsilon": 1, **options}
    found = posterity.compare_mechanisms([5, 4], **options)
    assert found.to_dict() == command.document("compare", "--counts", "5,4", *flags(options))
    assert json.loads(found.to_json()) == found.to_dict()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_inspect_and_audit(command: Command, mechanism: str) -> None:
    options: dict[str, Any] = {"mechanism": mechanism, "epsilon": 0.8}
    found = posterity.inspect([3, 2, 2], **options)
    assert found.to_dict() == command.document("inspect", "--counts", "3,2,2", *flags(options))
    options |= {"n": 6, "k": 3, "profile": [0, 0.4]}
    audited = posterity.audit(**options)
    assert audited.to_dict() == command.document("audit", *flags(options))
    assert audited.loss == audited.to_dict()["loss"]


def test_an_audit_of_one_data_set(command: Command) -> None:
    found = posterity.audit(counts=[50, 50], epsilon=1, mechanism="ehds")
    assert found.to_dict() == command.document("audit", "--counts", "50,50", "--epsilon", "1", "--mechanism", "ehds")
    assert found.loss == pytest.approx(0.25, abs=5e-4)
    assert found.loss < posterity.audit(n=100, k=2, epsilon=1, mechanism="ehds").loss
    for wrong in ({"n": 100}, {"k": 2}, {"certificate": "x.json"}):
        with pytest.raises(ValueError, match="cannot be used with counts"):
            posterity.audit(counts=[50, 50], epsilon=1, **wrong)
    with pytest.raises(ValueError, match="give the number of records, or counts"):
        posterity.audit(epsilon=1, k=2)


def test_an_audit_that_does_not_hold(command: Command) -> None:
    options: dict[str, Any] = {"mechanism": "ehdl", "prior": [0.05, 0.05], "n": 300, "epsilon": 0.1}
    found = posterity.audit(**options)
    assert not found.holds
    assert found.to_dict() == command.document("audit", *flags(options))


@pytest.mark.parametrize(
    "options",
    [
        {"n": 40, "k": 2, "half_width": 0.2},
        {"n": 40, "k": 2, "half_width": 0.01},
        {"n": 30, "prior": [0.5, 0.5], "shape": [6, 1], "distance": 0.2},
        {"n": 30, "k": 2, "prior": 0.5, "distance": 0.2},
    ],
    ids=str,
)
def test_advise_for_an_error(command: Command, options: dict[str, Any]) -> None:
    found = posterity.advise(**options)
    assert found.to_dict() == command.document("advise", *flags(options))
    assert (found.epsilon is None) == (found.records is not None)
    assert found.reason in repr(found)


@pytest.mark.parametrize(
    "options",
    [{}, {"half_width": 0.1, "distance": 0.1}, {"epsilon": 1, "half_width": 0.1}, {"half_width": 0.7}, {"distance": 0}],
    ids=str,
)
def test_advise_refuses(options: dict[str, Any]) -> None:
    with pytest.raises(posterity.ArgumentError):
        posterity.advise(n=40, k=2, **options)


@pytest.mark.parametrize("options", [{"k": 2}, {"prior": [0.5, 0.5, 0.5], "shape": [6, 1, 3]}], ids=str)
def test_advise(command: Command, options: dict[str, Any]) -> None:
    options = {"n": 90, "epsilon": 0.5, **options}
    found = posterity.advise(**options)
    assert found.to_dict() == command.document("advise", *flags(options))


def test_advise_among_mechanisms(command: Command) -> None:
    options: dict[str, Any] = {"n": 20, "k": 2, "epsilon": 1, "mechanisms": ["ehds(score=angle)", "lattice", "tight(ehd)"]}
    found = posterity.advise(**options)
    assert found.to_dict() == command.document("advise", *flags(options))
    assert {row["mechanism"] for row in found.rows} == {"ehds", "lattice", "ehd"}
    with pytest.raises(posterity.ArgumentError, match="mechanisms: .*far"):
        posterity.advise(n=20, k=2, epsilon=1, mechanisms="ehds(score=far)")
    with pytest.raises(posterity.PosterityError, match="none of these mechanisms"):
        posterity.advise(n=20, k=2, epsilon=1, mechanisms="ehdl")


@pytest.mark.parametrize("columns", ["a=2,b=3", [2, 3], {"a": 2, "b": 3}], ids=str)
def test_advise_on_a_table(command: Command, columns: Any) -> None:
    found = posterity.advise(columns=columns, read=["a | b", "a"], n=300, epsilon=0.5, shape={"b": [3, 2, 1]}, level=0.9)
    line = ["--columns", "2,3", "--read", "a | b", "--read", "a", "--n", "300", "--epsilon", "0.5"]
    assert found.to_dict() == command.document("advise", *line, "--shape", "b=3,2,1", "--level", "0.9")
    assert found.rows[0]["half_width"] > found.rows[0]["without_privacy"]
    assert sum(release["epsilon"] for release in found.releases) == pytest.approx(0.5)
    assert found.recommendation in repr(found)


def test_sizes_of_groups_from_an_earlier_release(command: Command, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "wards.csv"
    file.write_text("ward\n" + "A\n" * 30 + "B\n" * 10)
    earlier = posterity.release(file, column="ward", categories=["A", "B"], epsilon=1)
    document = tmp_path / "wards.json"
    document.write_text(earlier.to_json())
    options: dict[str, Any] = {"columns": {"ward": 2, "cured": 2}, "read": "cured | ward", "n": 300, "epsilon": 1, "shape": {"cured": [1, 3]}}
    found = posterity.advise(shape_from=earlier, **options).to_dict()
    assert found == posterity.advise(shape_from=document, **options).to_dict()
    line = ["--columns", "ward=2,cured=2", "--read", "cured | ward", "--n", "300", "--epsilon", "1", "--shape", "cured=1,3"]
    assert found == command.document("advise", *line, "--shape-from", document)
    seeded = posterity.release(file, column="ward", categories=["A", "B"], epsilon=1, seed=1)
    for wrong, words in (
        ({"shape_from": seeded}, "is not private"),
        ({"shape_from": earlier, "shape": None}, "no column"),
        ({"shape_from": earlier, "columns": {"ward": 3, "cured": 2}}, "has 2 values, and here it has 3"),
        ({"shape_from": 5}, "not a path"),
    ):
        with pytest.raises(posterity.ArgumentError, match=f"^shape_from: .*{words}"):
            posterity.advise(**(options | wrong))


def test_the_least_epsilon_of_a_table(command: Command) -> None:
    options: dict[str, Any] = {"columns": [2, 2], "read": "a | b", "n": 400, "half_width": 0.09}
    found = posterity.advise(**options)
    assert found.to_dict() == command.document("advise", *flags(options))
    assert found.epsilon is not None and found.reason in repr(found)


@pytest.mark.parametrize(
    "options, named",
    [
        ({"columns": [2, 1], "epsilon": 1}, "columns"),
        ({"columns": [], "epsilon": 1}, "columns"),
        ({"columns": {"a": "x"}, "epsilon": 1}, "columns"),
        ({"columns": [2, 2], "read": "z", "epsilon": 1}, "read"),
        ({"columns": [2, 2], "read": "a |", "epsilon": 1}, "read"),
        ({"columns": [2, 2], "prior": 0, "epsilon": 1}, "prior"),
        ({"columns": [2, 2], "prior": [1, 1], "epsilon": 1}, "prior"),
        ({"columns": [2, 2], "shape": [1], "epsilon": 1}, "shape"),
        ({"columns": [2, 2], "half_width": 2}, "half_width"),
        ({"columns": [2, 2], "half_width": 0.1, "epsilon": 1}, "epsilon"),
        ({"columns": [2, 2]}, "epsilon"),
        ({"columns": [2, 2], "k": 2, "epsilon": 1}, "k"),
        ({"k": 2, "read": "a", "epsilon": 1}, "read"),
    ],
    ids=str,
)
def test_advise_on_a_table_refuses(options: dict[str, Any], named: str) -> None:
    with pytest.raises(posterity.ArgumentError, match=f"^{named}: "):
        posterity.advise(n=40, **options)


def test_certificates_are_exchanged(command: Command, tmp_path: pathlib.Path) -> None:
    certificate = tmp_path / "mh.json"
    posterity.audit(n=7, k=2, epsilon=1, mechanism="mh", certificate=certificate)
    options: dict[str, Any] = {"epsilon": 1, "mechanism": "mh", "certificate": certificate, "seed": 1}
    found = posterity.release({"a": 3, "b": 4}, categories=["a", "b"], **options)
    line = ["release", "--counts", "3,4", "--categories", "a,b", *flags(options)]
    assert found.to_dict() == command.document(*line)
    certificate.write_text(certificate.read_text().replace("mh", "ehdl"))
    with pytest.raises(posterity.PrivacyError, match="certificate"):
        posterity.release({"a": 3, "b": 4}, **options)


def test_a_ledger_is_shared(command: Command, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "study.ledger"
    command("budget", "create", file, "--account", "a", "--epsilon", "1")
    ledger = posterity.Ledger(file)
    posterity.release({"a": 3, "b": 4}, epsilon=0.1, budget=posterity.Budget(ledger, "a"))
    command("release", "--counts", "3,4", "--epsilon", "0.2", "--ledger", file, "--account", "a")
    shown = command.document("budget", "show", file)
    # How many more releases would fit is an answer to a flag of the command.
    assert [account.pop("more_releases")["releases"] for account in shown] == [7]
    assert ledger.accounts() == shown
    assert ledger.account("a")["remaining_epsilon"] == "0.7"
    assert ledger.history("a") == command.document("budget", "history", file, "--account", "a")
    assert ledger.verify() == command.document("budget", "verify", file)["head"]
    assert ledger.export() == json.loads(command("budget", "export", file).stdout)


WORDS: list[tuple[dict[str, Any], str]] = [
    ({"epsilon": 0}, "epsilon is 0; choose a positive, finite number"),
    ({"epsilon": -1}, "epsilon is -1; choose a positive, finite number"),
    ({"epsilon": "one"}, "epsilon is one; choose a positive, finite number"),
    ({"prior": [1, 0]}, "prior parameter 2 is 0; give a finite number above zero"),
    ({"prior": [1, 1, 1]}, "the prior has 3 parameters for 2 categories; give one for each, or one number for all"),
    ({"prior": -0.5}, "prior parameter 1 is -0.5; give a finite number above zero"),
    ({"level": 1}, "the level is 1; choose a number strictly between 0 and 1"),
    ({"decode": "magic"}, "projection"),
    ({"mechanism": "magic"}, "geometric"),
    ({"mechanism": "ehds(gamma=0)"}, "gamma is 0; choose a positive, finite number"),
    ({"mechanism": "ehds(gamma=auto)"}, "auto is for tight calibration"),
    ({"mechanism": "ehds(gamma=x)"}, "this is not a number; write it like 0.5 or 1e-8"),
    ({"mechanism": "mh(delta=1)"}, "delta is 1"),
    ({"mechanism": "optimal", "decode": "best"}, "optimal releases possible counts already"),
    ({"mechanism": "lattice(gamma=1)"}, "lattice has no parameter"),
]


@pytest.mark.parametrize("options, words", WORDS, ids=str)
def test_bad_arguments_have_the_words_of_the_command(command: Command, options: dict[str, Any], words: str) -> None:
    options = {"epsilon": 1, **options}
    with pytest.raises(ValueError) as failure:
        posterity.release({"a": 3, "b": 4}, **options)
    assert type(failure.value) is posterity.ArgumentError
    run = command("release", "--counts", "3,4", *flags(options))
    assert run.returncode == 2
    assert words in run.stderr
    assert words in str(failure.value)


def test_refusals_have_the_words_of_the_command(command: Command) -> None:
    refusals: list[tuple[Any, type[Exception], list[str]]] = [
        (lambda: posterity.release({"a": 3, "b": 4}, epsilon=1, mechanism="mh"), posterity.PrivacyError, ["release", "--counts", "3,4", "--epsilon", "1", "--mechanism", "mh"]),
        (lambda: posterity.audit(n=100_000, k=3, epsilon=1), posterity.SizeError, ["audit", "--n", "100000", "--k", "3", "--epsilon", "1"]),
        (lambda: posterity.inspect([60, 60, 60], epsilon=1), posterity.SizeError, ["inspect", "--counts", "60,60,60", "--epsilon", "1"]),
    ]
    for call, error, line in refusals:
        with pytest.raises(error) as failure:
            call()
        run = command(*line)
        assert run.returncode == 1
        said = run.stderr.splitlines()[-1].removeprefix("error: ")
        # The remedies name arguments where the command names flags.
        assert str(failure.value).split("; nothing")[0].split(" (max")[0].split(". ")[0] in said
