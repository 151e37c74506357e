"""Submissions under a classmate's name, through nbgrader's exchange, by people with accounts of their own."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from another_course import working_on
from exchange_course import ADA, BO, MAL, TIME, accounts, give, put, secret_of

from autograder.course.receiving import receive_class
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions import exchange_folder
from autograder.submissions.store import manifests
from autograder.submissions.versions import read_history

NAME = "01_lookup"
LATER = "2026-11-20 13:00:00.000000 UTC"


class Exchange:
    """A course with one notebook, and an exchange; Ada has submitted once."""

    def __init__(self, root: Path) -> None:
        self.course, self.inbound = root / "course", root / "exchange" / "kqa" / "inbound"
        (self.course / "source" / NAME).mkdir(parents=True)
        (self.course / "source" / NAME / f"{NAME}.ipynb").write_text("{}")
        self.inbound.mkdir(parents=True)
        settings = 'c = get_config()\nc.CourseDirectory.course_id = "kqa"\n'
        settings += f'c.Exchange.root = "{root / "exchange"}"\n'
        (self.course / "nbgrader_config.py").write_text(settings)
        self.hers = put(self.inbound, ADA, NAME, "ada's", ADA)

    def receive(self):
        """Receive, as every command does."""
        with working_on(self.course):
            return receive_class(self.course, [NAME], Limits())

    def entries(self, due: float | None = None):
        """What counts, by student."""
        return {entry.student: entry for entry in manifests(self.course / "received", {NAME: due})}

    def text(self, student: str) -> str:
        """The text of the version that counts."""
        return (self.course / "received" / self.entries()[student].file).read_text()


@pytest.fixture(scope="module")
def people() -> Iterator[None]:
    with accounts(ADA, BO, MAL):
        yield


@pytest.fixture
def exchange(people, tmp_path) -> Exchange:
    return Exchange(tmp_path)


def newer(exchange: Exchange) -> None:
    put(exchange.inbound, ADA, NAME, "forged", MAL, LATER)


def of_the_future(exchange: Exchange) -> None:
    put(exchange.inbound, ADA, NAME, "forged", MAL, "2099-01-01 00:00:00.000000 UTC")


def of_1970(exchange: Exchange) -> None:
    put(exchange.inbound, ADA, NAME, "forged", MAL, "1970-01-01 00:00:00.000000 UTC")


def without_time(exchange: Exchange) -> None:
    put(exchange.inbound, ADA, NAME, "forged", MAL, "no time")


def her_own_bytes(exchange: Exchange) -> None:
    """The page about them would go to the forger's secret."""
    put(exchange.inbound, ADA, NAME, "ada's", MAL, LATER)


def another_case(exchange: Exchange) -> None:
    put(exchange.inbound, ADA.upper(), NAME, "forged", MAL, LATER)


def made_up(exchange: Exchange) -> None:
    put(exchange.inbound, "nobody of this name", NAME, "forged", MAL, LATER)


def notebook_in_her_folder(exchange: Exchange) -> None:
    """Her folder can be written by everybody who knows its name, so a file in it can be somebody else's."""
    folder = put(exchange.inbound, ADA, NAME, "forged", ADA, LATER)
    give(folder / f"{NAME}.ipynb", MAL)


def secret_in_her_folder(exchange: Exchange) -> None:
    folder = put(exchange.inbound, ADA, NAME, "ada's second", ADA, LATER)
    give(folder / "submission_secret.txt", MAL)


def link_in_her_folder(exchange: Exchange) -> None:
    folder = put(exchange.inbound, ADA, NAME, "ada's second", ADA, LATER)
    (folder / f"{NAME}.ipynb").unlink()
    (folder / f"{NAME}.ipynb").symlink_to(exchange.hers / f"{NAME}.ipynb")
    give(folder / f"{NAME}.ipynb", MAL)


def link_to_her_folder(exchange: Exchange) -> None:
    link = exchange.inbound / f"{ADA}+{NAME}+{LATER}+x"
    link.symlink_to(exchange.hers)
    give(link, MAL)


