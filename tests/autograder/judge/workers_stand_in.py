"""What stands for the workers that judge: they answer as they are told."""

from __future__ import annotations

from recorded import result
from tiny_course import EXERCISES, KEYS

from autograder.gradebook import feedback
from autograder.grading import batch
from autograder.judge import canaries
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.judge.tasks import AnswerTask
from autograder.submissions import skeleton
from autograder.submissions.merge import GraftedCell

ENDED = ExerciseResult("double", Status.INCIDENT, "error", 0.0, 2, "did not finish", "time")


class WorkersStandIn:
    """Stands for the workers. `says` tells what comes of a student's submission:
    the marks of `double`, or a failure; `answers` what the student has written there.
    """

    def __init__(self):
        self.says, self.asked, self.endless, self.configs = {}, [], ENDED, []
        self.answers = {}

    @classmethod
    def instead_of_workers(cls, monkeypatch):
        """Make one, and have batches of the tiny course ask it."""
        made = cls()
        monkeypatch.setattr(batch, "run_tasks", made.run_tasks)
        monkeypatch.setattr(batch, "code_digest", lambda *what: "course")
        monkeypatch.setattr(canaries, "find_key", KEYS.get)
        monkeypatch.setattr(feedback, "find_key", KEYS.get)
        monkeypatch.setattr(skeleton, "find", EXERCISES.__getitem__)
        return made

    def run_tasks(self, tasks, config, events):
        self.configs.append(config)
        for task in tasks:
            if isinstance(task, AnswerTask):
                self.asked.append("endless")
                yield task, self.endless
            else:
                self.asked.append(task.submission.student)
                self.began(task)
                yield task, self.result(task)

    def began(self, task):
        """For tests that look at what there is while a task is judged."""

    def result(self, task):
        said = self.says.get(task.submission.student, 2.0)
        if isinstance(said, BaseException):
            return said
        entry = task.submission
        status = Status.BROKEN if said is None else Status.GRADED
        one = result(
            "double", said, status, "ours" if said is None else "said by us", "right" if said else "not yet"
        )
        others = [
            ExerciseResult.of(exercise, Status.UNATTEMPTED, "unattempted", 0.0, "nothing is here")
            for name, exercise in EXERCISES.items()
            if name != "double"
        ]
        made = SubmissionResult(
            *(
                entry.student,
                entry.assignment,
                status,
                (one, *others),
                None,
                entry.notes,
                entry.sha256,
                entry.received,
                entry.version,
            ),
            *(entry.late, "forked"),
        )
        source = self.answers.get(entry.student, "x = 1")
        return Judged(made, (GraftedCell("solution", "code", source, "double"),))
