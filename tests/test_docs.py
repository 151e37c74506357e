"""Every command in README.md, CONTRIBUTING.md, docs/, benchmarks/ and data/:
parsed by `kqa` itself, and run if that is quick.

The walk goes on where the fixture `newcomer` ends, in the order in which an instructor would read the pages.
"""

from __future__ import annotations

import csv
import importlib.util
import pkgutil
import re
import shutil
import sys
from pathlib import Path

import pytest
import typer
from documented import NOT_RUN, PAGES, ROOT, Command, Newcomer

from autograder.gradebook.gradebook import gradebook_marks
from autograder.paths import COURSE
from autograder.submissions.store import manifest
from kqa_core import cli
from kqa_core.errors import UserError

pytestmark = pytest.mark.xdist_group("newcomer")
NOTEBOOK = "01_attention_as_a_lookup"
CLASS = ("ada", "cleo", "jan")
FOREIGN = {"--help"}  # of every command
ALL = [command for page in PAGES.values() for command in page.commands]
FENCED = [command for command in ALL if command.fenced]
OPERATIONS = (
    "Back up and restore",
    "Upgrade the course in mid-term",
    "The disk is full",
    "The machine died while grading",
    "A submission is refused, or never ends",
    "A check was wrong, and marks must be computed again",
    "A student says that a mark is wrong",
    "The gradebook is locked or damaged",
    "The course key was lost or leaked",
    "A submission came under a wrong name",
    "The hub is down on the due date",
    "An answer key leaked",
)
# after the rehearsal, page by page; what a page needs that the rehearsal has not made is laid there by
# `lay_out`
WALK = (
    ("docs/handing_in.md", "Which version counts"),
    ("docs/report.md", "The report, and similar answers"),
    ("docs/exporting.md", "Marks for Canvas, Moodle and spreadsheets"),
    *(("docs/operations.md", heading) for heading in OPERATIONS),
    ("CONTRIBUTING.md", "Add an exercise"),
    ("CONTRIBUTING.md", "Measure a figure again"),
    ("benchmarks/README.md", "Figures"),
    ("docs/contributors.md", "Take the pictures again"),
)
RUN_TOO = (  # whole commands in a sentence or a table
    "kqa course receive --at 2025-11-20T23:59",
    "kqa data world tiny",
    "kqa variants",
)


@pytest.fixture(scope="module")
def command_line():
    if not cli.app.registered_commands:
        cli._register()
    return typer.main.get_command(cli.app)


def parsed(command_line, words, sentence):
    """The mistake in `kqa` and these words; None if there is none.
    In a `sentence` arguments may be left out.
    """
    group, rest = command_line, [word for word in words if word not in ("…", "--help")]
    while hasattr(group, "commands") and rest:
        if rest[0] not in group.commands:
            return f"there is no command {rest[0]!r}"
        group, rest = group.commands[rest[0]], rest[1:]
    if hasattr(group, "commands"):
        return None if sentence else "a command is missing"
    try:
        group.make_context("kqa", ["1" if word == "N" else word for word in rest])
    except Exception as error:
        named = type(error).__name__
        if isinstance(error, UserError):  # of the option --course: the folder that a page makes is not there
            return None
        return None if named == "Exit" or (sentence and named == "MissingParameter") else f"{named}: {error}"
    return None


def options(group):
    """Every option of every command below."""
    for command in getattr(group, "commands", {}).values():
        yield from options(command)
    for parameter in group.params:
        yield from (*parameter.opts, *parameter.secondary_opts)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_command_of_a_page_is_one_that_kqa_knows(name, command_line):
    wrong = []
    for command in PAGES[name].commands:
        for program, *words in command.programs():
            fault = parsed(command_line, words, not command.fenced) if program == "kqa" else None
            if fault is not None:
                wrong.append(f"{command}: {fault}")
    assert not wrong, "\n".join(wrong)


def test_the_examples_in_the_help_are_commands_that_kqa_knows(command_line):
    def examples(group):
        for command in getattr(group, "commands", {}).values():
            yield from examples(command)
            found = re.search(r"Example: (kqa .*?)(?:\n\s*\n|$)", command.help or "", re.DOTALL)
            if found:
                yield " ".join(found[1].split())

    shown = list(examples(command_line))
    assert len(shown) > 12
    for example in shown:
        assert parsed(command_line, example.split()[1:], False) is None, example