def hard_link_to_her_file(exchange: Exchange) -> None:
    folder = put(exchange.inbound, ADA, NAME, "forged", MAL, LATER)
    (folder / f"{NAME}.ipynb").unlink()
    (folder / f"{NAME}.ipynb").hardlink_to(exchange.hers / f"{NAME}.ipynb")


def two_notebooks_in_the_name(exchange: Exchange) -> None:
    folder = put(exchange.inbound, MAL, NAME, "forged", MAL, LATER)
    folder.rename(exchange.inbound / f"{ADA}+{NAME}+{TIME}+{NAME}+{LATER}+x")


def account_without_a_name(exchange: Exchange) -> None:
    put(exchange.inbound, ADA, NAME, "forged", 54321, LATER)


def renamed_after_it_was_received(exchange: Exchange) -> None:
    folder = put(exchange.inbound, MAL, NAME, "mal's", MAL, TIME)
    exchange.receive()
    folder.rename(exchange.inbound / f"{ADA}+{NAME}+{LATER}+x")


def collected_by_nbgrader(exchange: Exchange) -> None:
    """nbgrader's `collect` has put the newest folder of her name into `submitted`."""
    folder = put(exchange.inbound, ADA, NAME, "forged", MAL, LATER)
    target = exchange.course / "submitted" / ADA / NAME
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)


def collected_without_a_secret(exchange: Exchange) -> None:
    """What nbgrader collects need not have one. The forger has taken the folder away since."""
    collected_and_removed(exchange)
    for name in ("submission_secret.txt", "timestamp.txt"):
        (exchange.course / "submitted" / ADA / NAME / name).unlink()


def collected_under_a_wrong_name(exchange: Exchange) -> None:
    """It would be refused, and that would be entered for her."""
    collected_without_a_secret(exchange)
    folder = exchange.course / "submitted" / ADA / NAME
    (folder / f"{NAME}.ipynb").rename(folder / "essay.ipynb")


def collected_and_removed(exchange: Exchange) -> None:
    """The forger has taken the folder out of the exchange since."""
    collected_by_nbgrader(exchange)
    (forged,) = (path for path in exchange.inbound.iterdir() if LATER in path.name)
    shutil.rmtree(forged)


ATTEMPTS = (
    *(newer, of_the_future, of_1970, without_time, her_own_bytes, another_case, made_up),
    *(notebook_in_her_folder, secret_in_her_folder, link_in_her_folder, link_to_her_folder),
    *(hard_link_to_her_file, two_notebooks_in_the_name, account_without_a_name),
    *(renamed_after_it_was_received, collected_by_nbgrader, collected_and_removed),
    *(collected_without_a_secret, collected_under_a_wrong_name),
)


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.__name__)
@pytest.mark.parametrize("first", [True, False], ids=["after her", "before her"])
def test_an_impostors_work_is_set_aside_and_changes_nothing(exchange, attempt, first):
    if first:
        exchange.receive()
    attempt(exchange)
    received = exchange.receive()
    lines = [each.line for each in received.set_aside]
    # what nbgrader had collected, and the forger took back, has made room for her own
    assert lines or (attempt is collected_and_removed and not first)
    assert all(line.startswith("set aside: ") and f", {NAME}: " in line for line in lines)
    entries = exchange.entries()
    assert set(entries) <= {ADA, MAL} and exchange.text(ADA) == "ada's"
    hers = entries[ADA]
    assert (hers.version, hers.refused, hers.notes) == (1, None, ())
    assert hers.secret == secret_of(exchange.hers) and hers.source == exchange.hers.name
    events = read_history(exchange.course / "received")[ADA, NAME]
    assert len(events) == 1, "nothing of it is entered for her"
    assert exchange.receive().lines == []
    log = (exchange.course / "kqa.log").read_text()
    assert log.count("set aside") == len(lines), "the log has each line once"


