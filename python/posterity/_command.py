"""The command ``posterity``."""

from __future__ import annotations

import signal
import sys

from . import _posterity


def main() -> int:
    """Run the command with the arguments of this process, and return its exit code."""
    # Ctrl-C ends the process at once, as it ends the program that Rust builds.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return _posterity.command(["posterity", *sys.argv[1:]])
    finally:
        signal.signal(signal.SIGINT, before)
