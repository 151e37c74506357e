"""The mutants of the judge: which functions are changed,
by rule and by hand, and which changes change nothing.

- Listed are the functions that decide which way a verdict goes, within which bounds a mark lies, which status
  stands for what.
- The rules are in `mutating`; what they cannot say stands below as text for text.
- Two halves, to run side by side: what decides a verdict, and what receives, records and publishes.
"""

from __future__ import annotations

from dataclasses import dataclass

from mutating import Mutant, by_hand, by_rule


@dataclass(frozen=True)
class Half:
    """Functions to change and the tests that must notice."""

    tests: tuple[str, ...]  # files, from the folder `tests`
    functions: dict[str, str]  # by module
    by_hand: tuple[tuple[str, str, str, str], ...]  # module, function, text, what it becomes
    without: tuple[str, ...] = ()  # parts of the names of tests that are left out: they take seconds

    def mutants(self) -> list[Mutant]:
        """All of them."""
        ruled = [
            mutant for module, functions in self.functions.items() for mutant in by_rule(module, functions)
        ]
        return ruled + [by_hand(*each) for each in self.by_hand]


SESSION = "autograder.judge.session"
DECIDES = Half(
    (
        "autograder/judge/test_verdicts.py",
        "autograder/judge/test_verdicts_of_a_part.py",
        "autograder/judge/test_verdicts_sessions.py",
        "autograder/judge/test_verdicts_beside.py",
        "autograder/judge/test_verdicts_canaries.py",
        "autograder/judge/test_verdicts_told.py",
        "autograder/judge/test_partial_credit.py",
        "autograder/judge/test_judge_statuses.py",
        "autograder/judge/test_judge_incidents.py",
        "autograder/judge/test_judge_graft.py",
        "autograder/judge/test_availability.py",
        "autograder/judge/test_judge_seeds.py",
        "autograder/judge/test_received_parsing.py",
        "autograder/judge/test_lost_answers.py",
        "autograder/judge/test_busy_machine.py",
        "kqa_core/check/test_local_and_run.py",
    ),
    {
        "autograder.judge.verdict": (
            "judge_submission _stopped judge _Judging.results _Judging._explain _Judging._settle"
        ),
        "autograder.judge.stages": "visible hidden explained _checked _named _undefined Draws.answer",
        "autograder.judge.budget": "Reading.since Limit.left Limit.struck",
        "autograder.judge.replies": "read_reply",
        "autograder.judge.results": (
            "ExerciseResult.__post_init__ SubmissionResult.marks SubmissionResult.points SubmissionResult.of"
            " overall"
        ),
        "autograder.judge.canaries": "Canary.deviation known_answers endless_answer _first_key",
        "autograder.submissions.merge": (
            """
            Graft.run Graft.source Graft.untouched Graft._answered_elsewhere Graft._defined_elsewhere graft
            with_answer _answer
        """
        ),
        "autograder.submissions.cells": "same_code defines",
        SESSION: (
            """
            Session.start Session.drop Session.cell_failure Session.request Session._exchange Session._run_cells Session._skip
            parsed RemoteAnswer.map RemoteAnswer._next
        """
        ),
        "autograder.judge.seeds": "course_key seed_for",
        "autograder.judge.tasks": "perform _submission",
        "autograder.runner.notebook_parser": "parse cells_of _tree _unique _cell _grade_id _id",
        "kqa_core.check.run": "run_check failed_verdict behaviour",
        "kqa_core.check.exercise": "right expect Exercise.written",
        "kqa_core.check.partial_credit": "by_parts",
    },
    (
        ("autograder.judge.verdict", "_Judging._settle", "exercise.points if full", "1.0 if full"),
        (
            "autograder.judge.verdict",
            "_Judging.results",
            "self._settle(exercise, replace(first, stage",
            "pass, (first, stage",
        ),
        ("autograder.judge.stages", "hidden", "key.hidden", "exercise.check"),
        ("autograder.judge.seeds", "seed_for", ", code)", ")"),
        ("autograder.judge.seeds", "seed_for", "student, ", ""),
        ("autograder.judge.seeds", "seed_for", "digest(key", 'digest(b""'),
        ("kqa_core.check.run", "run_check", "random.Random(seed)", "random.Random(0)"),
        ("kqa_core.check.run", "failed_verdict", "sentence, incident)", "sentence)"),
        (SESSION, "Session._skip", "self.cells[number].role", "self.cells[0].role"),
        (SESSION, "RemoteAnswer._next", "self._calls += count", "pass"),
    ),
    (
        "test_whatever_",
        "test_everything_behaves_like_itself",
        "test_an_incident_costs_only_the_exercise_it_happened_in",
        "test_an_extra_cell_that_goes_wrong_costs_nothing[while",
        "test_a_student_who_breaks_a_setup_cell_from_a_cell_above_it_loses_only_that_cell",
        "test_after_an_incident_the_next_call_gets_a_fresh_worker",
        "test_bytes_forged_on_the_channel",
        "test_an_honest_submission_gets_on_a_machine_at_load_20",
        "test_the_workers_own_computing_has_a_clock",
    ),
)
RECORDS = Half(
    (
        "autograder/judge/test_verdicts_recorded.py",
        "autograder/judge/test_late_work.py",
        "autograder/judge/test_verdicts_beside.py",
        "autograder/judge/test_verdicts_shown.py",
        "autograder/judge/test_verdicts_published.py",
        "autograder/judge/test_verdicts_of_a_batch.py",
        "autograder/judge/test_verdicts_of_a_part.py",
        "autograder/judge/test_verdicts_kept.py",
        "autograder/judge/test_groups.py",
        "autograder/judge/test_availability.py",
        "autograder/judge/test_ledger.py",
        "autograder/judge/test_judge_intake.py",
        "autograder/judge/test_received.py",
        "autograder/judge/test_clock.py",
        "autograder/judge/test_received_names.py",
        "autograder/judge/test_private_files.py",
        "autograder/judge/test_stored_bytes.py",
    ),
    {
        "autograder.gradebook.recorder": (
            """
            Recorder.prepare Recorder.due Recorder.record Recorder._grades Recorder._submission unfit_name _score
        """
        ),
        "autograder.gradebook.gradebook": (
            "marks_of gradebook_marks gradebook_names final_mark gradebook_exists"
        ),
        "autograder.gradebook.lateness": "Lateness.penalise Lateness._warn",
        "autograder.grading.batch": (
            "Batch.__init__ Batch.judge Batch.judge_slow Batch._judged Batch._round Batch._enter Batch._report _unjudged"
        ),
        "autograder.grading.ledger": "as_received Ledger.publish Ledger.forget Ledger.take",
        "autograder.grading.published": "latest latest_cells graded_notebooks",
        "autograder.submissions.cells": "cells_from _submitted _is_text",
        "autograder.submissions.intake": "read_file _opened _regular",
        "autograder.submissions.student_names": "usable_name",
        "autograder.submissions.store": (
            """
            receive receive_folder _look _content enter_found _known enter
        """
        ),
        "autograder.submissions.counting": "manifest manifests _counting _ordered",
        "autograder.submissions.versions": "_entry Store.add_event read_history",
        "autograder.gradebook.cell_metadata": "nbgrader_marks",
        "autograder.gradebook.feedback": "_cell submission_digest",
        "autograder.gradebook.feedback_page": "feedback_page",
        "autograder.course.grade": "grade judge_and_publish _nothing",
        "autograder.course.publisher": (
            """
            Plan.notebooks Plan.part Publisher.plan Publisher.publish Publisher._share_marks Publisher._record
            Publisher._publish_results _row _cells _for_students reconcile
        """
        ),
    },
    (
        ("autograder.gradebook.recorder", "_score", "result.marks if", "result.points if"),
        ("autograder.gradebook.recorder", "Recorder.record", "book.db.commit()", "pass"),
        (
            "autograder.gradebook.recorder",
            "Recorder._grades",
            "self._lateness.penalise(submission, notebook, max(0.0, more))",
            "pass",
        ),
        (
            "autograder.gradebook.lateness",
            "Lateness.penalise",
            "notebook.late_submission_penalty = None",
            "pass",
        ),
        ("autograder.grading.batch", "Batch._round", "self.ledger.take_back()", "pass"),
        ("autograder.grading.batch", "Batch._round", "self.ledger.proved()", "pass"),
        ("autograder.grading.batch", "Batch._enter", "self.ledger.release(key)", "pass"),
        ("autograder.submissions.counting", "_ordered", "(_at(other), ", "(0.0, "),
        ("autograder.submissions.counting", "_counting", "_at(counts) - due", "_at(ordered[-1]) - due"),
        (
            "autograder.course.publisher",
            "Publisher.publish",
            "reconcile([each.entry for each in for_students], results)",
            "[]",
        ),
    ),
    (
        "test_what_the_grader_may_not_read_is_refused",
        "test_any_other_reply_is_refused_in_our_words[[('code', 'aaaaaa",
    ),
)
HALVES = {"decides": DECIDES, "records": RECORDS}

