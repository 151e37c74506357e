"""`kqa course export|push`: marks for other programs."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.options import CourseFolder, Database
from autograder.export.marks import Target

GradedNotebooks = Annotated[
    list[str] | None, typer.Argument(help="Notebooks: their names or numbers; default: all that are graded.")
]

LTI_KEY = ".lti_key.pem"  # in the course's folder
Key = Annotated[
    Path | None,
    typer.Option("--key", help="The private key, a file of mode 600; default: .lti_key.pem in the course."),
]


def register(course: typer.Typer) -> None:
    """Add these commands."""
    _add_push(course)

    @course.command()
    def export(
        notebooks: GradedNotebooks = None,
        course: CourseFolder = None,
        to: Annotated[Target, typer.Option(help="Who will read the file.")] = Target.CSV,
        out: Annotated[Path | None, typer.Option(help="The file to write; default: the terminal.")] = None,
        db: Database = None,
        roster: Annotated[
            Path | None,
            typer.Option(help="The CSV that the platform exports: its lines are kept, our columns filled."),
        ] = None,
        zeros: Annotated[
            bool, typer.Option(help="Write 0, and no empty cell, for a refused or missing submission.")
        ] = False,
    ) -> None:
        """Export the gradebook's marks as a file that Canvas or Moodle imports, or as a plain table.

        Example: kqa course export 01 --to canvas --roster grades.csv --out marks.csv
        """
        from autograder.course.tables import listed
        from autograder.export.export import export as run

        result = run(notebooks or (), to, out, db, roster, zeros=zeros)
        if out is None:
            sys.stdout.write(result.text)
        else:
            print(f"export {out}")
        for line in result.outdated:
            print(f"OUTDATED {line}", file=sys.stderr)
        for line in result.unmarked:
            print(f"UNMARKED {line}", file=sys.stderr)
        if not listed("NOT RECONCILED", result.differences):
            raise typer.Exit(1)


def _add_push(course: typer.Typer) -> None:
    push = typer.Typer(help="Send marks to a learning platform.", no_args_is_help=True)
    course.add_typer(push, name="push")
    _add_push_lti(push)

    @push.command()
    def canvas(
        notebooks: GradedNotebooks = None,
        yes: Annotated[
            bool, typer.Option("--yes", help="Send; without it, only show what would be sent.")
        ] = False,
        create: Annotated[
            bool, typer.Option("--create", help="Make an assignment that Canvas lacks.")
        ] = False,
        address: Annotated[
            str | None,
            typer.Option(help="The course, https://HOST/courses/NUMBER; default: `canvas` in course.toml."),
        ] = None,
        token_file: Annotated[
            Path | None,
            typer.Option(help="A file of mode 600 with the token; default: the variable KQA_CANVAS_TOKEN."),
        ] = None,
        kind: Annotated[
            str | None,
            typer.Option(
                "--id",
                help="How students are found: login, SIS, Canvas, integration or email; default: what fits.",
            ),
        ] = None,
        zeros: Annotated[bool, typer.Option(help="Send 0 for a refused or missing submission.")] = False,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Show which marks on a Canvas course differ from the gradebook's, and with --yes send these.

        Example: kqa course push canvas 01 --yes
        """
        from autograder.course.tables import listed, show
        from autograder.export.marks import outdated
        from autograder.paths import course_folder, read_course
        from kqa_core.errors import UserError

        try:
            from autograder.export.canvas_course import CanvasCourse, read_token
            from autograder.export.push_canvas import marks_to_push, plan, plan_table, send
        except ModuleNotFoundError as error:
            raise UserError(
                f"push canvas: the package {error.name} is not installed; `make set-up` installs it"
            ) from None

        place = address or read_course().canvas
        if not place:
            raise UserError(
                'push canvas: no course is named; give --address, or write canvas = "…" into course.toml'
            )
        marks = marks_to_push(notebooks or (), course_folder(), db, zeros)
        for line in outdated(course_folder(), marks, db):
            print(f"OUTDATED {line}", file=sys.stderr)
        there = CanvasCourse(place, read_token(token_file))
        plan_made = plan(there, marks, create, kind)
        if plan_made.count:
            show(plan_table(plan_made))
        print(f"{there.name}, {there.address}; students are found by their {plan_made.kind} id")
        for sheet in plan_made.sheets:
            print(sheet)
        problems = list(plan_made.problems)
        if plan_made.count and yes:
            problems += send(there, plan_made)
            print(f"sent {plan_made.count} marks")
        elif plan_made.count:
            print(f"nothing was sent; --yes sends these {plan_made.count} marks")
        if not listed("NOT RECONCILED", problems):
            raise typer.Exit(1)


