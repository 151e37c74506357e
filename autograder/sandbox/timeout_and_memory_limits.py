"""How much time, memory and output one submission may use. Every cap of the judge is here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Caps on one submission. Sizes are bytes.

    Times are seconds in which the submission ran or slept, or the processor time of all its processes where
    that is more (`autograder.judge.budget`). Waiting for a processor does not count: a busy machine takes no
    mark from anybody.
    """

    call_seconds: float = 10.0  # one call, or one batch of calls, of the student's function
    cell_seconds: float = 20.0  # one setup or solution cell
    # one cell of the student's own: most of them hold a helper, some hold an experiment
    extra_seconds: float = 5.0
    extras_seconds: float = 30.0  # all cells of the student's own together; later ones are skipped
    # the calls of one check, and the worker's own computing for it
    exercise_seconds: float = 40.0
    submission_seconds: float = 300.0  # all of one submission, with every restart of its runner
    # by the wall clock, before the others of the class have had their turn: a slow submission is judged last
    first_seconds: float = 45.0
    restarts: int = 12  # of one submission's runner
    # of a worker's processor time: beyond that it counts as hanging, and is killed from outside
    grace_seconds: float = 10.0
    # how many times as long anything may take by the wall clock, on a machine that is busy
    busy: float = 12.0
    # bytes on top of what the fork server has, of all processes of a runner: counted by the kernel in a
    # control group, else looked at 20 times a second, and enforced for each process at twice that
    memory: int = 1536 * 2**20
    file: int = 64 * 2**20  # of one file the student's code writes
    disk: int = 128 * 2**20  # of all files in the runner's home, which is memory
    processes: int = 64  # processes and threads of one runner
    core: int | None = None  # the only processor that a runner may use; None for all
    cpu_seconds: int = 600  # of one runner: the backstop, should the judge's own clock fail
    notebook: int = 20 * 2**20  # of a submitted .ipynb
