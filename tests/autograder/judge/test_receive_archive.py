"""Archives as Canvas, Moodle and Gradescope make them: each file is its student's, the newest counts, times
and lateness are the platform's, and everything that is not taken has a line.
"""

from __future__ import annotations

import io
import json
import stat
import struct
import warnings
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from another_course import working_on
from platform_files import (
    ARCHIVES,
    CANVAS_ROSTER,
    DUE,
    FILE,
    METADATA,
    MOODLE_ROSTER,
    NAME,
    STUDENTS,
    archive,
    class_course,
    empty_course,
    on_canvas,
    on_gradescope,
    on_moodle,
    receive,
)

from autograder.course.receive_archive import receive_archive
from autograder.gradebook.due_dates import set_due
from autograder.people.roster import import_roster
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.platform_archives import submissions_in
from autograder.submissions.store import Submission, manifest
from autograder.submissions.stored_bytes import stored_bytes
from kqa_core.errors import UserError

FIXTURES = (class_course, empty_course)  # pytest finds them here
FILES = {student: json.dumps({"of": student}).encode() for student in STUDENTS}


def kept(course: Path, due: float | None = None) -> dict[str, Submission]:
    """What counts, by student."""
    return {entry.student: entry for entry in manifest(course / "received", NAME, due) if entry.file}


def texts(course: Path) -> dict[str, bytes]:
    return {student: stored_bytes(course / "received", entry) for student, entry in kept(course).items()}


@pytest.mark.slow
@pytest.mark.parametrize("platform", ARCHIVES)
def test_every_file_is_its_students_and_lies_in_submitted_too(course, platform):
    make, roster = ARCHIVES[platform]
    result = receive(course, platform, make(FILES), roster)
    assert texts(course) == FILES and not result.not_taken and not result.absent
    assert {
        student: (course / "submitted" / student / NAME / FILE).read_bytes() for student in FILES
    } == FILES
    again = receive(course, platform, make(FILES), roster)
    assert again.news == [] and texts(course) == FILES, "the same archive again is nothing new"
    if platform == "canvas":
        assert any("the newest of 2" in note and FILE in note for note in kept(course)["jose"].notes)


@pytest.mark.parametrize("platform", ARCHIVES)
def test_a_dry_run_says_the_same_and_changes_nothing(course, platform):
    make, roster = ARCHIVES[platform]
    before = sorted(path.relative_to(course) for path in course.rglob("*"))
    result = receive(course, platform, make(FILES), roster, dry_run=True)
    assert [taken.student for taken in result.taken] == sorted(FILES) and result.news == []
    assert all(FILE[:4] in taken.line for taken in result.taken)
    assert sorted(path.relative_to(course) for path in course.rglob("*")) == before


def test_gradescopes_times_decide_which_is_newest_and_what_is_late(course):
    receive(course, "gradescope", on_gradescope(FILES))
    counts = kept(course, DUE)
    assert counts["anne"].late == 1800.0 and counts["ada"].late == 0.0
    assert counts["ada"].received == pytest.approx(DUE - 118.876544)
    assert texts(course)["wei"] == FILES["wei"], "newer than what he submitted with José"
    assert "found by the name alone" in counts["sean"].notes


