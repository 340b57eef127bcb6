"""All mechanisms as functions of their parameters.

Generated from the list of mechanisms: after a change of it run ``POSTERITY_UPDATE=1 tools/python-tests -k words``.
"""

from typing import Literal

__all__ = ["ALL", "Mechanism", "tight", "lattice", "simplex", "optimal", "geometric", "lshist", "lsdim", "lszhang", "ehds", "ehd", "ehdl", "mh", "mhg"]

class Mechanism(str):
    def __new__(cls, text: str) -> Mechanism: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def private(self) -> bool: ...

ALL: tuple[Mechanism, ...]

def tight(mechanism: str) -> Mechanism: ...
def lattice() -> Mechanism:
    "noise that moves records between categories, for any k; epsilon-DP"
def simplex() -> Mechanism:
    "lattice noise onto possible counts, for n up to about 100 and epsilon from about 0.5; epsilon-DP"
def optimal() -> Mechanism:
    "least mean distance that is possible under the prior, for small n and k; epsilon-DP"
def geometric(*, consistent: bool = ...) -> Mechanism:
    "two-sided geometric noise on all counts but the last, or on all if n is private; epsilon-DP"
def lshist(*, consistent: bool = ...) -> Mechanism:
    "floored Laplace noise of scale 1/epsilon (k = 2) or 2/epsilon; epsilon-DP"
def lsdim(*, consistent: bool = ...) -> Mechanism:
    "floored Laplace noise of scale k/epsilon on all counts but the last; epsilon-DP"
def lszhang() -> Mechanism:
    "floored Laplace noise of scale 2k/epsilon on every count; epsilon-DP"
def ehds(*, gamma: float | str | None = ..., sharp: bool = ..., score: float | str | None = ...) -> Mechanism:
    "exponential mechanism scaled to the gamma-smooth sensitivity; epsilon-DP"
def ehd(*, global_sensitivity: Literal["exact", "published"] | None = ..., score: float | str | None = ...) -> Mechanism:
    "exponential mechanism scaled to the global Hellinger sensitivity; epsilon-DP"
def ehdl(*, score: float | str | None = ...) -> Mechanism:
    "exponential mechanism scaled to the local sensitivity; does NOT keep its epsilon, a benchmark"
def mh(*, delta: float | str | None = ..., score: float | str | None = ...) -> Mechanism:
    "exponential mechanism scaled to the beta-smooth sensitivity; does NOT keep its epsilon everywhere"
def mhg() -> Mechanism:
    "exponential mechanism with half the noise of ehds; loses and is charged TWICE the epsilon given"
