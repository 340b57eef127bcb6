"""Ctrl-C works, nothing that was paid for is lost, and other threads go on."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pathlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import posterity
import pytest


@pytest.fixture
def alarm() -> Iterator[Callable[[float], None]]:
    """Presses Ctrl-C after so many seconds."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


LONG: dict[str, Callable[[], Any]] = {
    "audit": lambda: posterity.audit(n=50_000, k=2, epsilon=1, mechanism="tight(ehds)", max_probabilities=1e12),
    "release": lambda: posterity.release({"a": 25_000, "b": 25_000}, epsilon=1, mechanism="tight(ehds)"),
    "compare": lambda: posterity.compare_mechanisms([2000, 2000, 2000], epsilon=1, mechanisms="ehds", runs=2_000_000),
    "labels": lambda: posterity.release(forever(), epsilon=1, categories=["a", "b"]),
    "labels in C": lambda: posterity.release(itertools.repeat("a"), epsilon=1, categories=["a", "b"]),
    "advise": lambda: posterity.advise(n=100_000, k=1000, epsilon=1),
    "limit": lambda: posterity.compare_mechanisms([5, 5, 5], epsilon=1, prior=[1, 2, 3], mechanisms="geometric", limit=True),
    "decoding": lambda: posterity.compare_mechanisms([500] * 40, epsilon=0.1, mechanisms="lattice"),
    "wide noise": lambda: posterity.release(dict.fromkeys(map(str, range(40)), 1_000_000), epsilon="0.001").mean,
    "categories": lambda: posterity.release(["a"], epsilon=1, categories=slow()),  # type: ignore[arg-type]
}


def forever() -> Iterator[str]:
    while True:
        yield "a"


def slow() -> Iterator[str]:
    for index in range(10**9):
        time.sleep(0.01)
        yield str(index)


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_works_within_a_second(work: str, alarm: Callable[[float], None]) -> None:
    start = time.monotonic()
    alarm(0.3)
    with pytest.raises(KeyboardInterrupt):
        LONG[work]()
    assert time.monotonic() - start < 1.3


def test_nothing_goes_on_after_it(alarm: Callable[[float], None]) -> None:
    """Two seconds after all were interrupted the process does nothing more: within another half it takes less than a tenth
    of a processor."""
    for work in LONG.values():
        alarm(0.5)
        with pytest.raises(KeyboardInterrupt):
            work()
    time.sleep(2)
    before, start = time.process_time(), time.monotonic()
    time.sleep(0.5)
    assert time.process_time() - before < 0.1 * (time.monotonic() - start)


def test_what_is_charged_is_recorded(tmp_path: pathlib.Path, alarm: Callable[[float], None]) -> None:
    """Interrupts at moments spread over a release: whenever there is a charge, there is a document."""
    ledger = posterity.Ledger(tmp_path / "study.ledger", create=True)
    ledger.create_account("a", epsilon=1000)
    data = {str(index): 1000 for index in range(12)}

    def ask() -> None:
        posterity.release(data, epsilon="0.01", budget=posterity.Budget(ledger, "a"))

    start = time.monotonic()
    ask()
    whole = time.monotonic() - start
    interrupted = 0
    for step in range(40):
        try:
            alarm(max(1e-4, 1.1 * whole * step / 40))
            ask()
            # Within the same block, because the interrupt may come after the release and before this takes effect.
            alarm(0)
        except KeyboardInterrupt:
            interrupted += 1
    history = ledger.history("a")
    assert interrupted > 0, "no interrupt came in time"
    assert len(history) >= 1
    # Nobody waits for a release that was given up before its charge: it may still be refused, but never charge.
    assert {line["status"] for line in history} == {"released"}
    assert len(ledger.documents("a")) == len(history)


def test_other_threads_go_on() -> None:
    turns = 0
    stop = threading.Event()

    def turn() -> None:
        nonlocal turns
        while not stop.is_set():
            turns += 1

    thread = threading.Thread(target=turn)
    thread.start()
    before = turns
    posterity.audit(n=30_000, k=2, epsilon=1, mechanism="ehds")
    after = turns
    stop.set()
    thread.join()
    # With the interpreter held, not one.
    assert after - before > 100


def test_many_threads_at_once() -> None:
    expected = posterity.release({"a": 5, "b": 4}, epsilon=1, seed=1).to_dict()
    found: list[Any] = []

    def work() -> None:
        for _ in range(20):
            found.append(posterity.release({"a": 5, "b": 4}, epsilon=1, seed=1).to_dict())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_works_too() -> None:
    """Threads that parallel work shares stay behind at a fork; nobody may wait for them."""

    def work() -> tuple[Any, Any]:
        found = posterity.audit(n=60, k=2, epsilon=1, mechanism="ehds")
        # The second is small, and yet shares its work.
        releases = [posterity.release(counts, epsilon=1, seed=1) for counts in ({"a": 5, "b": 4}, dict.fromkeys("abcd", 200))]
        return found.to_dict(), [release.to_dict() for release in releases]

    def child(results: Any) -> None:
        results.send(work())

    expected = work()
    mine, theirs = multiprocessing.Pipe()
    for _ in range(3):
        process = multiprocessing.get_context("fork").Process(target=child, args=[theirs])
        process.start()
        try:
            assert mine.poll(60), "the child hangs"
            assert mine.recv() == expected
        finally:
            process.kill()
            process.join()
