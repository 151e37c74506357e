"""Written answers dealt to graders, their ticks in the gradebook, and how far the graders agree."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
import typer
from reported_course import everything, give, graded_course, submission
from small_course import NAME

from autograder.commands import marking as commands
from autograder.gradebook.gradebook import open_gradebook
from autograder.paths import COURSE
from autograder.people.agreement import agreement
from autograder.people.anonymous_grading import (
    Dealing,
    Ticks,
    WrittenAnswer,
    deal,
    follow_rubric,
    read_dealing,
)
from autograder.report.marking import earlier_comments, grader_facts, rubric_of, written_answers
from autograder.report.report import report
from kqa_core.errors import UserError

CLASS = [f"s{number:02}" for number in range(10)]


def many(count, exercise="why_select"):
    return [WrittenAnswer(f"{number:012x}", f"s{number}", exercise) for number in range(count)]


def test_answers_are_dealt_evenly_and_a_share_of_them_twice():
    dealt = Dealing(NAME)
    deal(
        dealt,
        [*many(21), *(WrittenAnswer(f"b{each.code[1:]}", each.student, "why_copy") for each in many(9))],
        ["a", "b", "c"],
        0.2,
    )
    load = Counter(who for graders in dealt.graders.values() for who in graders)
    assert sum(load.values()) == 30 + 5 and max(load.values()) - min(load.values()) <= 1
    assert all(len(set(graders)) == len(graders) for graders in dealt.graders.values())


def test_dealing_again_keeps_what_was_dealt_and_gives_what_a_leaving_grader_has_not_marked_to_others():
    dealt = Dealing(NAME)
    deal(dealt, many(6), ["a", "b"])
    before = dict(dealt.graders)
    deal(dealt, many(8), ["a", "b"])
    assert {code: dealt.graders[code] for code in before} == before and len(dealt.of("a")) == len(
        dealt.of("b")
    ) == 4
    done = dealt.of("a")[0]
    dealt.ticks["a"] = {done: Ticks((0,), "", "")}
    deal(dealt, many(8), ["b", "c"])
    assert dealt.of("a") == [done] and len(dealt.of("b")) == 4 and len(dealt.of("c")) == 3


@pytest.mark.parametrize(
    ("graders", "overlap", "said"),
    [
        ([], 0, "one or more different names"),
        (["a", "a"], 0, "one or more different names"),
        (["a"], 0.5, "at least two graders"),
        (["a", "b"], 2, "a share from 0 to 1"),
        (["<b>"], 0, "cannot be used"),
    ],
)
def test_graders_and_a_share_that_cannot_be_used_are_said(graders, overlap, said):
    with pytest.raises(UserError, match=said):
        deal(Dealing(NAME), many(3), graders, overlap)


def test_kappa_is_cohens():
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: p_o = 35/50, p_e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5, so kappa =
    # 0.2 / 0.5
    pairs = (
        [((True,), (True,))] * 20
        + [((True,), (False,))] * 5
        + [((False,), (True,))] * 10
        + [((False,), (False,))] * 15
    )
    found = agreement(pairs)
    assert (found.answers, found.decisions, found.same, found.kappa) == (50, 50, 35, pytest.approx(0.4))
    assert agreement([((True, True), (True, True))]).kappa is None and agreement([]).kappa is None
    assert agreement([((True, False), (False, True))]).kappa == -1.0


def doubtful():
    *others, why = everything()
    return [*others, replace(why, look="found by its place")]


@pytest.fixture
def course(tmp_path, monkeypatch):
    made = graded_course(
        tmp_path / "course",
        [submission(each, everything() if each != "s03" else doubtful()) for each in CLASS],
        answers={each: {"why_select": f"<b>Because</b> {number}."} for number, each in enumerate(CLASS)},
    )
    (made / "source" / NAME / f"{NAME}.py").touch()
    (made / "course.toml").write_text(f'keys = "{COURSE / "keys"}"\n')
    monkeypatch.setattr("autograder.paths._chosen", made)
    return made


def kqa(*words):
    app = typer.Typer()
    commands.register(app)
    return app(list(words), standalone_mode=False)


def sent_back(course, grader, ticks, path):
    """The file that a grader's page makes: every answer of theirs with `ticks(student)`."""
    dealt, texts = read_dealing(course, NAME), written_answers(course, NAME)
    given = {
        code: {
            "ticked": ticks(texts[code].student),
            "comment": f"from {grader}",
            "digest": texts[code].digest,
        }
        for code in dealt.of(grader)
    }
    path.write_text(json.dumps({"notebook": NAME, "grader": grader, "answers": given}))
    return str(path)


