"""The cockpit: what is done in all notebooks, where you left off, the minutes;
as text, as HTML and at a prompt.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from kqa_core.check import cockpit
from kqa_core.check.cockpit_view import Cockpit, minutes, shown_notebooks
from kqa_core.check.exercise import Exercise, Outcome, right
from kqa_core.check.progress_store import PAUSE, ProgressStore, Record
from kqa_core.check.registry import all_exercises
from kqa_core.errors import UserError

RIGHT, NOT_YET, ERROR = Outcome.RIGHT, Outcome.NOT_YET, Outcome.ERROR


def exercise(name, notebook, order, points=2, extra=False, written=False):
    facts = {
        "difficulty": 1,
        "importance": 1,
        "minutes": 5,
        "source": "ours",
        "hints": ("a", "b", "c"),
        "extra": extra,
    }
    check = None if written else lambda answer, rng: right()
    return Exercise(name, order, points, check=check, notebook=notebook, **facts)


COURSE = (
    exercise("one", "01_first", 1),
    exercise("two", "01_first", 2, points=3),
    exercise("why", "01_first", 3, written=True),
    exercise("three", "02_second", 1),
    exercise("more", "02_second", 2, extra=True),
)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """A clock that stands still until a test sets it."""
    hands = [1_000_000.0]
    monkeypatch.setattr("kqa_core.check.progress_store.time.time", lambda: hands[0])
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return hands


def shown(records, opened=("01_first",)):
    return Cockpit(COURSE, records, set(opened))


def lines(records, opened=("01_first",)):
    return [" ".join(line.split()) for line in str(shown(records, opened)).splitlines()]


def test_the_text_counts_what_is_done_and_its_points_extra_ones_on_top():
    text = lines(
        {"one": Record(RIGHT, RIGHT, 1), "more": Record(RIGHT, RIGHT, 1), "two": Record(NOT_YET, ERROR, 4, 2)}
    )
    assert (
        text[0]
        == "2 of 4 exercises done; checked points: 2 of 7, 2 extra; 2 more points are for written answers,"
        " marked by a person"
    )
    assert (
        "01 first 1 of 2 done 2 of 5 + 2 written" in text and "02 second 1 of 2 done 0 of 2, 2 extra" in text
    )
    assert "two not yet 3 4 2 of 3" in text and "why written 2 0 of 3" in text
    assert not any(line.startswith("three ") for line in text), "a notebook that is not begun is one line"


def test_the_points_add_up_to_the_maximum_that_the_grader_counts():
    """The marks' maximum: the points of the regular exercises,
    written ones included (docs/instructors.md, "The points").
    """
    for part in Cockpit(all_exercises(), {}, set()).parts:
        assert part.points + part.written == sum(each.points for each, _ in part.entries if not each.extra)
    both = [exercise("more", "01_first", 1, extra=True), exercise("why", "01_first", 2, 5, written=True)]
    made = Cockpit(both, {"more": Record(RIGHT, RIGHT, 1)}, set())
    assert made.points(made.parts[0]) == "0 of 0 + 5 written, 2 extra"
    assert "points: 0 of 0 + 5 written, 2 extra" in made.to_html()
    bonus = [exercise("why", "01_first", 1, written=True, extra=True)]
    assert "written" not in Cockpit(bonus, {}, set()).summary()  # extra points are in no maximum


def test_points_that_only_a_submission_decides_are_counted_apart():
    close = replace(exercise("close", "01_first", 4, points=2), decided_later="whether it is exact")
    records = {"one": Record(RIGHT, RIGHT, 1), "close": Record(RIGHT, NOT_YET, 2)}
    made = Cockpit((*COURSE, close), records, {"01_first"})
    text = [" ".join(line.split()) for line in str(made).splitlines()]
    assert text[0].startswith(
        "2 of 5 exercises done; checked points: 2 of 9, 2 decided when you submit; 2 more"
    )
    assert "01 first 2 of 3 done 2 of 7 + 2 written, 2 decided when you submit" in text
    assert "close passed (last try: not yet) 2 2 0 of 3" in text


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ({}, "Begin with one in 01 first."),
        (
            {"two": Record(NOT_YET, ERROR, 1, 2, at=5)},
            "You left off at two in 01 first: not yet, 2 of 3 hints taken.",
        ),
        ({"one": Record(hints=1, at=5)}, "You left off at one in 01 first: unattempted, 1 of 3 hints taken."),
        (
            {"one": Record(NOT_YET, NOT_YET, 1, at=9), "two": Record(NOT_YET, NOT_YET, 1, at=5)},
            "You left off at one in 01 first: not yet, no hint taken yet.",
        ),
        (
            {"two": Record(RIGHT, RIGHT, 1, at=9)},
            "Go on with three in 02 second; the last you worked on was two.",
        ),
        ({"why": Record(hints=1, at=9)}, "Go on with three in 02 second; the last you worked on was why."),
        (
            {"more": Record(RIGHT, RIGHT, 1, at=9)},
            "Go on with one in 01 first; the last you worked on was more.",
        ),
        (
            {each: Record(RIGHT, RIGHT, 1, at=1) for each in ("one", "two", "three", "more")},
            "Everything that is checked is done.",
        ),
    ],
)
def test_where_one_left_off(records, said):
    assert str(shown(records)).splitlines()[1] == said


def test_minutes_run_from_one_sign_of_life_to_the_next_and_a_long_pause_counts_as_ten(tmp_path, clock):
    store = ProgressStore(tmp_path)
    steps = [(0, "one"), (120, "one"), (60, "two"), (PAUSE * 50, "two"), (-9000, "two"), (30, "two")]
    for gap, name in steps:
        clock[0] += gap
        store.note_check(name, NOT_YET)
    records = ProgressStore(tmp_path).read()
    assert records["one"].seconds == 120  # nothing is known of the time before the first check
    # a clock that was put back counts nothing until it has caught up
    assert records["two"].seconds == 60 + PAUSE


def test_two_open_notebooks_share_one_clock(tmp_path, clock):
    for name in ("one", "three", "one", "three"):
        clock[0] += 100
        ProgressStore(tmp_path).take_hint(name, 3)
    records = ProgressStore(tmp_path).read()
    assert records["one"].seconds + records["three"].seconds == 300


def test_progress_of_an_older_edition_is_read_and_has_no_minutes(tmp_path):
    old = {"best": "right", "last": "right", "tries": 2, "hints": 1}
    (tmp_path / "progress.json").write_text(json.dumps({"format": 1, "exercises": {"one": old}}))
    assert ProgressStore(tmp_path).read() == {"one": Record(RIGHT, RIGHT, 2, 1)}
    assert ProgressStore(tmp_path).read()["one"].seconds == 0


@pytest.mark.parametrize("value", ["NaN", "Infinity", '"soon"', "[]", "null"])
def test_times_that_are_none_are_damage(tmp_path, value):
    record = '{"best": "right", "last": "right", "tries": 2, "hints": 1, "seconds": ' + value + "}"
    (tmp_path / "progress.json").write_text('{"format": 1, "exercises": {"one": ' + record + "}}")
    store = ProgressStore(tmp_path)
    assert store.read() == {} and "could not be read" in store.notices[0]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, ""), (1, "under 5"), (149, "under 5"), (151, "about 5"), (3600, "about 60")]
)
def test_minutes_are_rounded_to_fives(seconds, said):
    assert minutes(seconds) == said


class Page(HTMLParser):
    """Tags that are open, links, and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.words, self.folds = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found["href"]] if tag == "a" else []
        self.folds += ["open" in found] if tag == "details" else []
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.words.append(data)


