"""What the student's code can reach, leave behind and learn;
and that a check sees the same here and in a notebook.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_course import KEY, KEYS, LIMITS, SKELETON, submitted

from autograder.judge import verdict
from autograder.judge.escape_test import quick_check
from autograder.judge.session import RemoteAnswer, Session
from autograder.judge.verdict import JudgeContext, judge
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.processes import BUFFER, tree
from autograder.submissions.merge import GraftedCell, graft
from kqa_core.check.answer import AnswerFailed, AnswerRaised, Build, Seeded
from kqa_core.check.local import LocalAnswer

pytestmark = pytest.mark.slow

SPOIL = """
import builtins, math, os, random, sys, sympy, torch, kqa_core.check.codec
math.spoilt = torch.spoilt = sympy.spoilt = builtins.spoilt = kqa_core.check.codec.spoilt = True
torch.set_default_dtype(torch.float64); random.seed(1); os.environ['SPOILT'] = 'yes'; os.umask(0)
open('left.txt', 'w').write('x'); open(os.path.join(os.environ['HOME'], 'left.txt'), 'w').write('x')
sum = lambda *a: 42; builtins.sum = sum; sys.path.insert(0, os.getcwd()); sys.modules['left'] = math
"""
LOOK = """
def look():
    import builtins, math, os, sys, sympy, torch, kqa_core.check.codec as values
    marks = [hasattr(m, 'spoilt') for m in (math, torch, sympy, builtins, values)]
    umask = os.umask(0o22)
    return (marks, torch.get_default_dtype() is torch.float32, os.environ.get('SPOILT'), os.listdir('.'),
            os.listdir(os.environ['HOME']), sum([1, 2]), 'left' in sys.modules, umask)
"""


def session(launcher, *sources):
    cells = [
        GraftedCell("solution", "code", source, f"cell{number}") for number, source in enumerate(sources)
    ]
    return Session(launcher, cells, LIMITS)


def call(launcher, name, *args, source):
    opened = session(launcher, source)
    try:
        return RemoteAnswer(opened, name)(*args)
    finally:
        opened.close()


def test_what_one_submission_leaves_is_invisible_to_the_next(launcher):
    clean = call(launcher, "look", source=LOOK)
    assert clean[0] == [False] * 5 and clean[1] is True and clean[5] == 3
    spoilt = call(launcher, "look", source=SPOIL + LOOK)
    assert spoilt[0] == [True] * 5 and spoilt[5] == 42  # the student's own runner is theirs to spoil
    assert call(launcher, "look", source=LOOK) == clean


def test_a_runner_keeps_to_its_processor(launcher, monkeypatch):
    core = max(os.sched_getaffinity(0))
    monkeypatch.setattr(launcher, "limits", replace(LIMITS, core=core))
    look, move = "sorted(os.sched_getaffinity(0))", "os.sched_setaffinity(0, range(os.cpu_count()))"
    source = f"import os\ndef cores(): return {look}\ndef move(): {move}"
    assert call(launcher, "cores", source=source) == [core]
    with pytest.raises(AnswerRaised) as refused:
        call(launcher, "move", source=source)
    assert refused.value.kind == "PermissionError"


def test_a_runner_that_is_ended_takes_its_children_with_it(launcher):
    source = (
        "import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', 'import time;"
        " time.sleep(600)'], start_new_session=True)"
    )
    opened = session(launcher, source)
    opened.start()
    (child,) = tree(opened._runner.pid)[1:]
    assert running(child)
    opened.close()
    for _ in range(200):
        if not running(child):
            return
        time.sleep(0.05)
    pytest.fail("the grandchild still runs")


def innermost(pid):
    """The fork server itself, of the sandbox that process `pid` is."""
    while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = int(children[0])
    return pid


def running(pid):
    """Whether a process runs; one that is dead and waits for whoever adopts it does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_the_runner_cannot_import_the_instructors_half_as_a_student_cannot(launcher):
    source = "def f():\n    import course_keys"
    with pytest.raises(AnswerRaised, match="ModuleNotFoundError"):
        call(launcher, "f", source=source)


