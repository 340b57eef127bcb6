"""Plans: what a call asks, without an answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

from . import _posterity
from ._discover import discover
from ._errors import ArgumentError
from ._margins import margins
from ._parts import asked
from ._release import release

_FUNCTIONS: dict[str, Callable[..., Any]] = {"release": release, "margins": margins, "discover": discover}


def plan(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> dict[str, Any]:
    """What a call of :func:`release`, :func:`margins` or :func:`discover` asks, as a plan. Nothing is counted, drawn or charged.

    A plan is public: it holds nothing of the data, of accounts, keys or seeds. ``release(plan=..)`` carries it out, and so do the
    command, R and :func:`study`.

    Parameters
    ----------
    function : callable
        The function that would be called.
    *arguments, **named
        Its arguments.

    Returns
    -------
    dict

    Examples
    --------
    >>> import posterity
    >>> plan = posterity.plan(posterity.release, "visits.csv", column="ward", categories=["A", "B"], epsilon=0.5)
    >>> plan["epsilon"], plan["columns"], plan["question"]
    (0.5, {'ward': ['A', 'B']}, [{'columns': ['ward']}])
    """
    name = next((name for name, known in _FUNCTIONS.items() if known is function), None)
    if name is None:
        raise ArgumentError(f"function: give one of {', '.join(f'posterity.{name}' for name in _FUNCTIONS)}")
    call = inspect.signature(function).bind(*arguments, **named)
    call.apply_defaults()
    return dict(json.loads(_posterity.plan_of(name, asked(dict(call.arguments), function))))