def test_what_you_put_there_by_hand_is_received_from_a_folder_that_you_name(exchange, tmp_path):
    for student in (BO, "cleo"):  # cleo has no account, so hers is taken where it lies
        path = exchange.course / "submitted" / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text("by mail")
    received = exchange.receive()
    assert sorted(received.lines) == [f"cleo, {NAME}: version 1", f"{ADA}, {NAME}: version 1"]
    (line,) = [each.line for each in received.set_aside]
    assert BO in line and "`kqa course receive FOLDER`" in line
    shutil.copytree(exchange.course / "submitted" / BO, tmp_path / "mail" / BO)
    with working_on(exchange.course):
        received = receive_class(exchange.course, [NAME], Limits(), folder=tmp_path / "mail")
    assert received.lines == [f"{BO}, {NAME}: version 1"]
    assert exchange.receive().set_aside == [] and exchange.text(BO) == "by mail"


def test_her_later_submission_counts_whatever_others_claim(exchange):
    exchange.receive()
    for attempt in (newer, of_the_future, her_own_bytes):
        attempt(exchange)
    second = put(exchange.inbound, ADA, NAME, "ada's second", ADA, LATER)
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 2"]
    assert exchange.text(ADA) == "ada's second" and exchange.entries()[ADA].secret == secret_of(second)
    assert (exchange.course / "submitted" / ADA / NAME / f"{NAME}.ipynb").read_text() == "ada's second"


def test_every_submission_between_two_looks_is_a_version_in_the_order_of_its_time(exchange):
    put(exchange.inbound, ADA, NAME, "third", ADA, "2026-11-20 14:00:00.000000 UTC")
    put(exchange.inbound, ADA, NAME, "second", ADA, LATER)
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version {number}" for number in (1, 2, 3)]
    assert exchange.text(ADA) == "third"


def test_her_older_submission_that_comes_late_is_not_lost(exchange):
    """As where the clock of the students' servers was set back."""
    exchange.receive()
    put(exchange.inbound, ADA, NAME, "second", ADA, "2025-01-01 00:00:00.000000 UTC")
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 2"]
    assert exchange.text(ADA) == "second"


def test_the_same_bytes_submitted_again_are_a_version_with_a_page_of_their_own(exchange):
    exchange.receive()
    again = put(exchange.inbound, ADA, NAME, "ada's", ADA, LATER)
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 2"]
    entry = exchange.entries()[ADA]
    assert (entry.secret, entry.same_since) == (secret_of(again), 1)


def test_a_file_that_others_may_write_into_is_refused_and_an_earlier_version_counts(exchange):
    exchange.receive()
    (put(exchange.inbound, ADA, NAME, "whose?", ADA, LATER) / f"{NAME}.ipynb").chmod(0o666)
    assert exchange.receive().lines == [
        f"{ADA}, {NAME}: refused: others may write into the file, so nobody can say who did; submit it again"
    ]
    assert exchange.text(ADA) == "ada's"


@pytest.mark.parametrize("name", [f"{NAME}.ipynb", "submission_secret.txt", "timestamp.txt"])
@pytest.mark.parametrize("error", [errno.ESTALE, errno.EIO, errno.EACCES])
def test_what_a_network_disk_does_not_give_now_is_taken_at_the_next_look(exchange, monkeypatch, name, error):
    real = os.open
    fails = [True]

    def opens(path, *more, **how):
        if path == name and fails[0]:
            raise OSError(error, os.strerror(error), name)
        return real(path, *more, **how)

    monkeypatch.setattr(os, "open", opens)
    for settled in (60.0, 0.0):  # a young folder may be being written: nobody is told of it yet
        monkeypatch.setattr(exchange_folder, "SETTLED_SECONDS", settled)
        received = exchange.receive()
        assert received.lines == [] and exchange.entries() == {}
        assert [each.student for each in received.set_aside] == ([] if settled else [ADA])
    fails[0] = False
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 1"]
    assert exchange.entries()[ADA].secret == secret_of(exchange.hers)


