"""`kqa course deal|mark|regrade-requests`: written answers for several graders, what they ticked, and
students who ask for a second look.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import (
    CourseFolder,
    Database,
    Notebooks,
    ReadCourse,
    Sandbox,
    Workers,
    checked,
)


def register(course: typer.Typer) -> None:
    """Add these commands."""
    _add_mark(course)
    _add_regrade_requests(course)

    @course.command()
    def deal(
        notebook: Annotated[str, typer.Argument(help="The notebook: its name or number.")],
        graders: Annotated[
            str | None,
            typer.Option(
                help="The graders, as anna,ben. Without it, the pages are made again as they were dealt."
            ),
        ] = None,
        grader: Annotated[str | None, typer.Option(help="Make the page of this grader only.")] = None,
        blind: Annotated[
            bool | None, typer.Option("--blind/--named", help="Whether the pages leave out the students.")
        ] = None,
        overlap: Annotated[
            float, typer.Option(help="The share of answers that two graders mark, from 0 to 1.")
        ] = 0.0,
        out: Annotated[
            Path | None, typer.Option(help="Folder for the pages; default: the course's marking/NOTEBOOK.")
        ] = None,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Deal written answers to graders, and make a page for each on which to tick rubric points.

        Example: kqa course deal 01 --graders anna,ben --overlap 0.2 --blind
        """
        from autograder.build.release import chosen
        from autograder.paths import course_folder, read_course
        from autograder.people.anonymous_grading import deal as run
        from autograder.people.anonymous_grading import keep_dealing, read_dealing
        from autograder.people.roster import read_people
        from autograder.report.html import page_name
        from autograder.report.marking import deal_table, follow_rubrics, marking_page, written_answers
        from kqa_core.errors import UserError
        from kqa_core.files import write_whole, writing

        folder, (name,) = course_folder(), chosen([notebook])
        dealt, answers = read_dealing(folder, name), written_answers(folder, name)
        if not answers:
            raise UserError(
                f"{name}: no written answer waits for a person; run `kqa course grade {notebook}` first"
            )
        names = [name.strip() for name in graders.split(",")] if graders is not None else dealt.everybody()
        if not names:
            raise UserError("course deal: nothing was dealt yet; name the graders, as in --graders anna,ben")
        if graders is not None:
            run(dealt, list(answers.values()), names, overlap)
        dealt.blind = dealt.blind if blind is None else blind
        shown = [grader] if grader is not None else dealt.everybody()
        people = read_people(folder, db)
        follow_rubrics(dealt)
        pages = {who: marking_page(folder, dealt, who, people, db) for who in shown}
        keep_dealing(folder, dealt)
        target = out or read_course().out / "marking" / name
        for who, count, twice in deal_table(dealt, shown):
            path = target / f"{page_name(who)}.html"
            with writing(path):
                write_whole(path, pages[who])
            print(f"{who}: {count} answers, {twice} of them also for another grader: {path}")


def _add_mark(course: typer.Typer) -> None:
    @course.command()
    def mark(
        files: Annotated[
            list[Path] | None,
            typer.Argument(
                help="The files that graders' pages made; none: the ticks that were taken before."
            ),
        ] = None,
        notebook: Notebooks = None,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Take graders' ticks into the gradebook, with the points of the rubrics as they are now. A mark that
        was given in formgrader stays. After a change to a rubric, `-n 01` applies it to all answers that were
        marked.

        Example: kqa course mark 01_sorting_anna.json
        """
        from autograder.build.release import chosen
        from autograder.course.log import log
        from autograder.course.tables import listed
        from autograder.paths import course_folder
        from autograder.people.anonymous_grading import Dealing, keep_dealing, read_dealing
        from autograder.report.marking import follow_rubrics, read_marks, take_marks, write_marks
        from kqa_core.errors import UserError

        folder, lines = course_folder(), list[str]()
        dealings: dict[str, Dealing] = {}
        if not files and not notebook:
            raise UserError("course mark: name the graders' files, or -n 01 to apply a changed rubric")
        for name in chosen(notebook) if notebook else ():
            dealings[name] = read_dealing(folder, name)
            if not dealings[name].ticks:
                raise UserError(f"{name}: nothing was marked by ticks; `kqa course deal` makes the pages")
        for path in files or ():
            of, who, ticks = read_marks(path)
            (name,) = chosen([of])
            dealings.setdefault(name, read_dealing(folder, name))
            lines += take_marks(folder, dealings[name], path, who, ticks)
            print(f"{path}: {len(ticks)} answers of {name}, marked by {who}")
        for name, dealt in dealings.items():
            for exercise in follow_rubrics(dealt):
                print(f"{exercise}: its rubric has changed; the ticks of all answers follow it")
            changed, kept = write_marks(folder, dealt, db)
            keep_dealing(folder, dealt)
            lines += kept
            log(folder, "marks", f"{name}: {changed} new or changed, from {len(dealt.ticks)} graders")
            print(
                f"{name}: {changed} marks new or changed; the next `kqa course grade` puts them into the"
                " feedback"
            )
        if not listed("NOT TAKEN", lines):
            raise typer.Exit(1)


def _add_regrade_requests(course: typer.Typer) -> None:
    @course.command("regrade-requests")
    def regrade_requests(
        notebook: Notebooks = None,
        student: Annotated[str | None, typer.Option(help="Of this student only.")] = None,
        message: Annotated[
            Path | None,
            typer.Option(help="A text file with a message of --student, in place of the notebooks."),
        ] = None,
        every: Annotated[bool, typer.Option("--all", help="Also those that were decided.")] = False,
        course: ReadCourse = None,
        db: Database = None,
        sandbox: Sandbox = None,
        workers: Workers = None,
    ) -> None:
        """List students' requests for a second look at a mark: the answer, the mark, the reason, and what has
        changed since. A mark or a comment in formgrader decides one.

        Example: kqa course regrade-requests -n 01
        """
        from autograder.build.release import chosen
        from autograder.course.tables import listed
        from autograder.grading.config import JudgeConfig
        from autograder.paths import course_folder
        from autograder.people.roster import find_student
        from autograder.report.second_looks import requests_in_message, requests_of, shown
        from kqa_core.errors import UserError

        folder, names = course_folder(), chosen(notebook or ())
        config = checked(JudgeConfig(workers=workers, tier=sandbox))
        if student is not None:
            find_student(student, folder, db)
        if message is None:
            found = requests_of(folder, names, config, db)
        elif student is None:
            raise UserError("course regrade-requests: --message needs --student, who sent it")
        else:
            found = requests_in_message(folder, message, student, config, db)
        wanted = [request for request in found.requests if student in (None, request.student)]
        waiting = [request for request in wanted if request.open]
        for request in wanted if every else waiting:
            print(f"{shown(request)}\n")
        decided = len(wanted) - len(waiting)
        print(
            f"{len(waiting)} open; {decided} decided{'' if every or not decided else ', which --all shows'}"
        )
        if not listed("NO REQUEST", found.wrong):
            raise typer.Exit(1)