# Mutants that no test can kill, because they change nothing that anybody could see; each with the argument.
EQUIVALENT: dict[str, str] = {
    "autograder.submissions.store.enter_found: again.received > known.received → again.received >= known.received": (
        "the two differ where the times are equal, and then the line says *again*"
    ),
    "autograder.judge.session.Session._run_cells: extras.left(self._read()) < 0 → extras.left(self._read()) <= 0": (
        "the two differ where a cell begins in the very nanosecond at which the time is up"
    ),
    "autograder.judge.verdict._Judging._explain: True → False": (
        "both lists have an entry for each wrong answer: a check that stops while it explains is given a"
        " sentence, and not left out"
    ),
    "autograder.submissions.merge.graft: True → False": "the places are those of the cells, one for each",
    "autograder.submissions.counting._counting: due is not None and late and (later is not None) and (later <= due) → late and later is not None and (later <= due)": (
        "nothing is late without a due date; the rest is for mypy"
    ),
    "autograder.judge.session.Session.start: time.monotonic() > self.until → time.monotonic() >= self.until": (
        "the two differ where a runner starts in the very nanosecond at which the time is up"
    ),
    "autograder.judge.session.Session._exchange: time.monotonic() >= self.until → time.monotonic() > self.until": (
        "the two differ where a reply is given up in the very nanosecond at which the time is up"
    ),
    "autograder.judge.tasks._submission: time.monotonic() > until → time.monotonic() >= until": (
        "the two differ where it took this time to the nanosecond"
    ),
    "autograder.submissions.cells.defines: name in source and name in known_program(source, programs)[1] → name in known_program(source, programs)[1]": (
        "the first look saves the parsing: what a cell defines is in its text"
    ),
    "autograder.gradebook.recorder.Recorder.prepare: marks['grade'] and cell.exercise is not None → marks['grade']": (
        "a skeleton gives both roles to cells of an exercise alone; the rest is for mypy"
    ),
    "autograder.submissions.intake.read_file: False → True (2)": (
        "a link in the file's place leads to the same file only if that got another name, which changes its"
        " time"
    ),
    "autograder.judge.session.parsed: failed.incident or '' → failed.incident": (
        "no incident has no sentence either way"
    ),
    "autograder.gradebook.feedback._cell: cell.grade_id or '' → cell.grade_id": (
        "no result is kept under None; the rest is for mypy"
    ),
    "autograder.gradebook.recorder.Recorder._grades: False → True": (
        "a new row has no mark of a person's, and then `_score` sets the flag without looking at what it was"
    ),
}
