"""What holds for every test; and a fresh copy of the course, in which a newcomer types what
docs/instructors.md says.
"""

from __future__ import annotations

import functools
import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
import typer
from _pytest.assertion import rewrite
from another_course import loaded
from documented import PAGES, ROOT, Newcomer
from environments import CORE, EXTRAS, environment_with, install
from portions import repeated_by
from processor_time import ProcessorTime
from warm_python import started

from autograder.paths import course_folder, mount_keys, read_course
from kqa_core.check import registry, value_kinds

# what a CPU promises bit for bit is tested on one; tests of a GPU ask for it
os.environ.setdefault("KQA_DEVICE", "cpu")
# as many of them as cores: what one starts takes the machine to have one
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("PYTHON_CPU_COUNT", "1")
hypothesis.settings.register_profile(  # nothing here looks at a clock
    "kqa", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("kqa")
registry.mount(registry.PACKAGE, registry.folders())  # so that tests may import exercises and keys
mount_keys()
COLD = ("test_workers", "test_out_of_memory", "test_busy_machine", "test_grade_kills")
LONGEST = ("browser", "newcomer", "watch", "hostile", "new course", "without torch")  # groups of tests
REHEARSAL = ("docs/instructors.md", "Your first class, in 15 minutes")


def pytest_addoption(parser):
    parser.addoption("--processor-time", action="store_true", help="sum up processor seconds, file by file")


def pytest_configure(config):
    gc.disable()  # collections find nothing while tests are collected, and take time
    if config.getoption("processor_time"):
        config.pluginmanager.register(ProcessorTime())
    if config.getoption("numprocesses", None) and not sys.dont_write_bytecode:  # it starts the workers
        rewrite_tests(config, sorted(ROOT.glob("tests/**/test_*.py")))


def rewrite_tests(config, paths):
    """Compile the tests as pytest does, once. Else each worker, which imports them at the same time as the
    others, does it for itself.
    """
    second = os.fork()
    for path in paths[1::2] if second else paths[::2]:
        compiled = rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)
        if rewrite.try_makedirs(compiled.parent) and rewrite._read_pyc(path, compiled) is None:
            status, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, status, compiled)
    if not second:
        os._exit(0)
    os.waitpid(second, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """The tests of a file go to one worker, as those of a group do: what they share is made once.
    Not with KQA_ALL=1, where one file may take half an hour.
    """
    if config.getvalue("dist") != "loadgroup" or os.environ.get("KQA_ALL"):
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByGroupOrFile(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            scope = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if scope == nodeid else scope

    return ByGroupOrFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A failure in a portion says which command repeats it."""
    report = yield
    if report.failed and (command := repeated_by(item)):
        report.sections.append(("to repeat it", command))
    return report


def pytest_collection_modifyitems(items):
    """The longest groups go first, then the files that hold slow tests, so that at the end no worker waits
    for another one's.
    """
    slow = {item.path for item in items if any(map(item.get_closest_marker, ("slow", "nightly")))}
    turns = {group: turn for turn, group in enumerate(LONGEST, -len(LONGEST))}

    def turn(item):
        marker = item.get_closest_marker("xdist_group")
        return item.path not in slow, turns.get(marker.args[0], 0) if marker else 0

    items.sort(key=turn)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """What the thousands of tests are made of stays to the end:
    a garbage collection need not look through it.
    """
    gc.freeze()
    gc.enable()


def copy_of_the_course(target: Path) -> Path:
    """The files that git knows or would add, and the environment by a link:
    what a clone holds once it is set up.
    """
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():  # one that was deleted is listed until that is committed
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    (target / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    return target


@pytest.fixture(autouse=True, scope="module")
def _same_course():
    """A file of tests that works on another course leaves this one as it was:
    later tests have imported from its modules.
    """
    before, kinds = (course_folder(), registry.folders(), loaded()), value_kinds._fixed
    yield
    if kinds is not None and value_kinds._fixed is not kinds:  # a command has looked for its course
        value_kinds.use(kinds)
    after = course_folder(), registry.folders(), loaded()
    assert after[:2] == before[:2] and before[2].items() <= after[2].items(), (
        "use another_course.working_on for another course"
    )


@pytest.fixture(autouse=True, scope="module")
def _workers_start_warm(request):
    """The workers that this process starts are forked from a process that has imported torch. Where they, or
    what they hold, are tested, where the grader is a command, and in a course without torch, they are
    programs of their own.
    """
    from autograder.grading import worker

    def start(*words, **how):
        return (started if "torch" in read_course().packages else subprocess.Popen)(*words, **how)

    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name != "hostile" and request.path.stem not in COLD:
            patch.setattr(worker, "subprocess", SimpleNamespace(**vars(subprocess) | {"Popen": start}))
        yield


@pytest.fixture(scope="module")
def unconfined():
    """What this process grades runs without a sandbox, where it is not the sandbox that is tested: judge,
    limits and verdicts are the same.
    """
    from autograder.course import grade
    from autograder.grading import workers
    from autograder.sandbox.unconfined import TIER

    with pytest.MonkeyPatch.context() as patch:
        for module in (grade, workers):
            patch.setattr(module, "best_tier", lambda: TIER)
        yield


@pytest.fixture
def one_thread():
    """One thread of torch's."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


command_tree = functools.cache(typer.main.get_command)  # made once: there are more than a hundred commands


@pytest.fixture
def kqa_in_process(monkeypatch, capsys):
    """Run `kqa` with some words in this process; the exit status, and what was printed."""
    from kqa_core import cli

    if not cli.app.registered_commands:
        cli._register()
    monkeypatch.setattr(cli, "_register", lambda: None)
    monkeypatch.setattr(typer.main, "get_command", command_tree)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["kqa", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, capsys.readouterr()

    return run


@pytest.fixture(scope="session")
def students_python(tmp_path_factory):
    """The Python of a student's environment: the wheel with its extra `huggingface`, what these require,
    and nothing
    of this clone.
    """
    from autograder.build.bundle import build_wheel

    place = tmp_path_factory.mktemp("student")
    python = environment_with([*CORE, *EXTRAS["huggingface"]], place / "venv")
    install(python, str(build_wheel(place)))
    return python


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The copy, once the course is built: the first two blocks of the first class."""
    from autograder.build.build import up_to_date
    from autograder.build.release import notebook_names

    stale = [name for name in notebook_names() if not up_to_date(name)]
    assert not stale, f"run `kqa course build` first, which would train for minutes here: {', '.join(stale)}"
    made = Newcomer(copy_of_the_course(tmp_path_factory.mktemp("newcomer") / "course"))
    set_up, build, *_ = PAGES[REHEARSAL[0]].blocks(REHEARSAL[1])
    assert build[-1].text == "kqa course build"
    for command in (*set_up, *build):
        made.type(command)
    return made


@pytest.fixture(scope="session")
def newcomer(built):
    """The same, after the rehearsal: all of its commands but the last, which forgets everything."""
    _, _, *rehearsal, forget = PAGES[REHEARSAL[0]].blocks(REHEARSAL[1])
    assert forget[0].text.startswith("rm -rf ")
    for command in (command for block in rehearsal for command in block):
        built.type(command)
    return built