def test_the_contributors_table_names_every_room_and_nothing_else():
    table = PAGES["docs/contributors.md"].text.partition("| where | what |")[2].partition("\n\n")[0]
    named = {code for code in re.findall(r"`([^`]+)`", table) if "/" in code and "N" not in code}
    assert sorted(each for each in named if not (ROOT / each).exists()) == []
    packages = [
        folder
        for name in ("kqa_core", "autograder")
        for folder in (ROOT / name).rglob("*")
        if any(folder.glob("*.py"))
    ]
    rooms = {f"{folder.relative_to(ROOT).as_posix()}/" for folder in packages}
    # as NN_name, or as a whole
    inside = {room for room in rooms if re.match(r"autograder/course/template/\w", room)}
    assert len(rooms) > 20 and sorted(rooms - inside - named) == []
    folders = ("kqa_core", "autograder", "notebooks/keys")
    files = {path.name for name in folders for path in (ROOT / name).rglob("*.py")}
    assert sorted(code for code in re.findall(r"`([a-z_]+\.py)`", table) if code not in files) == []


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("course grad 01", "no command 'grad'"),
        ("course grade 01 --workerz 2", "No such option"),
        ("course export 01 --to canvass", "canvass"),
        ("doctor now", "unexpected extra argument"),
        ("course similar", "Missing"),
        ("course", "a command is missing"),
    ],
)
def test_a_misspelt_command_would_be_found(words, fault, command_line):
    assert fault.lower() in str(parsed(command_line, words.split(), False)).lower()


def test_every_option_that_is_named_by_itself_exists(command_line):
    known = {*options(command_line), *FOREIGN}
    pages = sorted(set(PAGES) - {"CHANGELOG.md"})  # which names old options, too
    named = [
        (page, line, code.split()[0])
        for page in pages
        for line, code in PAGES[page].inline
        if code.startswith("--")
    ]
    assert len(named) > 10
    assert [f"{page}:{line}: {option}" for page, line, option in named if option not in known] == []


def test_every_other_program_is_one_there_is():
    here = str(Path(sys.executable).parent)
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for command in FENCED:
        for program, *words in command.programs():
            if program == "make":
                assert words[0] in targets, command
            elif program == "nbgrader":
                assert _nbgrader_knows(words), command
            elif program == "python" and words[0] == "-c":
                compile(words[1], str(command), "exec")
            elif program == "python" and words[0] == "-m":
                assert importlib.util.find_spec(words[1]) is not None, command
            elif program in ("python", "pytest"):
                assert (ROOT / words[-1]).exists(), command
            else:
                assert (
                    program in ("cd", "source") or shutil.which(program, path=here) or shutil.which(program)
                ), command


def _nbgrader_knows(words):
    from nbgrader.apps import NbGraderApp

    app, *rest = NbGraderApp, *words
    while rest and isinstance(app.subcommands, dict):
        if rest[0] not in app.subcommands:
            return False
        app, rest = app.subcommands[rest[0]][0], rest[1:]
    return app.__name__ != "FormgradeApp"  # which only says that it is gone


def test_nbgrader_commands_in_a_sentence_are_ones_there_are():
    named = [code for page in PAGES.values() for _, code in page.inline if code.startswith("nbgrader ")]
    assert len(named) > 3 and not _nbgrader_knows(["formgrade"]) and not _nbgrader_knows(["formgrader"])
    for code in named:
        assert _nbgrader_knows([word for word in code.split()[1:] if not word.startswith("-")]), code


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_link_leads_somewhere(name):
    for text, target in re.findall(r"\[([^\]]+)\]\(([^)\s]+)\)", PAGES[name].text):
        if target.startswith(("http:", "https:")):
            continue
        path, _, anchor = target.partition("#")
        place = (ROOT / name).parent / path if path else ROOT / name
        assert place.exists(), f"{name}: [{text}]({target})"
        if anchor:
            other = PAGES[place.resolve().relative_to(ROOT).as_posix()]
            assert anchor in other.anchors, (
                f"{name}: [{text}]({target}): the headings there are {sorted(other.anchors)}"
            )


def test_every_page_is_on_the_first_one():
    first = PAGES["docs/README.md"].text
    others = [
        name.removeprefix("docs/") for name in PAGES if name.startswith("docs/") and name != "docs/README.md"
    ]
    assert [name for name in others if f"({name})" not in first] == []


def test_blocks_of_python_are_python():
    blocks = [(page.name, code) for page in PAGES.values() for code in page.python]
    assert len(blocks) >= 3
    for name, code in blocks:
        compile(code, name, "exec")


def test_every_command_is_run_or_says_why_not(command_line):
    run = {
        command.text
        for heading in WALK
        for block in PAGES[heading[0]].blocks(heading[1])
        for command in block
    }
    for heading in ("Your first class, in 15 minutes", "Privacy"):
        run |= {command.text for block in PAGES["docs/instructors.md"].blocks(heading) for command in block}
    typed = {
        command.text
        for command in ALL
        if command.fenced or (command.whole and _complete(command, command_line))
    }
    assert sorted(typed - run - {*RUN_TOO, *NOT_RUN}) == []
    assert sorted({*RUN_TOO, *NOT_RUN} - typed) == [], "no page has these any more"
    assert not run & {*RUN_TOO}


