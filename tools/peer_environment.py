"""A virtual environment with this package and the tools that it is measured against."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def progress(text: str) -> None:
    print(f"peers: {text}", file=sys.stderr, flush=True)


def environment(name: str, pinned: Mapping[str, str], own: bool = True) -> Path:
    """The Python of target/NAME, with these packages and, if `own`, this one as it stands in the clone. Ends if it cannot
    be made."""
    if sys.version_info < (3, 10):
        sys.exit(f"peers: this needs Python 3.10 to 3.13; this is {sys.version.split()[0]}.")
    home = ROOT / "target" / name
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        progress(f"making the virtual environment target/{name}")
        try:
            venv.create(home, with_pip=True)
        except subprocess.CalledProcessError:
            sys.exit("peers: this Python cannot make virtual environments with pip; install its venv and ensurepip modules.")
    pins = [f"{package}=={version}" for package, version in pinned.items()]
    install(python, ", ".join(pins), ["--only-binary=:all:", *pins])
    if own:
        install(python, "this package (the first build takes minutes)", ["--force-reinstall", "--no-deps", "."])
    return python


def install(python: Path, what: str, arguments: Sequence[str]) -> None:
    """Install with pip, or end with what pip said last."""
    progress(f"installing {what}")
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--quiet", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        said = "\n".join(done.stdout.strip().splitlines()[-15:])
        sys.exit(
            f"peers: could not install {what}; nothing was measured.\n{said}\n"
            f"peers: this needs Python 3.10 to 3.13 (this is {sys.version.split()[0]}), a package index that pip reaches, "
            "and Rust 1.88 or newer for Posterity."
        )