def test_the_runners_environment_holds_nothing_of_the_judges(launcher, monkeypatch):
    os.environ["KQA_TEST_SECRET"] = "x"
    try:
        names = call(launcher, "f", source="import os\ndef f(): return sorted(os.environ)")
    finally:
        del os.environ["KQA_TEST_SECRET"]
    assert "KQA_TEST_SECRET" not in names and len(names) < 16


def test_output_and_input_lead_nowhere(launcher, capfd):
    source = (
        "import os, sys\n"
        "def f():\n"
        "    print('shout'); os.write(1, b'raw'); os.write(2, b'raw')\n"
        "    sys.stderr.write('x' * 10**6)\n"
        "    return 7"
    )
    assert call(launcher, "f", source=source) == 7
    with pytest.raises(AnswerRaised, match="EOFError"):
        call(launcher, "f", source="def f(): return input('name? ')")
    assert capfd.readouterr() == ("", "")


def test_magics_and_top_level_await_work_as_in_jupyter(launcher):
    source = (
        "%matplotlib inline\n"
        "%precision 3\n"
        "import asyncio\n"
        "await asyncio.sleep(0)\n"
        "x = !echo hello\n"
        "def f(): return list(x)"
    )
    assert call(launcher, "f", source=source) == ["hello"]


def test_the_text_of_an_exception_crosses_only_where_a_message_may_be_shown(launcher):
    opened = session(launcher, "def f(): raise ValueError('the inputs were 3 and 4')")
    try:
        for shown in (True, False):
            opened.shows_messages = shown
            with pytest.raises(AnswerRaised) as caught:
                RemoteAnswer(opened, "f")()
            assert caught.value.message == ("the inputs were 3 and 4" if shown else "")
            assert ("inputs" in str(caught.value)) <= shown
    finally:
        opened.close()


@pytest.mark.parametrize("args", [(Seeded(5), 3), (Build("random:Random", (5,)), 3)])
def test_a_seeded_argument_draws_the_same_numbers_here_and_there(launcher, args):
    def draw(rng, n):
        import random

        import numpy as np
        import torch

        return (
            [rng.random() for _ in range(n)],
            random.random(),
            float(np.random.rand()),
            float(torch.rand(())),
        )

    import inspect
    import textwrap

    opened = session(launcher, textwrap.dedent(inspect.getsource(draw)))
    there, here = RemoteAnswer(opened, "draw", 11), LocalAnswer(draw, 11)
    try:
        if isinstance(args[0], Build):  # only kqa_core's public names are built
            with pytest.raises(AnswerFailed):
                there(*args)
            return
        assert there(*args) == here(*args)
        assert there(*args) == here(*args)
        drawn = there.map([args, args])
        assert drawn == here.map([args, args])
        assert there(*args) == here(*args)
        there.rewind(3)
        assert there.map([args, args]) == drawn
    finally:
        opened.close()


def test_handles_lead_back_to_the_object_and_can_be_passed_on(launcher):
    opened = session(
        launcher,
        "class Box:\n"
        "    size = 3\n"
        "    def grow(self, n): return self.size + n\n"
        "def f(b=None): return b.size if b else Box()",
    )
    answer = RemoteAnswer(opened, "f")
    try:
        box = answer()
        assert box.type_name == "Box"
        assert (answer.attribute(box, "size"), answer.method(box, "grow", 4), answer(box)) == (3, 7, 3)
        with pytest.raises(AnswerRaised, match="AttributeError"):
            answer.attribute(box, "colour")
    finally:
        opened.close()


