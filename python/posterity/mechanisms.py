"""All mechanisms as functions of their parameters, made from the list in the extension.

``posterity.mechanisms.ehds(gamma=0.5)`` is the text ``"ehds(gamma=0.5)"``, which can be written instead everywhere.
:func:`tight` has the scale set by an exact audit. ``ALL`` lists every mechanism with its usual parameters.

Examples
--------
>>> from posterity import mechanisms
>>> mechanisms.ehds(gamma=0.5)
Mechanism('ehds(gamma=0.5)')
>>> print(mechanisms.tight(mechanisms.ehds(gamma="auto")))
tight(ehds(gamma=auto))
>>> [one.name for one in mechanisms.ALL if not one.private]
['ehdl', 'mh']
"""

from __future__ import annotations

import inspect as _inspect
from collections.abc import Callable
from typing import Any

from . import _posterity

_LIST = {name: (summary, private, parameters) for name, summary, private, parameters in _posterity.mechanisms()}


class Mechanism(str):
    """A mechanism with its parameters: its text, and what there is to know about it."""

    __slots__ = ()

    def __new__(cls, text: str) -> Mechanism:
        """Check the text and write it as it is written everywhere."""
        return super().__new__(cls, _posterity.mechanism(text)[0])

    @property
    def name(self) -> str:
        """The mechanism's name."""
        return _posterity.mechanism(self)[1]

    @property
    def summary(self) -> str:
        """One line on what it does and promises."""
        return _LIST[self.name][0]

    @property
    def private(self) -> bool:
        """Whether its guarantee is proven."""
        return _LIST[self.name][1]

    def __repr__(self) -> str:
        return f"Mechanism({str(self)!r})"


def tight(mechanism: str) -> Mechanism:
    """The same mechanism with the largest scale that an exact audit of all data sets of a size allows.

    Examples
    --------
    >>> import posterity
    >>> posterity.mechanisms.tight("ehds")
    Mechanism('tight(ehds(gamma=1))')
    """
    return Mechanism(f"tight({mechanism})")


def _made(name: str, summary: str, parameters: list[tuple[str, bool, str]]) -> Callable[..., Mechanism]:
    """The function of one mechanism. A flag is true or false; other parameters have their usual value if they are not given."""
    signature = _inspect.Signature(
        [
            _inspect.Parameter(
                parameter.replace("-", "_"),
                _inspect.Parameter.KEYWORD_ONLY,
                default=False if is_flag else None,
                annotation="bool" if is_flag else "float | str | None",
            )
            for parameter, is_flag, _ in parameters
        ],
        return_annotation="Mechanism",
    )

    def function(**given: Any) -> Mechanism:
        values = signature.bind(**given).arguments
        written = []
        for parameter, is_flag, _ in parameters:
            value = values.get(parameter.replace("-", "_"))
            if value is not None and value is not False:
                written.append(parameter if is_flag and value is True else f"{parameter}={value}")
        return Mechanism(f"{name}({', '.join(written)})")

    told = [f"{parameter.replace('-', '_')}\n    {help}" for parameter, _, help in parameters]
    sections = [f"The mechanism ``{name}``: {summary}."]
    if told:
        sections.append("Parameters\n----------\n" + "\n".join(told))
    function.__doc__ = "\n\n".join(sections)
    function.__name__ = function.__qualname__ = name
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


for _name, (_summary, _, _parameters) in _LIST.items():
    globals()[_name] = _made(_name, _summary, _parameters)

ALL = tuple(Mechanism(name) for name in _LIST)
"""Every mechanism with its usual parameters, in the order in which people are shown them."""

__all__ = ["ALL", "Mechanism", "tight", *_LIST]  # noqa: PLE0604


def __getattr__(name: str) -> Callable[..., Mechanism]:
    raise AttributeError(f"there is no mechanism {name!r}; choose one of {', '.join(_LIST)}")


def __dir__() -> list[str]:
    return __all__
