"""The command that the package installs is the command that Rust builds."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

import posterity
import pytest
from conftest import EXAMPLES, Command
from posterity import _posterity

MAIN = "import sys; from posterity._command import main; sys.exit(main())"
BIKE = str(EXAMPLES / "bike-weather.csv")
LINES: list[list[str]] = [
    ["--version"],
    ["--help"],
    ["release", "--help"],
    ["release", "--counts", "48,42", "--epsilon", "1", "--seed", "1"],
    ["release", "--counts", "48,42", "--epsilon", "1", "--seed", "1", "--format", "json"],
    ["release", BIKE, "--column", "weather", "--categories", "clear,mist,wet", "--epsilon", "1", "--seed", "1"],
    ["release", "--counts", "48,42", "--epsilon", "1", "--mechanism", "mh"],
    ["release", "no-such.csv", "--column", "a", "--categories", "x,y", "--epsilon", "1"],
    ["release", "--counts", "48,42", "--epsilon", "0"],
    ["release"],
    ["nonsense"],
    [],
    ["compare", "--counts", "4,3", "--epsilon", "1", "--limit"],
]


def console(*arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", MAIN, *arguments]
    return subprocess.run(line, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("line", LINES, ids=str)
def test_the_same_words_and_exit_codes(command: Command, line: list[str]) -> None:
    mine, theirs = console(*line), command(*line)
    assert mine.returncode == theirs.returncode
    assert mine.stdout == theirs.stdout and mine.stderr == theirs.stderr


def test_exit_codes() -> None:
    assert console("--version").stdout == f"posterity {posterity.__version__}\n"
    codes = [console(*line).returncode for line in (["release", "--counts", "4,3", "--epsilon", "1"], LINES[6], LINES[8])]
    assert codes == [0, 1, 2]


def test_ctrl_c_ends_it_at_once() -> None:
    line = [sys.executable, "-c", MAIN, "audit", "--n", "50000", "--k", "2", "--epsilon", "1", "--mechanism", "tight(ehds)"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=2) == -signal.SIGINT


def test_arguments_that_are_not_unicode(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-c", MAIN, "release", b"/no\xff.csv", "--epsilon", "1"], capture_output=True, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_panic_is_an_exception_that_quotes_nothing(elsewhere: bool) -> None:
    code = f"from posterity import _posterity\n_posterity._panic({elsewhere})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Mallory" not in done.stderr and "panicked" not in done.stderr and "src/" not in done.stderr
    with pytest.raises(posterity.InternalError, match="not foreseen"):
        _posterity._panic(elsewhere)


def test_the_package_declares_the_command() -> None:
    text = (pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'posterity = "posterity._command:main"' in text
    assert callable(__import__("posterity._command")._command.main)
    assert os.path.exists(BIKE)