def _complete(command: Command, command_line) -> bool:
    """Whether a command in a sentence could be typed, or only names what it is about."""
    return parsed(command_line, command.text.split()[1:], False) is None


@pytest.mark.slow
def test_the_first_class_goes_as_it_is_written(newcomer):
    graded = newcomer.typed["kqa course grade 01"]
    assert "ada" in graded and "refused" in graded
    with (ROOT / "data" / "sample_class" / "expected.tsv").open(encoding="utf-8", newline="") as file:
        expected = {
            row["student"]: row for row in csv.DictReader(file, delimiter="\t") if row["notebook"] == NOTEBOOK
        }
    with (newcomer.course / "marks.csv").open(encoding="utf-8", newline="") as file:
        marks = {row["student"]: row for row in csv.DictReader(file)}
    assert set(marks) == set(CLASS)
    for student in CLASS:
        refused = expected[student]["status"] == "refused"
        assert marks[student]["score"] == ("" if refused else expected[student]["marks"]), student
    jan = newcomer.course / "notebooks" / "feedback" / "jan" / NOTEBOOK / f"{NOTEBOOK}.html"
    assert "refused" in jan.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_files_that_the_first_class_speaks_of_are_there(newcomer):
    text = PAGES["docs/instructors.md"].text
    section = text[text.index("## Your first class") : text.index("## The weekly cycle")]
    named = re.findall(r"`((?:notebooks|dist|report)/[\w./]+|marks\.csv)`", section)
    assert len(named) >= 4
    assert [name for name in named if not (newcomer.course / name).exists()] == []


@pytest.mark.nightly
def test_the_other_pages_go_as_they_are_written(newcomer: Newcomer):
    lay_out(newcomer)
    for page, heading in WALK:
        for block in PAGES[page].blocks(heading):
            for command in block:
                newcomer.type(command)
    for text in RUN_TOO:
        newcomer.type(text)
    assert list((newcomer.course / "report").glob("similar_*.html"))
    with (newcomer.course / "marks.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file))[0] == "Username"  # the last export was Moodle's
    forget_one, *_ = PAGES["docs/instructors.md"].blocks("Privacy")
    for command in forget_one:
        newcomer.type(command)
    course = newcomer.course / "notebooks"
    assert {entry.student for entry in manifest(course / "received", NOTEBOOK)} == {"cleo", "jan"}
    assert set(gradebook_marks(course, NOTEBOOK)) == {"cleo", "jan"}
    *_, forget_all = PAGES["docs/instructors.md"].blocks("Your first class, in 15 minutes")
    for command in forget_all:
        newcomer.type(command)
    there = {path.name for path in course.iterdir()}
    assert there - {path.name for path in COURSE.iterdir()} <= {"release", ".course_key"}


def lay_out(newcomer):
    """The rosters that docs/exporting.md speaks of,
    as the platforms export them, and a submission under a wrong name.
    """
    submitted = newcomer.course / "notebooks" / "submitted"
    shutil.copytree(submitted / "cleo", submitted / "adda")
    newcomer.type("kqa course receive notebooks/submitted")
    newcomer.type("cd notebooks && nbgrader db student add adda")
    lines = [f"{student},{number},{student}" for number, student in enumerate(CLASS, 1)]
    canvas = ["Student,ID,SIS Login ID,Section,01 Attention as a Lookup (4711)", "    Points Possible,,,,24"]
    (newcomer.course / "grades.csv").write_text(
        "\n".join([*canvas, *(f"{line},A," for line in lines)]) + "\n"
    )
    moodle = ["Username,Identifier,Full name", *lines]
    (newcomer.course / "worksheet.csv").write_text("\n".join(moodle) + "\n")


MADE = ("notebooks/", "data/imported", "tests/hostile")  # by commands, or folders whose names are enough


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"CHANGELOG.md"}))
def test_every_path_and_module_that_a_page_names_is_there(name):
    """CHANGELOG.md names what was there before."""
    for line, code in PAGES[name].inline:
        if re.fullmatch(
            r"(kqa_core|autograder|benchmarks|tests|docs|data|\.github)/[\w./]*", code
        ) and not code.startswith(MADE):
            if "NN_name" not in code and "NAME" not in code:
                assert (ROOT / code).exists(), f"{name}:{line}: {code}"
        elif re.fullmatch(r"(kqa_core|autograder)(\.\w+)+", code):
            pkgutil.resolve_name(code)  # ImportError or AttributeError for one that is not there
