"""The extension module: what the package is made of, without defaults or documentation."""

import os
from typing import Any, final

__all__ = [
    "Dirichlet",
    "Ledger",
    "Release",
    "__version__",
    "_panic",
    "_rust_times",
    "advise",
    "advise_table",
    "audit",
    "command",
    "compare",
    "escaped",
    "html_table",
    "inspect",
    "least_epsilon",
    "least_table_epsilon",
    "load",
    "mechanisms",
    "release",
    "restore",
    "study",
]

__version__: str

@final
class Dirichlet:
    def __new__(cls, parameters: Any) -> Dirichlet: ...
    @property
    def parameters(self) -> list[float]: ...
    @property
    def mean(self) -> list[float]: ...
    @property
    def variance(self) -> list[float]: ...
    def interval(self, level: float | None = None) -> list[tuple[float, float]]: ...
    def ln_density(self, point: Any) -> float: ...
    def _sample(self, size: int, seed: int | None) -> bytes: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Dirichlet], tuple[list[float]]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Release:
    def state(self) -> str: ...
    def json(self) -> str: ...
    def document(self) -> dict[str, Any]: ...
    def facts(self) -> dict[str, Any]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def posterior(self) -> Dirichlet: ...
    @property
    def categories(self) -> list[str]: ...
    @property
    def mean(self) -> list[float]: ...
    @property
    def noise_aware(self) -> bool: ...
    @property
    def charged(self) -> tuple[str, str] | None: ...
    @property
    def recalled(self) -> bool: ...
    @property
    def unused(self) -> list[str]: ...
    def interval(self, level: float) -> list[tuple[float, float]]: ...
    def sample(self, size: int, seed: int | None) -> bytes: ...
    def table(
        self, reading: str, *, level: float | None, draws: int, seed: int
    ) -> dict[str, Any]: ...
    def contrast(
        self, comparison: str, *, level: float | None, draws: int, seed: int
    ) -> dict[str, Any]: ...
    def picture(
        self, reading: str, *, kind: str | None, format: str, level: float | None, draws: int, seed: int
    ) -> bytes: ...
    @property
    def columns(self) -> list[tuple[str, list[str]]]: ...
    def lines(self) -> list[tuple[list[float], list[float]]]: ...
    def html(self) -> str: ...
    def svg(self) -> str: ...

@final
class Ledger:
    def __new__(cls, path: str | os.PathLike[str], *, create: bool) -> Ledger: ...
    @property
    def path(self) -> os.PathLike[str]: ...
    def create_account(
        self,
        account: str,
        *,
        epsilon: float | str,
        delta: float | str,
        unit: str,
        population: str | None,
        adds_up: bool,
    ) -> dict[str, Any]: ...
    def decide_unit(self, account: str, *, unit: str, population: str | None) -> dict[str, Any]: ...
    def releases_of(self, account: str, epsilon: float | str) -> int: ...
    def check(self, document: str) -> dict[str, Any]: ...
    def accounts(self) -> list[dict[str, Any]]: ...
    def account(self, account: str) -> dict[str, Any]: ...
    def history(self, account: str) -> list[dict[str, Any]]: ...
    def documents(self, account: str) -> list[dict[str, Any]]: ...
    def export(self) -> dict[str, Any]: ...
    def verify(self, head: str | None) -> str: ...

def _panic(elsewhere: bool) -> None: ...
def command(arguments: list[str]) -> int: ...
def escaped(text: str) -> str: ...
def html_table(names: list[str], rows: list[list[str]]) -> str: ...
def restore(state: str) -> Release: ...
def load(file: str | os.PathLike[str]) -> Release: ...
def _rust_times(counts: Any, mechanism: str, times: int) -> list[float]: ...
def study(plan: Any, *, out: Any, again: bool, seed: int | None) -> tuple[str, list[tuple[str, Release]]]: ...
def release(
    data: Any,
    *,
    epsilon: Any,
    categories: Any,
    prior: Any,
    mechanism: str,
    column: Any,
    bins: Any,
    where: str | None,
    within: str | None,
    unit: str | None,
    per_unit: str | None,
    other: str | None,
    missing: str | None,
    input_format: str | None,
    delimiter: str | None,
    name: str | None,
    decode: str | None,
    gamma: Any,
    delta: Any,
    score: str | None,
    global_sensitivity: str | None,
    consistent: bool,
    calibration: str | None,
    level: float,
    seed: int | None,
    not_private: bool,
    certificate: str | os.PathLike[str] | None,
    ledger: Ledger | str | os.PathLike[str] | None,
    account: str | None,
    again: bool,
) -> Release: ...
def compare(
    counts: Any,
    *,
    epsilon: Any,
    prior: Any,
    mechanisms: Any,
    decode: Any,
    limit: bool,
    distance: str,
    runs: int | None,
    seed: int,
    gamma: Any,
    delta: Any,
    score: str | None,
    global_sensitivity: str | None,
    consistent: bool,
    calibration: str | None,
    max_outcomes: int,
) -> tuple[tuple[str, dict[str, Any]], list[str]]: ...
def inspect(
    counts: Any,
    *,
    epsilon: Any,
    prior: Any,
    mechanism: str,
    decode: str | None,
    gamma: Any,
    delta: Any,
    score: str | None,
    global_sensitivity: str | None,
    consistent: bool,
    calibration: str | None,
    max_outcomes: int,
) -> tuple[str, dict[str, Any]]: ...
def audit(
    *,
    n: int | None,
    epsilon: Any,
    prior: Any,
    k: int | None,
    counts: Any,
    mechanism: str,
    gamma: Any,
    delta: Any,
    score: str | None,
    global_sensitivity: str | None,
    consistent: bool,
    calibration: str | None,
    profile: Any,
    certificate: str | os.PathLike[str] | None,
    max_probabilities: float,
) -> tuple[str, dict[str, Any]]: ...
def mechanisms() -> list[tuple[str, str, bool, list[tuple[str, str]]]]: ...
def advise(
    *, n: int, epsilon: Any, prior: Any, k: int | None, shape: Any, score: str | None
) -> tuple[str, dict[str, Any]]: ...
def advise_table(
    *, columns: Any, read: Any, n: int, epsilon: Any, prior: float | None, shape: Any, level: float
) -> tuple[str, dict[str, Any]]: ...
def least_table_epsilon(
    *, columns: Any, read: Any, n: int, half_width: float, prior: float | None, shape: Any, level: float
) -> tuple[str, dict[str, Any]]: ...
def least_epsilon(
    *, n: int, prior: Any, k: int | None, shape: Any, half_width: Any, distance: Any, level: float
) -> tuple[str, dict[str, Any]]: ...