def manual(course, student):
    with open_gradebook(course) as book:
        grade = book.find_grade("why_select", NAME, NAME, student)
        return (
            grade.manual_score,
            grade.needs_manual_grade,
            book.find_comment("why_select", NAME, NAME, student).manual_comment,
        )


@pytest.mark.slow
def test_each_grader_has_a_page_with_their_answers_and_the_rubric(course, tmp_path, capsys):
    kqa("deal", "01", "--graders", "anna,ben", "--blind", "--out", str(tmp_path / "pages"))
    pages = {who: (tmp_path / "pages" / f"{who}.html").read_text() for who in ("anna", "ben")}
    assert [page.count('class="answer"') for page in pages.values()] == [5, 5]
    found = "<b>Look at this answer</b>: found by its place."
    assert sorted(page.count(found) for page in pages.values()) == [0, 1]
    for page in pages.values():
        assert (
            not any(student in page for student in CLASS)
            and "<b>Because" not in page
            and "&lt;b&gt;Because" in page
        )
        assert page.count('class="tick"') == 5 * len(rubric_of("why_select"))
    capsys.readouterr()
    kqa("deal", "01", "--grader", "ben", "--named", "--out", str(tmp_path / "named"))
    assert [path.name for path in (tmp_path / "named").iterdir()] == ["ben.html"]
    assert sum(f"<h3>{student}</h3>" in (tmp_path / "named/ben.html").read_text() for student in CLASS) == 5
    with pytest.raises(UserError, match=r"grader 'cara': has no answers of .*; they were dealt to anna, ben"):
        kqa("deal", "01", "--grader", "cara")


@pytest.mark.slow
def test_ticks_become_marks_and_the_report_says_how_far_two_graders_agree(course, tmp_path, capsys):
    kqa("deal", "01", "--graders", "anna,ben", "--overlap", "1", "--out", str(tmp_path))
    everything_ticked = list(range(len(rubric_of("why_select"))))
    files = [
        sent_back(course, "anna", lambda student: everything_ticked, tmp_path / "a.json"),
        sent_back(
            course, "ben", lambda student: [0] if student == "s00" else everything_ticked, tmp_path / "b.json"
        ),
    ]
    kqa("mark", *files)
    assert "10 marks new or changed" in capsys.readouterr().out
    assert manual(course, "s05")[:2] == (1.0, False) and manual(course, "s05")[2].startswith("from ")
    kqa("mark", *files)
    assert "0 marks new or changed" in capsys.readouterr().out
    facts = grader_facts(course, NAME)
    assert facts.progress == (("anna", 10, 10), ("ben", 10, 10))
    ((first, second, found),) = facts.pairs
    missed = len(everything_ticked) - 1
    assert (first, second, found.answers, found.decisions - found.same) == ("anna", "ben", 10, missed)
    (differs,) = facts.disagreements
    assert differs.student == "s00" and dict(differs.marks)["anna"] == 1.0
    report(tmp_path / "report", course)
    page = (tmp_path / "report" / "notebooks" / f"{NAME}.html").read_text()
    assert "anna: 10 of 10 marked; ben: 10 of 10 marked" in page and "Cohen" in page and "anna gave 1" in page


@pytest.mark.slow
def test_a_comment_on_the_same_question_can_be_used_again(course, tmp_path):
    kqa("deal", "01", "--graders", "anna,ben", "--out", str(tmp_path))
    kqa("mark", sent_back(course, "anna", lambda student: [], tmp_path / "a.json"))
    give(course, "s01", "why_select", 0.6, "<i>Say</i> why.")
    with open_gradebook(course) as book:
        book.find_comment("select_first", NAME, NAME, "s01").manual_comment = "of another question"
        book.db.commit()
    assert earlier_comments(course, read_dealing(course, NAME))["why_select"] == [
        "from anna",
        "<i>Say</i> why.",
    ]
    kqa("deal", "01", "--out", str(tmp_path))
    page = (tmp_path / "ben.html").read_text()
    assert "<li>from anna</li><li>&lt;i&gt;Say&lt;/i&gt; why.</li></ul>" in page
    assert page.count('class="earlier"') == 5 and "of another question" not in page


