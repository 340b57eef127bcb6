"""Documents are signed, and verified as the command verifies them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import posterity
import pytest
from conftest import Command

LABELS = ["yes"] * 48 + ["no"] * 42
COLUMNS = {"ward": ["A", "B"] * 45, "cured": LABELS}

PLAN = """
title = "Wards"
source = "people.csv"
epsilon = 1
delta = 1e-9
ledger = "study.ledger"
account = "study"
columns = { ward = ["A", "B"], cured = ["yes", "no"] }
[[question]]
columns = ["ward", "cured"]
[[margins]]
name = "pairs"
sets = 2
"""


class Office:
    """A folder with data, a ledger with an account that pays for everything, and two pairs of keys."""

    def __init__(self, folder: pathlib.Path, command: Command) -> None:
        self.folder = folder
        rows = zip(*COLUMNS.values(), strict=True)
        self.people = folder / "people.csv"
        self.people.write_text("ward,cured\n" + "".join(f"{ward},{cured}\n" for ward, cured in rows))
        (folder / "plan.toml").write_text(PLAN)
        self.ledger = posterity.Ledger(folder / "study.ledger", create=True)
        self.ledger.create_account("study", epsilon=20, delta="1e-6")
        # Discovered categories cost a delta of their own, which only such an account pays.
        self.ledger.create_account("values", epsilon=20, delta="1e-6", adjacency="add-remove", reason="other people", adds_up=True)
        self.budget = posterity.Budget(self.ledger, account="study")
        for name in ("office", "other"):
            assert command("budget", "keygen", folder / name).returncode == 0
        self.secret, self.public = folder / "office.secret", folder / "office.public"

    def made(self, **options: Any) -> list[posterity.Release | posterity.Margins | posterity.Discovered]:
        """A document of each kind."""
        wide = {"epsilon": 1, "delta": "1e-9"}
        values = {**options, "budget": posterity.Budget(self.ledger, account="values")} if "budget" in options else options
        asked = posterity.Data(self.people, column=["ward", "cured"], categories=[["A", "B"], ["yes", "no"]])
        return [
            posterity.release(posterity.Data({"yes": 48, "no": 42}), epsilon=1, **options),
            posterity.margins(asked, **wide, **options),
            posterity.discover(self.people, column="cured", one_record_per_person=True, **wide, **values),
        ]


@pytest.fixture
def office(tmp_path: pathlib.Path, command: Command) -> Office:
    return Office(tmp_path, command)


def test_documents_of_every_kind_are_signed(office: Office, command: Command) -> None:
    """If this fails, nobody can tell who made a document, or another one is taken for it."""
    for number, document in enumerate(office.made(budget=office.budget, sign=office.secret)):
        verified = posterity.verify(document, key=office.public)
        assert verified.not_checked == [] and verified.documents[0]["signed_by"] in verified.checked[-1]
        assert any("whose signature" in one for one in posterity.verify(document, ledger=office.ledger).not_checked)
        with pytest.raises(posterity.VerificationError):
            posterity.verify(document, key=office.folder / "other.public")
        file = office.folder / f"{number}.json"
        file.write_text(document.to_json())
        assert command("verify", file, "--key", office.public).returncode == 0
    for document in office.made(budget=office.budget):
        with pytest.raises(posterity.VerificationError, match="not signed"):
            posterity.verify(document, key=office.public)


def test_what_nobody_charged_is_not_signed(office: Office) -> None:
    for make in range(3):
        with pytest.raises(posterity.ArgumentError, match="^sign: what nobody charged is not signed"):
            office.made(sign=office.secret)[make]
    with pytest.raises(posterity.ArgumentError, match="^seed: "):
        office.made(budget=office.budget, sign=office.secret, seed=1)
    for wrong in (office.public, office.folder / "none.secret", 5):
        with pytest.raises(posterity.ArgumentError, match="^sign: "):
            office.made(budget=office.budget, sign=wrong)
    plan = office.folder / "plan.toml"
    with pytest.raises(posterity.ArgumentError, match="^sign: what nobody charged is not signed; leave out the seed"):
        posterity.study(plan, out=office.folder / "results", sign=office.secret, seed=1)
    plan.write_text("\n".join(line for line in PLAN.splitlines() if not line.startswith(("ledger", "account"))))
    with pytest.raises(posterity.ArgumentError, match="^sign: what nobody charged is not signed; name a ledger"):
        posterity.study(plan, out=office.folder / "results", sign=office.secret)
    assert office.ledger.history("study") == []


def test_it_says_what_the_command_says(office: Office, command: Command) -> None:
    """If this fails, a program takes something for checked that was not."""
    against: list[dict[str, Any]] = [
        {},
        {"ledger": office.ledger.path},
        {"key": office.public},
        {"ledger": office.ledger.path, "key": office.public},
    ]
    files = []
    for number, document in enumerate(office.made(budget=office.budget, sign=office.secret)):
        files.append(office.folder / f"{number}.json")
        files[-1].write_text(document.to_json())
    study = posterity.study(office.folder / "plan.toml", out=office.folder / "results", sign=office.secret)
    for file in [*files, study.folder, study.report]:
        for given in against:
            flags = [text for name, value in given.items() for text in (f"--{name}", value)]
            expected = json.dumps(command.document("verify", file, *flags)).replace("--", "")
            assert posterity.verify(file, **given).to_dict() == json.loads(expected)
    of_text, of_file = (posterity.verify(given, **against[3]) for given in (files[0].read_text(), str(files[0])))
    assert of_text.checked == of_file.checked and of_text.not_checked == []
    assert posterity.verify(study, **against[3]).study == "Wards"
    assert list(study.documents) == ["ward-cured", "pairs"] and list(study) == ["ward-cured"]


def test_every_difference_is_named(office: Office, command: Command) -> None:
    """If this fails, a forged document passes, or nobody learns where it is forged."""
    for number, document in enumerate(office.made(budget=office.budget)):
        forged = document.to_json().replace('"private": true', '"private": false')
        file = office.folder / f"{number}.json"
        file.write_text(forged)
        for given in (forged, file):
            with pytest.raises(posterity.VerificationError, match="was changed") as caught:
                posterity.verify(given)
            assert caught.value.differences == command.document("verify", file)["differences"] != []
            assert isinstance(caught.value, posterity.LedgerError)
        with pytest.raises(posterity.VerificationError, match="was changed") as caught:
            office.ledger.check(forged)
        assert caught.value.differences
    study = posterity.study(office.folder / "plan.toml", out=office.folder / "results")
    (study.folder / "more.txt").write_text("more")
    with pytest.raises(posterity.VerificationError) as caught:
        posterity.verify(study)
    assert caught.value.differences == ["more.txt does not belong there"]
    for wrong in ("nothing.json", "{}", 5, office.people):
        with pytest.raises(posterity.ArgumentError, match="^document: "):
            posterity.verify(wrong)  # type: ignore[arg-type]
    elsewhere = posterity.Ledger(office.folder / "else.ledger", create=True)
    with pytest.raises(posterity.VerificationError, match="was not charged there"):
        posterity.verify(office.made(budget=office.budget)[0], ledger=elsewhere)


def test_what_was_not_checked_is_said() -> None:
    verified = posterity.verify(posterity.release({"yes": 48, "no": 42}, epsilon=1, seed=1))
    assert verified.checked and verified.not_checked == verified.differences == [] and verified.study is None
    assert repr(verified) == "<Verification: 3 checks hold; not checked: nothing>" and "Checked: " in verified._repr_html_()