@pytest.mark.slow
def test_a_killed_or_stopped_fork_server_is_started_again(launch, monkeypatch):
    from autograder.sandbox import launcher as module

    monkeypatch.setattr(module, "REPLY_SECONDS", 5.0)
    made = launch()
    try:
        made.start().end()
        for blow in (signal.SIGKILL, signal.SIGSTOP):
            before = made.pid
            os.kill(innermost(before), blow)
            runner = made.start()
            assert made.pid != before
            runner.end()
    finally:
        made.close()


@pytest.mark.slow
def test_a_runner_that_is_killed_from_outside_is_our_fault_and_not_an_incident(launcher):
    opened = session(launcher, "import time\ndef f():\n    time.sleep(3)")
    opened.start()
    blow = threading.Timer(0.7, os.kill, (opened._runner.pid, signal.SIGKILL))
    blow.start()
    with pytest.raises(InfrastructureError, match="killed from outside"):
        RemoteAnswer(opened, "f")()
    blow.join()


@pytest.mark.parametrize(
    "end",
    ["os._exit(0)", "os.kill(os.getpid(), 9) or os._exit(9)", "os.fork() or os.kill(1, 9); os._exit(1)"],
)
def test_a_runner_that_ends_itself_is_an_incident_however_it_tries(launcher, end):
    with pytest.raises(AnswerFailed) as caught:
        call(launcher, "f", source=f"import os\ndef f():\n    {end}")
    assert caught.value.incident == "died"


@pytest.mark.slow
def test_a_fork_server_that_dies_under_a_runner_is_our_fault_and_not_an_incident(launch, monkeypatch):
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)
    made = launch()
    try:
        made.start().end()
        cells = submitted(double="import time\ndef double(x):\n    time.sleep(2)\n    return 2 * x")
        warm = innermost(made.pid)  # asked while it has no child
        blow = threading.Timer(1.5, lambda: os.kill(warm, signal.SIGKILL))
        blow.start()
        with pytest.raises(InfrastructureError):
            judge(graft(SKELETON, cells), "ann", JudgeContext(KEY, made, LIMITS))
        blow.join()
    finally:
        made.close()


@pytest.mark.slow
def test_a_fork_server_that_dies_once_under_an_attempt_to_break_out_is_no_way_out(launch, monkeypatch):
    made = launch()
    try:
        made.start().end()
        warm, start = innermost(made.pid), made.start

        def die_under_the_first():
            runner = start()
            if running(warm):
                os.kill(warm, signal.SIGKILL)
            return runner

        monkeypatch.setattr(made, "start", die_under_the_first)
        before = made.pid
        quick_check(made)
        assert made.pid != before
    finally:
        made.close()


def test_a_launcher_that_cannot_start_says_so(launch, monkeypatch):
    made = launch()
    made.close()
    monkeypatch.setattr(made, "_launch", lambda: None)
    with pytest.raises(InfrastructureError):
        made.start()


def test_when_the_judge_goes_its_runners_go(launch):
    made = launch()
    runner = made.start()
    made._control.close()  # as when the judge's process is killed
    for _ in range(100):
        try:
            os.kill(runner.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the runner still runs")
    made.close()


PAIRS = """
import array, socket
kept = []

def pairs(n, on_their_way):
    one, other = socket.socketpair()
    kept.extend((one, other))
    for _ in range(n):
        pair = socket.socketpair()
        kept.extend(() if on_their_way else pair)
        if on_their_way:
            handles = array.array("i", [each.fileno() for each in pair])
            one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handles)])
"""


@pytest.mark.parametrize("on_their_way", [False, True])
def test_what_the_kernel_may_hold_in_sockets_counts_as_memory(launcher, on_their_way):
    opened = session(launcher, PAIRS)
    fill = RemoteAnswer(opened, "pairs")
    try:
        fill(0, on_their_way)
        opened._runner._group = None  # where the kernel does not count
        before = opened._runner.resident()
        fill(100, on_their_way)
        assert opened._runner.resident() - before >= 200 * BUFFER
    finally:
        opened.close()