def test_moodles_times_come_with_its_grading_worksheet(course):
    (course / "course.toml").write_text('zone = "Europe/Rome"\n')
    receive(course, "moodle", on_moodle(FILES), MOODLE_ROSTER)
    assert kept(course)["ada"].received == datetime(2026, 11, 20, 21, 41, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("due", [DUE, 4e9, None])
def test_what_canvas_calls_late_is_late_and_what_it_does_not_is_not(course, due):
    if due is not None:
        set_due(course, NAME, due)
    receive(course, "canvas", on_canvas(FILES), CANVAS_ROSTER, at=DUE + 86400)
    counts = kept(course, due)
    late = {student for student, entry in counts.items() if entry.late}
    assert late == ({"sean"} if due == DUE else set())
    (note,) = (note for note in counts["sean"].notes if "came late" in note)
    assert {DUE: note.endswith("late"), 4e9: "compare the due dates" in note, None: "no due date" in note}[
        due
    ]
    assert any("in time" in note for note in counts["ada"].notes) is (due == DUE)


@pytest.mark.slow
def test_a_newer_archive_adds_a_version_and_an_older_one_changes_nothing(course):
    receive(course, "canvas", on_canvas(FILES), CANVAS_ROSTER, at=DUE - 9)
    newer = {**FILES, "ada": b"a second try"}
    members = [(name.replace("_90001_", "_90021_"), data) for name, data in on_canvas(newer)]
    result = receive(course, "canvas", members, CANVAS_ROSTER, at=DUE - 5)
    assert [news.line for news in result.news] == [f"ada, {NAME}: version 2"] and texts(course) == newer
    assert receive(course, "canvas", on_canvas(FILES), CANVAS_ROSTER, at=DUE - 1).news == []
    assert texts(course) == newer
    back = [(name.replace("_90001_", "_90031_"), data) for name, data in on_canvas(FILES)]
    receive(course, "canvas", back, CANVAS_ROSTER, at=DUE - 1)
    assert texts(course) == FILES, "she uploaded her first try again"
    moodle = [(name, b"third" if "Ada" in name else data) for name, data in on_moodle(FILES)]
    receive(course, "moodle", moodle, at=DUE)
    assert texts(course)["ada"] == b"third"
    assert receive(course, "moodle", on_moodle(FILES)).news == [] and texts(course)["ada"] == b"third"


def test_everything_that_is_not_taken_has_a_line(course):
    strange = [
        (f"stranger_4711_90011_{FILE}", b"x"),
        ("lovelaceada_1001_90012_essay.pdf", b"x"),
        ("lovelaceada_1001_90013_text.html", b"x"),
        ("notes.txt", b"x"),
        ("__MACOSX/._lovelaceada_1001_90001_x.ipynb", b"x"),
        ("zhangwei_1005_90015_02_halving.ipynb", b"x"),
        ("zhangwei_1005_90016_03_thirds.ipynb", b"x"),
    ]
    result = receive(course, "canvas", strange, CANVAS_ROSTER)
    assert texts(course) == {} and result.absent == sorted(STUDENTS)
    said = "\n".join(result.not_taken)
    assert "stranger_4711" in said and "the number 4711" in said and said.count("is none of") == 2
    others = "\n".join(result.others)
    assert others.count("is no notebook") == 2 and "notes.txt: is not named as Canvas" in others
    assert "MACOSX" not in others


def test_a_name_of_the_students_own_is_that_of_the_one_notebook_of_the_archive(course):
    receive(course, "canvas", [("lovelaceada_1001_90012_my homework.ipynb", b"x")], CANVAS_ROSTER)
    assert kept(course)["ada"].notes == ("submitted as my homework.ipynb",)


def test_of_several_copies_without_an_order_none_is_taken(course):
    place = "Ada Lovelace_501_assignsubmission_file_"
    copies = [(f"{place}/{NAME}{end}.ipynb", b"x") for end in (" (1)", " (2)")]
    result = receive(course, "moodle", copies, MOODLE_ROSTER)
    assert "nobody can say which one counts" in result.not_taken[0] and texts(course) == {}
    result = receive(course, "moodle", [*copies, (f"{place}/{FILE}", b"y")], MOODLE_ROSTER)
    assert texts(course) == {"ada": b"y"} and "which was not looked at" in kept(course)["ada"].notes[0]


def test_a_name_decides_only_where_no_number_can_and_one_student_has_it(course):
    members = on_canvas(FILES)
    receive(course, "canvas", members)
    assert texts(course) == FILES and "found by the name alone" in kept(course)["anne"].notes
    twins = course.parent / "twins.csv"
    twins.write_text("id,first name,last name,email\nada2,Ada,Lovelace,ada2@x.edu\n")
    import_roster(twins, course)
    (line,) = receive(course, "canvas", [(f"lovelaceada_7_8_{FILE}", b"x")]).not_taken
    assert "the name of ada, ada2" in line
    roster = CANVAS_ROSTER + '"Lovelace, Ada",1007,S1007,ada2,One\n'
    receive(course, "canvas", [(f"lovelaceada_1007_8_{FILE}", b"twin")], roster)
    assert texts(course)["ada2"] == b"twin" and texts(course)["ada"] == FILES["ada"]


def test_an_address_and_a_number_that_contradict_each_other_decide_nothing(course):
    text = METADATA.replace(":email: ada@x.edu", ":email: wei@x.edu")
    members = [("submission_metadata.yml", text.encode()), (f"submission_1/{FILE}", b"x")]
    (line,) = receive(course, "gradescope", members).not_taken
    assert "could be of ada, wei" in line and texts(course) == {}


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"ada/{NAME}/{FILE}", "ada"),
        (f"class/week 4/anne@x.edu/{FILE}", "anne"),
        (f"Seán O'Neil/{FILE}", "sean"),
        (f"ada/anne/{FILE}", None),
        (FILE, None),
        (f"nobody/{FILE}", None),
        (f"../../ada/{FILE}", "ada"),
    ],
)
def test_in_a_zip_of_ones_own_a_folder_says_whose_it_is(course, path, student):
    receive(course, "zip", [(path, b"x")])
    assert set(texts(course)) == ({student} if student else set())
    assert not (course.parent.parent / "ada").exists() and not (course.parent / "ada").exists()


