"""`kqa course watch`: collect, grade and release while submissions come.

- A look, every few seconds in a thread of its own: collect, receive what changed, find out what waits, tell
  those who wait, write the page. So the time of receipt is right to a few seconds while the judge is busy.
- A round: the first submissions of the queue go through `judge_and_publish`, as in `kqa course grade`, and
  their pages are released. Slow ones are put off until no other waits, and are then judged a few at a time.
- Nothing is kept in memory that a restart needs: versions are in the store, verdicts in the ledger, marks in
  the gradebook. An answer is entered in the ledger (`autograder.grading.answers`) when it has been released.
- A page goes to the version that it is about, also if the student submits again meanwhile: the exchange's two
  files are received with each version.
- Whatever fails is said in one line and tried again: a full disk, an exchange that is away, a submission that
  cannot be judged.
"""

from __future__ import annotations

import getpass
import logging
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.course.disk_room import NO_ROOM, check_room, full_disk, no_room
from autograder.course.grade import judge_and_publish
from autograder.course.publisher import Graded, Plan, Publisher
from autograder.course.receiving import receive_class
from autograder.course.watch_log import WatchLog, in_words
from autograder.course.watch_queue import Day, Waiting, answers_to, waiting
from autograder.course.watch_screen import sentence, view
from autograder.course.watch_sources import ExchangeSource, FolderSource, Source, look_of
from autograder.gradebook.due_dates import shown_time
from autograder.grading.answers import answers_of
from autograder.grading.config import Events, WatchConfig
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.results import Status, SubmissionResult
from autograder.paths import read_course
from autograder.report.watch_page import waiting_page, watch_page
from autograder.sandbox.tiers import best_tier
from autograder.submissions.student_names import logged_name
from kqa_core.errors import UserError
from kqa_core.files import held, write_whole
from kqa_core.hardware import cores

LOCK = Path("judged", ".watching")
ROUND = 30  # submissions: few enough that the first do not wait long for their release
PAUSE, LONGEST_PAUSE = 5.0, 60.0  # seconds after something failed
AGAIN_SECONDS = 60.0  # until a submission that could not be judged is tried again; doubled each time
MOST_DOUBLINGS = 6


def watch(config: WatchConfig) -> None:
    """Watch until it is interrupted. Raises UserError if another watcher has the course,
    or the source cannot be used.
    """
    course = config.grading.course
    who = (
        f"process {os.getpid()} of {getpass.getuser()} on {platform.node()}, since {shown_time(time.time())},"
    )
    with held(course / LOCK, who):
        source = (
            ExchangeSource(course, config.grading.db)
            if config.folder is None
            else FolderSource(config.folder, course)
        )
        with Ledger(ledger_path(course)):  # made, if there is none
            pass
        watcher = Watcher(config, source)
        for number in (signal.SIGINT, signal.SIGTERM):  # a service is stopped with the second
            signal.signal(number, watcher.interrupt)
        watcher.run()