def test_a_folder_that_is_being_written_is_left_until_its_secret_is_there(exchange):
    """`nbgrader submit` copies the notebook, and writes the secret last."""
    secret = exchange.hers / "submission_secret.txt"
    text = secret.read_text()
    (exchange.hers / f"{NAME}.ipynb").write_text("ada's, and not all of it")
    for empty in (secret.unlink, lambda: (secret.write_text(""), give(secret, ADA))):
        empty()
        received = exchange.receive()
        assert (received.lines, received.set_aside, exchange.entries()) == ([], [], {})
    (exchange.hers / f"{NAME}.ipynb").write_text("ada's")
    secret.write_text(text)
    assert exchange.receive().lines == [f"{ADA}, {NAME}: version 1"] and exchange.text(ADA) == "ada's"


def test_a_name_that_is_not_in_the_roster_is_set_aside(exchange):
    (exchange.course / "people").mkdir()
    (exchange.course / "people" / "roster.csv").write_text(f"student\n{ADA}\n")
    put(exchange.inbound, BO, NAME, "bo's", BO)
    received = exchange.receive()
    assert received.lines == [f"{ADA}, {NAME}: version 1"] and set(exchange.entries()) == {ADA}
    (line,) = [each.line for each in received.set_aside]
    assert "is not in the roster; import a roster that has this name" in line


def test_an_account_may_be_another_students_by_the_table_of_accounts(exchange):
    (exchange.course / "people").mkdir()
    (exchange.course / "people" / "accounts.csv").write_text(f"account,student\n{BO},{ADA}\n{MAL},mallory\n")
    put(exchange.inbound, ADA, NAME, "from her account", BO, LATER)
    put(exchange.inbound, "mallory", NAME, "mallory's", MAL, LATER)
    received = exchange.receive()
    assert received.lines == [f"{ADA}, {NAME}: version 1", f"mallory, {NAME}: version 1"]
    assert exchange.text(ADA) == "from her account", "the account of her name is not hers"
    assert [each.why.partition(";")[0] for each in received.set_aside] == [f"belongs to {ADA}"]


def test_where_all_share_an_account_one_line_says_what_to_set_and_then_the_name_counts(exchange):
    shutil.rmtree(exchange.hers)
    for student in ("ann", "ben"):
        put(exchange.inbound, student, NAME, f"{student}'s", MAL)
    received = exchange.receive()
    assert received.lines == [] and exchange.entries() == {}
    line = f'if all students share it, set shared_account = "{MAL}" in course.toml'
    assert line in received.set_aside[0].line
    (exchange.course / "course.toml").write_text(f'shared_account = "{MAL}"\n')
    assert exchange.receive().lines == [f"ann, {NAME}: version 1", f"ben, {NAME}: version 1"]


def test_work_in_a_class_folder_that_belongs_to_another_student_is_set_aside(exchange, tmp_path):
    exchange.receive()
    folder = tmp_path / "class"
    for student, owner in ((ADA, ADA), (BO, MAL), (MAL, MAL)):
        path = folder / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(f"{student}'s new one")
        give(path, owner)
    put(exchange.inbound, MAL, NAME, "mal's", MAL)
    exchange.receive()
    with working_on(exchange.course):
        received = receive_class(exchange.course, [NAME], Limits(), folder=folder)
    assert received.lines == [f"{ADA}, {NAME}: version 2", f"{MAL}, {NAME}: version 2"]
    reasons = [(each.student, each.why.partition(";")[0]) for each in received.set_aside]
    assert reasons == [(BO, f"belongs to {MAL}")]


def test_what_a_download_holds_is_its_students_whoever_unpacked_it(exchange, tmp_path):
    folder = tmp_path / "class"
    path = folder / "cleo" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text("cleo's")
    give(folder, 54321)
    with working_on(exchange.course):
        received = receive_class(exchange.course, [NAME], Limits(), folder=folder)
    assert received.lines == [f"cleo, {NAME}: version 1"] and received.set_aside == []
