"""Tasks for the tests of workers, done in a worker's process: they hang, die or fail as told."""

from __future__ import annotations

import os
import time

from autograder.sandbox.errors import InfrastructureError


class Impatient(tuple):
    """A task for which others wait."""

    patient = False


def perform(task, context):  # noqa: PLR0911, PLR0912 - one branch for each kind of task
    what, *rest = task
    if what == "hang":
        for exercise in ("one", "two"):
            context.begin(exercise, 0.2)
            if exercise == "two" and exercise not in context.given_up:
                time.sleep(600)
        return sorted(context.given_up)
    if what in ("compute", "wait"):
        context.begin("one", 0.2)
        if what == "wait":  # for its runner, or for a processor
            time.sleep(1.5)
        while what == "compute" and "one" not in context.given_up:
            pass
        return sorted(context.given_up)
    if what == "hang in the cells":
        context.begin("the cells", 0.2)
        if "*" not in context.given_up:
            time.sleep(600)
        return sorted(context.given_up)
    if what == "die at two":
        for exercise in ("one", "two"):
            context.begin(exercise, 5.0)
            if exercise == "two" and exercise not in context.given_up:
                os._exit(3)
        return sorted(context.given_up)
    if what == "hang at many":
        context.begin("the cells", 5.0)
        for number in range(100):
            context.begin(f"exercise {number}", 0.1)
            if not {f"exercise {number}", "*"} & context.given_up:
                time.sleep(600)
        return len(context.given_up)
    if what == "again":
        if not context.again:
            raise InfrastructureError("a runner was killed from outside")
        return "judged"
    if what == "fill":
        try:
            kept = bytearray(700 * 2**20)
        except MemoryError:
            return "no memory"
        return len(kept)
    if what in ("die", "die once"):
        first = not os.path.exists(rest[0])  # noqa: PTH110 # a runner-side helper, kept to os
        open(rest[0], "a").close()  # noqa: PTH123
        if what == "die" or first:
            os._exit(3)
        return "came back"
    if what == "course":
        from autograder.answer_key import find_key
        from autograder.paths import course_folder
        from kqa_core.check.registry import all_exercises

        return str(course_folder()), [each.id for each in all_exercises()], find_key("merge_sorted").id
    if what == "raise":
        raise ValueError("no luck")
    return rest[0] * 2