class Watcher:
    """Watches one course. Everything below `_lock` is shared by the thread that
    looks and the one that judges.
    """

    def __init__(self, config: WatchConfig, source: Source) -> None:
        grading = replace(config.grading, tier=config.grading.tier or best_tier())
        self._config, self._grading, self._course, self._source = config, grading, grading.course, source
        self.log = WatchLog(self._course)
        self._lock, self._stop = threading.RLock(), threading.Event()
        self._zone, self._interrupted = read_course().time_zone, False
        self._set_aside: set[str] = set()  # the lines about it that were shown
        self._seen: dict[str, object] = {}  # student's folder → what it looked like when it was received
        self._plan: Plan | None = None
        self.queue: list[Waiting] = []
        self.judging: list[Waiting] = []
        self.workers: dict[str, str] = {}
        self._told: dict[tuple[str, str], str] = {}
        self._later: dict[tuple[str, str], tuple[str, float]] = {}
        self._tries: dict[tuple[str, str], int] = {}
        self._slow: dict[tuple[str, str], str] = {}  # (student, notebook) → the work that took long
        self.trouble: dict[str, str] = {}  # "looking" or "judging" → what fails now

    def run(self) -> None:
        """Look and judge until it is interrupted, or, `once`, until nothing waits that may be judged now."""
        self.log.say(f"begins: {', '.join(self._config.names)}; {self._config.limit}")
        thread = threading.Thread(target=self._looks, name="look", daemon=True)
        state = "stopped"
        try:
            self._tried("looking", self.look)
            if not self._config.once:
                thread.start()
            while not self._interrupted and self._judges():
                pass
        except KeyboardInterrupt:
            self._interrupted = True
        except BaseException:
            state = "ended by an error"
            raise
        finally:
            self._stop.set()
            if thread.is_alive():
                thread.join()
            if self._interrupted:
                self.log.say("stopped; start it again to go on")
            self._write_page(state)

    def interrupt(self, *facts: object) -> None:
        """Handle a signal. Not every library lets the exception through, so that it came is kept, too."""
        self._interrupted = True
        raise KeyboardInterrupt

    def look(self) -> None:
        """Collect, receive, and find out what waits. Raises UserError, OSError."""
        check_room(self._course)
        with self._lock:
            for line in self._source.collect(self._config.names):
                self.log.incident(line)
            self._receive()
            self._find()
            self._tell()
        self._write_page("watches")

    def round(self, chosen: Sequence[Waiting]) -> None:
        """Judge these submissions and release their answers. Raises UserError, OSError, CanaryDeviates."""
        check_room(self._course)
        plan = self._plan
        patient = all(self._is_slow(submission) for submission in chosen)
        assert plan is not None, "a look comes first"
        publisher = Publisher(replace(self._grading, patient=patient))
        waiting = list(chosen)

        def release(graded: Graded) -> None:
            if graded.failed:
                check_room(self._course)  # a full disk is no submission's fault
            there = {(result.student, result.assignment) for result in graded.results}
            ready = [
                submission
                for submission in waiting
                if all((who, submission.entry.assignment) in there for who in submission.members)
            ]
            with self._lock:
                self._release(ready, graded)
                waiting[:] = [submission for submission in waiting if submission not in ready]
                self.judging = list(waiting)
                self._slow.update({submission.place: submission.work for submission in waiting})
                self._find()

        events = Events(working=self.workers.__setitem__)
        part = plan.part([submission.entry for submission in chosen])
        # what is slow waits, until nobody else does
        judge_and_publish(part, publisher, events, after=release, slow=patient)

    def _looks(self) -> None:
        while not self._stop.wait(self._config.every):
            self._tried("looking", self.look)

    def _judges(self) -> bool:
        """Judge what comes first in the queue, or wait a moment. Returns whether to go on."""
        with self._lock:
            ready = [submission for submission in self.queue if submission.until is None]
            quick = [submission for submission in ready if not self._is_slow(submission)]
            self.judging = quick[:ROUND] or ready[: self._grading.workers or cores()]
        if not self.judging:
            if self._config.once:
                return False
            self._stop.wait(min(1.0, self._config.every))
            return True
        self._write_page("watches")
        try:
            self._tried("judging", lambda: self.round(self.judging))
        finally:
            with self._lock:
                self.judging = []
                self.workers.clear()
        return True

    def _tried(self, what: str, step: Callable[[], None]) -> None:
        """Do a step. If it fails, say so once, wait, and try again; `once`, raise UserError."""
        pause = PAUSE
        while not (self._stop.is_set() or self._interrupted):
            try:
                step()
            # whatever a disk, a server or a plugin can bring about: the watcher goes on
            except Exception as error:
                line = self._fails(what, error)
                if self._config.once:
                    raise UserError(line) from error
                self._write_page("watches, with trouble")
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            if self.trouble.pop(what, None) is not None:
                self.log.say(f"{what} works again")
            return

    def _fails(self, what: str, error: Exception) -> str:
        """Note that something fails, and say so if that is new. Returns the line."""
        line = full_disk(self._course, NO_ROOM) or in_words(
            error
        )  # SQLite gives other reasons for a full disk
        if line not in list(self.trouble.values()):
            self.log.say(f"error while {what}: {line}", logging.ERROR)
        self.trouble[what] = line
        return line

    def _receive(self) -> None:
        """Receive what came since the last look."""
        folder, names, grading = self._source.submitted, self._config.names, self._grading
        now = look_of(folder or self._course / "submitted", names)
        changed = {name for name, facts in now.items() if self._seen.get(name) != facts}
        received = receive_class(
            self._course, names, grading.limits, folder=folder, among=changed, db=grading.db
        )
        self._seen = now
        for line in received.lines:
            self.log.show(f"received {line}")
        for submission in received.set_aside:
            if submission.line not in self._set_aside:
                self._set_aside.add(submission.line)
                self.log.note(submission.line)

    def _find(self) -> None:
        """Find out what waits now."""
        self._plan = Publisher(self._grading).plan(self._config.names)
        day = Day.of(time.time(), self._zone)
        with answers_of(self._course) as answers:
            answered, today = answers.last(), answers.since(day.begins)
        queue = waiting(self._plan, answered, today, day, self._config.daily, self._later)
        self.queue = sorted(queue, key=lambda one: (one.until or 0.0, self._is_slow(one)))

    def _is_slow(self, submission: Waiting) -> bool:
        return self._slow.get(submission.place) == submission.work

    def _tell(self) -> None:
        """Tell each student who waits what the queue says about them, if that is new."""
        judging = {submission.place: submission.work for submission in self.judging}
        ahead = 0
        for submission in self.queue:
            busy = judging.get(submission.place) == submission.work
            ahead += submission.until is None and not busy
            text = sentence(submission, ahead, busy, self._config.daily)
            for who in submission.members:
                place = (who, submission.entry.assignment)
                if self._told.get(place) == text:
                    continue
                if place not in self._told and submission.why:
                    self.log.say(
                        f"waits {logged_name(who)}, {place[1]}: version {submission.entry.version} until"
                        f" {shown_time(submission.until or 0.0)}"
                    )
                try:
                    page = waiting_page(place[1], text)
                    self._source.tell(who, place[1], text, page, submission.stamps[who])
                except (UserError, OSError) as error:
                    if no_room(error):
                        raise
                    self.log.incident(
                        f"{logged_name(who)}, {place[1]}: cannot be told that it waits ({in_words(error)})"
                    )
                self._told[place] = text

    def _release(self, chosen: Sequence[Waiting], graded: Graded) -> None:
        results = {(result.student, result.assignment): result for result in graded.results}
        lines = {line.partition(": ")[0]: line for line in graded.differences}
        for submission in chosen:
            name = submission.entry.assignment
            failed = [who for who in submission.members if (who, name) in graded.failed]
            try:
                if failed:
                    raise UserError(
                        lines.get(f"{failed[0]}, {name}", f"{failed[0]}, {name}: could not be judged")
                    )
                for who in submission.members:
                    if results[who, name].status is not Status.MISSING:
                        self._source.release(who, name)
            except (UserError, OSError) as error:
                if no_room(error):
                    raise
                self._put_off(submission, in_words(error))
                continue
            self._entered(submission, [results[who, name] for who in submission.members])

    def _entered(self, submission: Waiting, results: Sequence[SubmissionResult]) -> None:
        """Enter the answers to one submission, and say so."""
        answers = answers_to(submission, results, time.time())
        for result in results:
            incidents = [f"{one.exercise}: {one.incident}" for one in result.exercises if one.incident]
            if incidents:
                who = logged_name(result.student)
                self.log.incident(f"{who}, {result.assignment}: {'; '.join(incidents)}")
        with answers_of(self._course, writes=True) as table:
            table.add(answers)
        for answer in answers:
            self._told.pop((answer.student, answer.assignment), None)
            self.log.say(
                f"released {logged_name(answer.student)}, {answer.assignment}: version {answer.version},"
                f" {answer.said}"
            )
        self._later.pop(submission.place, None)
        self._slow.pop(submission.place, None)
        self._tries.pop(submission.place, None)

    def _put_off(self, submission: Waiting, why: str) -> None:
        """Try this submission again later, and go on with the others."""
        tries = self._tries[submission.place] = self._tries.get(submission.place, 0) + 1
        seconds = AGAIN_SECONDS * 2 ** min(tries - 1, MOST_DOUBLINGS)
        self._later[submission.place] = (submission.work, time.time() + seconds)
        self.log.incident(f"{why}; is tried again in {seconds / 60:.0f} min")

    def _write_page(self, state: str) -> None:
        with self._lock:
            try:
                with answers_of(self._course) as answers:
                    facts = self._facts(state)
                    shown = view(self.queue, self.judging, answers, **facts)
                write_whole(self._config.page, watch_page(shown))
            # it is only shown: whatever it is, the page before stays, and the watcher goes on
            except Exception as error:
                self._fails("writing the page", error)
            else:
                self.trouble.pop("writing the page", None)

    def _facts(self, state: str) -> dict[str, Any]:
        """The facts on the page about the watcher itself."""
        source = "nbgrader's exchange" if self._config.folder is None else str(self._config.folder)
        seconds = 0 if self._stop.is_set() else max(2, round(self._config.every))
        told = {"incidents": list(self.log.incidents), "trouble": "; ".join(list(self.trouble.values()))}
        told["workers"] = [what for what in list(self.workers.values()) if what]
        return {"state": state, "source": source, "limit": self._config.limit, "seconds": seconds, **told}