@pytest.mark.slow
def test_the_page_says_what_the_text_says_and_leads_to_every_exercise():
    made = shown({"one": Record(RIGHT, NOT_YET, 3, 1, seconds=900, at=7)})
    page = Page(made.to_html())
    assert page.open == [] and page.folds == [True, False]
    text = "".join(page.words)
    for said in (
        made.summary(),
        "Go on with two in 01 first",
        "done (last try: not yet)",
        "1 of 3",
        "about 15 minutes",
    ):
        assert said in text
    assert page.links[0] == "../01_first/01_first.ipynb#cell-id=statement_two"
    assert {link.rpartition("_")[2] for link in page.links} == {each.id for each in COURSE}
    assert "script" not in made.to_html() and "http" not in made.to_html()
    assert made._repr_mimebundle_() == {"text/plain": str(made), "text/html": made.to_html()}


def test_a_title_stands_before_the_id_and_is_escaped():
    named = replace(COURSE[0], title="Tell <a> from b")
    page = Cockpit([named], {}, {"01_first"}).to_html()
    assert page.count("Tell &lt;a&gt; from b <code>one</code></a>") == 2 and "<a> from" not in page


def test_an_optional_notebook_says_so():
    optional = [replace(each, optional=True) for each in COURSE if each.notebook == "02_second"]
    made = Cockpit([*COURSE[:3], *optional], {}, set())
    assert "02 second (optional)  0 of 2" in str(made) and "<b>02 second (optional)</b>" in made.to_html()
    assert "first (optional)" not in str(made)


def test_begun_notebooks_and_the_one_you_are_in_are_shown_in_full(tmp_path, monkeypatch):
    (tmp_path / "02_second").mkdir()
    monkeypatch.chdir(tmp_path / "02_second")
    assert shown_notebooks(None, COURSE, {"one": Record()}) == {"01_first", "02_second"}
    assert shown_notebooks("02", COURSE, {}) == shown_notebooks("02_second", COURSE, {}) == {"02_second"}
    assert shown_notebooks("all", COURSE, {}) == {"01_first", "02_second"}
    with pytest.raises(UserError, match="no notebook is called '02_secnd': did you mean 02_second"):
        shown_notebooks("02_secnd", COURSE, {})


def test_called_where_no_notebook_runs_it_prints_the_text(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path))
    ProgressStore(tmp_path).note_check("copy_one", NOT_YET)
    cockpit()
    said = capsys.readouterr().out
    assert re.search(
        r"^You left off at copy_one in 01 attention as a lookup: not yet, no hint", said, re.MULTILINE
    )
    assert "  average_two" in said and "  key_query" not in said


def test_at_a_prompt_and_for_a_notebook_that_is_none(tmp_path, kqa_in_process, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".kqa").mkdir()
    ProgressStore(tmp_path / ".kqa").note_check("copy_one", RIGHT)
    status, printed = kqa_in_process("progress", "00")
    assert status == 0 and "  weighted_average" in printed.out and "  copy_one" not in printed.out
    assert "the last you worked on was copy_one" in printed.out
    status, printed = kqa_in_process("progress", "99")
    assert (status, printed.out) == (2, "")
    assert printed.err.startswith("kqa: progress: no notebook is called '99'")
    assert printed.err.count("\n") == 1


def test_only_the_chosen_path_is_counted_and_what_is_outside_is_extra():
    outside = [replace(each, outside=True, extra=True) for each in COURSE[1:]]
    done = {"two": Record(best=RIGHT, last=RIGHT, tries=1)}
    cockpit = Cockpit((COURSE[0], *outside), done, {"01_first"})
    assert cockpit.summary().startswith("0 of 1 exercises of your path done; checked points: 0 of 2, 3 extra")
    assert cockpit.next()[0].id == "one"
    assert [part.state for part in cockpit.parts] == ["0 of 1 done", "not on your path"]
    assert "not on your path" in cockpit.to_html()
