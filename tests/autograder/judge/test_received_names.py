"""A student's name as a folder: which are taken as they are, and how others are spelt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_received import NAMES, ONE, Class

from autograder.submissions.store import manifest
from autograder.submissions.student_names import BAD_NAME, MANIFEST, safe_name


@pytest.fixture
def klass(tmp_path: Path) -> Class:
    return Class(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "-rf",
            ".ann",
            " ann",
            "ann ",
            "a\nb",
            "a\x1bb",
            "a\u202eb",
            "x" * 101,
            MANIFEST,
            "Manifest.JSONL",
            "ann~0123abcd",
        ),
        "-" + "\U0001d4b3" * 63,  # letters of four bytes
    ],
)
def test_a_name_that_cannot_be_used_is_refused_under_a_safe_spelling(klass, name):
    klass.hand_in(name, "x")
    klass.hand_in("bob", "bob's")
    klass.receive()
    safe = safe_name(name)
    assert safe != name and safe.isprintable() and len(os.fsencode(safe)) <= 200 and safe[0].isalnum()
    assert klass.one(safe).refused == BAD_NAME and klass.one(safe, name=NAMES[1]).refused is None
    assert klass.one("bob").version == 1


def test_a_name_that_is_no_text_is_refused_under_a_safe_spelling(klass):
    klass.hand_in(os.fsdecode(b"\xff\xfe"), "x")
    klass.receive()
    assert [each.refused for each in manifest(klass.store, ONE)] == [BAD_NAME]


def test_two_bad_names_never_share_a_spelling_nor_take_a_good_one():
    bad = ["-ann", ".ann", "_ann\n", "ann\n", "ann\t"]
    assert len({safe_name(each) for each in bad}) == len(bad)
    for each in bad:
        # as a folder's own name, the spelling cannot be used
        assert safe_name(safe_name(each)) != safe_name(each)


@pytest.mark.parametrize("name", ["a", "ann", "Ann Lee", "zoë", "李雷", "a.b_c-d@uni.example", "x" * 100])
def test_an_everyday_name_is_the_identity(name):
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "a<b", "a>b", 'a"b', "a\nb", ".a", " a", "a ", "-a", "x" * 101, "ann~0123abcd", MANIFEST]
)
def test_a_name_that_would_do_harm_is_spelt_otherwise(name):
    assert safe_name(name) != name and safe_name(safe_name(name)) != safe_name(name)
