"""The package itself: documentation, types, what it imports, the notebook and the wheel."""

from __future__ import annotations

import doctest
import inspect
import os
import pathlib
import subprocess
import sys
import venv
from typing import Any

import posterity
import pytest
from conftest import EXAMPLES, ROOT

OPTIONAL = ["numpy", "pandas", "polars", "pyarrow", "scipy", "matplotlib", "arviz"]


def documented() -> list[tuple[str, str]]:
    """Everything public with its documentation."""
    found = [(module.__name__, module.__doc__ or "") for module in (posterity, posterity.mechanisms)]
    things = {name: getattr(posterity, name) for name in posterity.__all__}
    things |= {f"mechanisms.{name}": getattr(posterity.mechanisms, name) for name in posterity.mechanisms.__all__}
    for name, thing in things.items():
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        found.append((name, thing.__doc__ or ""))
        if inspect.isclass(thing):
            members = [(f"{name}.{member}", value) for member, value in vars(thing).items() if not member.startswith("_")]
            found += [(member, value.__doc__ or "") for member, value in members]
    return found


def test_everything_is_documented() -> None:
    assert [name for name, text in documented() if not text.strip()] == []


@pytest.mark.parametrize("name, text", [pair for pair in documented() if ">>>" in pair[1]], ids=lambda value: value[:30])
def test_examples_of_the_documentation_run(name: str, text: str) -> None:
    example = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), {}, name, None, 0)
    result = doctest.DocTestRunner(verbose=False).run(example)
    assert result.attempted > 0 and result.failed == 0


def test_examples_of_the_guide_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "python.md").read_text()
    example = doctest.DocTestParser().get_doctest(text.replace("```", "\n"), {}, "python.md", None, 0)
    result = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(example)
    assert result.attempted > 5 and result.failed == 0


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    line = [str(argument) for argument in arguments]
    done = subprocess.run(line, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_types(tmp_path: pathlib.Path) -> None:
    options = ["--cache-dir", tmp_path, "--config-file", ROOT / "pyproject.toml"]
    run(sys.executable, "-m", "mypy", *options, "--package", "posterity", cwd=tmp_path)


def test_types_of_a_user(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "use.py"
    script.write_text(
        "import posterity\n"
        "r: posterity.Release = posterity.release({'a': 1, 'b': 2}, epsilon='0.5')\n"
        "low: float = r.interval(0.9)['a'][0]\n"
        "text: str = posterity.compare_mechanisms([1, 2], epsilon=1, mechanisms=[posterity.mechanisms.ehds(gamma=0.5)]).to_json()\n"
        "mean: list[float] = r.released_posterior.mean\n"
    )
    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, script, cwd=tmp_path)


def test_stubs_agree_with_the_module(tmp_path: pathlib.Path) -> None:
    # Mechanisms are functions that are made from the list, whose stub test_words.py compares with it; the forms of advise, release,
    # margins and discover do not have the arguments of each other; and a list of words is no class.
    made = tmp_path / "made"
    forms = r"posterity(\._\w+)?\.(advise|release|margins|discover)"
    made.write_text("\n".join([r"posterity\.mechanisms\..*", forms, r"posterity\._words\..*", r"posterity\.\w+\.(Key|Adjacency|Decode|IntervalKind|About|InputFormat|Encoding|PictureKind|Distance|Ranking|Sheet|Spelling)"]) + "\n")
    options = ["--allowlist", made, "--ignore-unused-allowlist"]
    run(sys.executable, "-m", "mypy.stubtest", *options, "posterity", cwd=tmp_path)


def test_version() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    assert f'version = "{posterity.__version__}"' in manifest


def python(code: str) -> None:
    run(sys.executable, "-c", code)


def test_other_packages_are_imported_only_when_used() -> None:
    python(
        "import posterity, sys\n"
        "r = posterity.release(['a', 'b'], categories=['a', 'b'], epsilon=1, seed=1)\n"
        "r.interval(0.9), r.to_json(), r._repr_html_(), repr(r)\n"
        "posterity.compare_mechanisms([1, 2], epsilon=1).to_dict()\n"
        f"loaded = set({OPTIONAL!r}) & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )


@pytest.mark.parametrize(
    "package, call",
    [
        ("numpy", "r.sample(3)"),
        ("scipy", "r.to_scipy()"),
        ("arviz", "r.to_arviz()"),
        ("matplotlib", "r.plot()"),
        ("pandas", "c.to_pandas()"),
        ("polars", "c.to_polars()"),
    ],
)
def test_a_package_that_is_not_there_is_named(package: str, call: str) -> None:
    python(
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "import posterity\n"
        "r = posterity.release({'a': 1, 'b': 2}, epsilon=1, seed=1)\n"
        "c = posterity.compare_mechanisms([1, 2], epsilon=1, mechanisms='geometric')\n"
        "try:\n"
        f"    {call}\n"
        "except posterity.PackageError as error:\n"
        f"    assert 'pip install {package}' in str(error) and isinstance(error, ImportError)\n"
        "else:\n"
        "    raise SystemExit('no error')\n"
    )


def test_pandas_without_pyarrow() -> None:
    python(
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import pandas, posterity\n"
        "data = pandas.Series(['a', None, 'b'], dtype=object)\n"
        "r = posterity.release(posterity.Data(data, categories=['a', 'b'], missing='b'), epsilon=10_000, seed=1)\n"
        "assert r.to_dict()['released_counts'] == [1, 2]\n"
    )


# This one draws thousands of releases.
LONG = "attacks"
NOTEBOOKS = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem == LONG else [])
    for path in sorted(EXAMPLES.glob("*.ipynb"))
]


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_notebooks(notebook: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbclient
    import nbformat

    # Jupyter keeps its own files away from the user's.
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("JUPYTER_PATH", os.path.join(sys.prefix, "share", "jupyter"))
    book = nbformat.read(notebook, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells), "clear the outputs: they are made anew"
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert any("text/html" in output.get("data", {}) for cell in code for output in cell.outputs)


@pytest.mark.slow
def test_the_wheel_needs_no_rust(tmp_path: pathlib.Path) -> None:
    """Built by the documented command, installed where there is neither Rust nor another package."""
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("posterity-*-cp310-abi3-*.whl")
    assert wheel.stat().st_size < 12e6
    bare = tmp_path / "bare"
    venv.create(bare, with_pip=True)
    environment = {"PATH": str(bare / "bin"), "HOME": str(tmp_path)}
    program = bare / "bin" / "python"
    run(program, "-m", "pip", "install", "--no-index", wheel, env=environment)
    code = "import posterity; assert posterity.release({'a': 1, 'b': 2}, epsilon=1).private"
    run(program, "-c", code, env=environment, cwd=tmp_path)
    said = run(bare / "bin" / "posterity", "--version", env=environment, cwd=tmp_path).stdout
    assert said == f"posterity {posterity.__version__}\n"