@pytest.mark.slow
def test_what_is_no_plain_file_is_not_read(course):
    path = course.parent / "hostile.zip"
    names = [f"lovelaceada_1001_{number}_{FILE}" for number in range(4)]
    with zipfile.ZipFile(path, "w") as made:
        link = zipfile.ZipInfo(names[0])
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
        made.writestr(names[1], b"x" * 9, zipfile.ZIP_LZMA)  # cannot be unpacked piece by piece
        made.writestr(f"../../../{names[2]}", b" " * (21 << 20), zipfile.ZIP_DEFLATED)
        made.writestr(names[3], b"x")
    data = bytearray(path.read_bytes())
    place = data.rindex(names[3].encode())  # in the directory: the bits that say "encrypted"
    data[place - 46 + 8] |= 1
    path.write_bytes(data)
    result = receive_archive(course, path, "canvas", [NAME], Limits())
    said = "\n".join([*result.others, *result.not_taken])
    for why in ("no plain file", "packed in a way", "more than 20 MiB", "is encrypted"):
        assert why in said
    assert texts(course) == {} and result.news == []


def test_a_size_in_the_header_is_not_believed(course):
    """A bomb says that it is small."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr(f"lovelaceada_1001_5_{FILE}", b" " * (30 << 20))
    data = bytearray(made.getvalue())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(mark) + at, 10)
    path = course.parent / "bomb.zip"
    path.write_bytes(data)
    result = receive_archive(course, path, "canvas", [NAME], Limits())
    assert len(result.not_taken) == 1 and texts(course) == {}


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"not a zip", "is no zip archive"), (b"", "is no zip archive")],
)
def test_what_is_no_archive_is_one_line(course, content, said):
    path = course.parent / "x.zip"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        receive_archive(course, path, "canvas", [NAME], Limits())
    path = archive(path, [("a.txt", b"x")])
    with pytest.raises(UserError, match="holds no submission_metadata"):
        receive_archive(course, path, "gradescope", [NAME], Limits())


def test_gradescopes_metadata_are_read_as_a_yaml_parser_reads_them():
    """The one of the tests' environment: the library needs none."""
    yaml = pytest.importorskip("yaml")
    found = submissions_in(METADATA)
    for name, facts in yaml.safe_load(METADATA).items():
        expected = [
            {kind: one[f":{kind}"] for kind in ("email", "sid", "name") if one[f":{kind}"]}
            for one in facts[":submitters"]
        ]
        assert [dict(who) for who in found[name].submitters] == expected
        assert found[name].when == pytest.approx(facts[":created_at"].timestamp(), abs=1e-5)
    assert len(found) == 5


def test_a_student_may_submit_a_file_of_the_metadatas_name(course):
    own = METADATA.replace("ada", "wei")
    members = [
        *on_gradescope(FILES),
        ("assignment_7_export/submission_1/submission_metadata.yml", own.encode()),
    ]
    receive(course, "gradescope", members)
    assert texts(course) == FILES


def test_two_members_of_one_name_are_two_files(course):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = archive(course.parent / "twice.zip", [(f"ada/{FILE}", b"one"), (f"ada/{FILE}", b"two")])
    (line,) = receive_archive(course, path, "zip", [NAME], Limits()).not_taken
    assert "nobody can say which one counts" in line and texts(course) == {}


@pytest.mark.slow
def test_the_command_prints_a_line_for_each_file_and_its_status_says_whether_all_are_taken(
    course, kqa_in_process
):
    (course / "source" / NAME).mkdir(parents=True)
    (course / "source" / NAME / f"{NAME}.py").write_text("")
    (course / "source" / NAME / f"{NAME}.ipynb").write_text("{}")
    (course / "nbgrader_config.py").write_text("")
    roster = course.parent / "grades.csv"
    roster.write_text(CANVAS_ROSTER)
    whole = archive(course.parent / "whole.zip", on_canvas(FILES))
    with working_on(course):
        named = ("--roster", roster, "-n", "01", "--course", course)
        command = ("course", "receive", "--from", "canvas", *named)
        status, said = kqa_in_process(*command, whole, "--dry-run")
        assert status == 0 and said.out.count("would receive ") == 5 and texts(course) == {}
        status, said = kqa_in_process(*command, whole)
        assert status == 0 and f"ada, {NAME}: version 1\n" in said.out
        assert "5 new, 0 not received" in said.out and texts(course) == FILES
        strange = archive(course.parent / "strange.zip", [(f"who_4711_1_{FILE}", b"x"), ("notes.txt", b"x")])
        status, said = kqa_in_process(*command, strange)
        assert status == 1 and "not received: who_4711_1" in said.err and "ignored: notes.txt" in said.err
        assert "without a file in the archive: ada, anne" in said.err
        for words in (("--from", "blackboard", whole), ("--dry-run", whole), ("--from", "zip")):
            status, said = kqa_in_process("course", "receive", *words, "--course", course)
            assert status == 2 and "--from" in said.err and "Traceback" not in said.err
