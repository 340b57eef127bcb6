"""What the tests share."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import posterity
import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also tests that take long or build something first")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="./test --slow"))


OF_DATA = {"column", "categories", "bins", "where", "within", "other", "missing", "input_format", "delimiter", "encoding", "table", "view", "name", "edition"}


def draw(data: Any, **options: Any) -> posterity.Release:
    """A release whose Data, Unit and Budget are made of options that stand side by side."""
    of_data = {name: options.pop(name) for name in OF_DATA & options.keys()}
    if "per_unit" in options:
        options["unit"] = posterity.Unit(options.get("unit"), per_unit=options.pop("per_unit"))  # type: ignore[arg-type]
    if {"ledger", "account"} & options.keys():
        options["budget"] = posterity.Budget(options.pop("ledger", None), options.pop("account", None))  # type: ignore[arg-type]
    return posterity.release(posterity.Data(data, **of_data), **options)


class Command:
    """The command, built from the same sources."""

    def __init__(self) -> None:
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        self.program = target / "debug" / "posterity"

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        line = [str(self.program), *(str(argument) for argument in arguments)]
        return subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    def document(self, *arguments: object) -> Any:
        """The document that it prints, whether or not it likes what it found."""
        return json.loads(self(*arguments, "--format", "json").stdout)


@pytest.fixture(scope="session")
def command() -> Command:
    return Command()