def _add_push_lti(push: typer.Typer) -> None:
    @push.command()
    def lti(
        notebooks: GradedNotebooks = None,
        yes: Annotated[
            bool, typer.Option("--yes/--dry-run", help="Send, or only show what would be sent.")
        ] = False,
        create: Annotated[
            bool, typer.Option("--create", help="Make a line item that the platform lacks.")
        ] = False,
        launches: Annotated[
            Path | None, typer.Option(help="The hub's file of launches; default: `lti` in course.toml.")
        ] = None,
        key: Key = None,
        zeros: Annotated[bool, typer.Option(help="Send 0 for a refused or missing submission.")] = False,
        course: CourseFolder = None,
        db: Database = None,
    ) -> None:
        """Show which marks the platform of the hub's login does not have yet, and with --yes send these.

        Example: kqa course push lti 01 --yes
        """
        from autograder.course.tables import listed, show
        from autograder.export.marks import collect
        from autograder.paths import course_folder, read_course
        from kqa_core.errors import UserError

        with _lti_packages():
            from autograder.export.lti_platform import LtiPlatform, read_key, read_launches
            from autograder.export.push_lti import Sent, plan, plan_table, send

        folder, setting = course_folder(), read_course().lti
        place = launches or (folder / setting if setting else None)
        if place is None:
            raise UserError(
                'push lti: give --launches, the hub\'s file lti/launches.json, or write lti = "…" into'
                " course.toml"
            )
        platform = LtiPlatform(read_launches(place), read_key(key or folder / LTI_KEY))
        marks = replace(collect(notebooks or (), folder, db), zeros=zeros)
        sent = Sent.read(folder)
        to_send = plan(platform, marks, sent, create)
        if to_send.count:
            show(plan_table(to_send))
        for sheet in to_send.sheets:
            print(sheet)
        problems = list(to_send.problems)
        if to_send.count and yes:
            count, refused = send(platform, to_send, sent)
            problems += refused
            print(f"sent {count} marks")
        elif to_send.count:
            print(f"nothing was sent; --yes sends these {to_send.count} marks")
        if not listed("NOT RECONCILED", problems):
            raise typer.Exit(1)

    @push.command("lti-key")
    def lti_key(
        key: Key = None,
        pem: Annotated[bool, typer.Option("--pem", help="Print it as Moodle takes it.")] = False,
        course: CourseFolder = None,
    ) -> None:
        """Print the public key for the platform (JWKS); makes the private one, if there is none.

        Example: kqa course push lti-key
        """
        from autograder.paths import course_folder

        with _lti_packages():
            from autograder.export.lti_platform import make_key, public_keys, public_pem, read_key

        path = key or course_folder() / LTI_KEY
        if make_key(path):
            print(f"new private key {path}: keep it, and give it to nobody", file=sys.stderr)
        private = read_key(path)
        print(public_pem(private) if pem else json.dumps(public_keys(private), indent=1))


@contextlib.contextmanager
def _lti_packages() -> Iterator[None]:
    """One line where the packages of the extra `lti` are not installed."""
    from kqa_core.errors import UserError

    try:
        yield
    except ModuleNotFoundError as error:
        raise UserError(
            f"push lti: the package {error.name} is not installed; `make set-up` installs it"
        ) from None
