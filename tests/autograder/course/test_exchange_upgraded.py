"""A course whose submissions were collected by nbgrader before, and whose exchange is read directly now."""

from __future__ import annotations

import shutil

import pytest
from exchange_course import ADA, MAL, accounts, put, secret_of
from test_impersonation import LATER, NAME, Exchange

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.store import receive
from autograder.submissions.versions import read_history

FIRST, SECOND, THIRD = (f"2026-11-2{day} 12:00:00.000000 UTC" for day in (1, 2, 3))


@pytest.fixture(scope="module", autouse=True)
def people():
    with accounts(ADA, MAL):
        yield


@pytest.fixture
def exchange(tmp_path):
    made = Exchange(tmp_path)
    shutil.rmtree(made.hers)
    return made


def collect(exchange, folder):
    """As nbgrader's `collect` and an earlier `kqa course receive` did."""
    target = exchange.course / "submitted" / ADA / NAME
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)
    store = exchange.course / "received"
    receive(exchange.course / "submitted", store, [NAME], Limits())
    # an earlier version kept neither secret nor time with a version
    path = store / "manifest.jsonl"
    lines = [line for line in path.read_text().splitlines() if line]
    old = [line.partition(', "by_clock"')[0].rstrip("}") + "}" for line in lines]
    path.write_text("\n".join(old) + "\n")


def test_what_was_collected_before_gets_its_secret_and_nothing_is_received_twice(exchange):
    put(exchange.inbound, ADA, NAME, "replaced before it was collected", ADA, FIRST)
    counted = put(exchange.inbound, ADA, NAME, "collected", ADA, SECOND)
    collect(exchange, counted)
    assert exchange.receive().lines == []
    entry = exchange.entries()[ADA]
    assert (entry.version, entry.secret, entry.source) == (1, secret_of(counted), counted.name)
    put(exchange.inbound, ADA, NAME, "new", ADA, THIRD)
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 2"]
    assert exchange.receive().lines == [] and exchange.text(ADA) == "new"


def test_the_same_bytes_submitted_twice_go_to_the_later_secret(exchange):
    put(exchange.inbound, ADA, NAME, "collected", ADA, FIRST)
    later = put(exchange.inbound, ADA, NAME, "collected", ADA, SECOND)
    collect(exchange, later)
    assert exchange.receive().lines == [] and exchange.entries()[ADA].secret == secret_of(later)


def test_work_that_a_forger_had_hidden_is_received_now(exchange):
    hers = put(exchange.inbound, ADA, NAME, "ada's", ADA, FIRST)
    forged = put(exchange.inbound, ADA, NAME, "forged", MAL, LATER)
    collect(exchange, forged)
    received = exchange.receive()
    assert received.lines == [f"{ADA}, {NAME}: version 2"] and received.set_aside != []
    assert exchange.text(ADA) == "ada's" and exchange.entries()[ADA].secret == secret_of(hers)
    assert (exchange.course / "submitted" / ADA / NAME / f"{NAME}.ipynb").read_text() == "ada's"


def test_lines_of_the_store_are_few(exchange):
    """One that refuses, one for each version: a look at what is known writes nothing."""
    put(exchange.inbound, ADA, NAME, "ada's", ADA, FIRST)
    empty = put(exchange.inbound, ADA, NAME, "x", ADA, SECOND)
    (empty / f"{NAME}.ipynb").unlink()
    exchange.receive()
    size = (exchange.course / "received" / "manifest.jsonl").stat().st_size
    for _ in range(5):
        assert exchange.receive().lines == []
    assert (exchange.course / "received" / "manifest.jsonl").stat().st_size == size
    assert len(read_history(exchange.course / "received")[ADA, NAME]) == 2
    assert "the folder holds no notebook" in exchange.entries()[ADA].notes[-1]