@pytest.mark.slow
def test_a_mark_from_formgrader_stays_and_a_changed_mind_of_the_grader_counts(course, tmp_path, capsys):
    kqa("deal", "01", "--graders", "anna", "--out", str(tmp_path))
    give(course, "s01", "why_select", 0.6, "mine")
    assert kqa("mark", sent_back(course, "anna", lambda student: [0], tmp_path / "a.json")) == 1
    assert "NOT TAKEN s01, why_select: has 0.6 in formgrader" in capsys.readouterr().err
    first = manual(course, "s00")[0]
    assert manual(course, "s01") == (0.6, False, "mine") and first == rubric_of("why_select")[0][0]
    assert kqa("mark", sent_back(course, "anna", lambda student: [], tmp_path / "a.json")) == 1
    assert manual(course, "s00")[0] == 0.0 and manual(course, "s01")[0] == 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (None, "holds no marks; expected the file that a grader's page makes"),
        ({"x": {"ticked": ["0"], "comment": "", "digest": ""}}, "holds no marks"),
        ({"x": {"ticked": [0], "comment": "", "digest": ""}}, "answer x of .* was not dealt to 'anna'"),
    ],
)
def test_a_file_that_holds_no_marks_of_this_grader_is_refused_whole(course, tmp_path, answers, said):
    kqa("deal", "01", "--graders", "anna", "--out", str(tmp_path))
    (tmp_path / "a.json").write_text(json.dumps({"notebook": "01", "grader": "anna", "answers": answers}))
    with pytest.raises(UserError, match=said):
        kqa("mark", str(tmp_path / "a.json"))
    assert all(manual(course, each)[0] is None for each in CLASS)


def test_ticks_follow_their_idea_when_the_rubric_changes():
    dealt = Dealing(NAME)
    deal(dealt, many(3), ["a"])
    codes = list(dealt.graders)
    follow_rubric(dealt, "why_select", ["one", "two", "three"])
    dealt.ticks["a"] = {
        code: Ticks(ticked, "", "") for code, ticked in zip(codes, [(0, 2), (1,), ()], strict=True)
    }

    def ticked(*ideas):
        changed = follow_rubric(dealt, "why_select", list(ideas))
        return changed, [dealt.ticks["a"][code].ticked for code in codes]

    assert ticked("one", "two", "three") == (False, [(0, 2), (1,), ()])
    assert ticked("new", "three", "two", "one") == (True, [(1, 3), (2,), ()]), "moved"
    assert ticked("new", "three", "2", "one") == (True, [(1, 3), (2,), ()]), "reworded in its place"
    assert ticked("three", "2") == (True, [(0,), (1,), ()]), "one is gone, and so are its ticks"


@pytest.mark.slow
def test_a_changed_rubric_counts_for_all_answers_that_were_marked_with_it(
    course, tmp_path, capsys, monkeypatch
):
    kqa("deal", "01", "--graders", "anna", "--out", str(tmp_path))
    give(course, "s01", "why_select", 0.6, "mine")
    kqa("mark", sent_back(course, "anna", lambda student: [0], tmp_path / "a.json"))
    (first, idea), *rest = rubric_of("why_select")
    assert manual(course, "s00")[0] == first
    changed = (*rest, (first / 2, idea))  # it is worth half, and stands last
    monkeypatch.setattr("autograder.report.marking.rubric_of", lambda exercise: changed)
    capsys.readouterr()
    assert kqa("mark", "-n", "01") == 1, "formgrader's mark stays, and is listed"
    printed = capsys.readouterr()
    assert "why_select: its rubric has changed; the ticks of all answers follow it" in printed.out
    assert "9 marks new or changed" in printed.out and "formgrader's mark stays" in printed.err
    assert manual(course, "s00")[0] == first / 2 and manual(course, "s01")[0] == 0.6
    with pytest.raises(UserError, match="name the graders' files, or -n 01"):
        kqa("mark")
