"""The list of mechanisms."""

from __future__ import annotations

from typing import NamedTuple

from . import _posterity


class Mechanism(NamedTuple):
    """What there is to know about a mechanism."""

    name: str
    """The name as it is written everywhere."""
    summary: str
    """One line on what it does and promises."""
    private: bool
    """Whether its guarantee is proven."""
    parameters: dict[str, str]
    """Its parameters by name, each with what it does."""


def mechanisms() -> list[Mechanism]:
    """All mechanisms.

    A mechanism is written by its name, or with its parameters, such as ``"ehds(gamma=0.5)"`` or ``"lsdim(consistent)"``;
    ``"tight(ehds)"`` has the largest scale that an exact audit allows.

    Examples
    --------
    >>> import posterity
    >>> [mechanism.name for mechanism in posterity.mechanisms() if not mechanism.private]
    ['ehdl', 'mh']
    """
    return [
        Mechanism(name, summary, private, dict(parameters))
        for name, summary, private, parameters in _posterity.mechanisms()
    ]
