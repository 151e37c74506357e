"""The leak scan finds what is planted, and nothing in what is innocent."""

from __future__ import annotations

import base64
import json
import zipfile

import pytest

from autograder.answer_key import AnswerKey, WrittenKey
from autograder.build.leak_scan import scan
from kqa_core.check.exercise import right
from kqa_core.check.model_answers import seal


def hidden(answer, rng):
    """Hidden."""
    for size in (3, 5, 8):
        values = [rng.random() for _ in range(size)]
        if answer(values) != sorted(values, reverse=True):
            raise ValueError("not sorted downwards")
    return right()


def running_best(values):
    """The reference."""
    best, seen = None, []
    for value in values:  # one pass
        if best is None or value > best:
            best = value
        seen.append(best)
    return seen


def by_accumulate(values):
    """Accepted."""
    return [max(values[: index + 1]) for index in range(len(values)) if values is not None]


def short(values):
    """Accepted, eight to fifteen nodes."""
    return sorted(values)[-1:] * len(values)


def trivial(values):
    """Accepted, and too short to mean anything."""
    return values


COMMENTARY = "One pass is enough,\nbecause `best` *remembers* all that came before. Do not sort."
KEY = AnswerKey(
    "running_best", hidden, running_best, (by_accumulate, short, trivial), (), lambda rng: [], COMMENTARY
)
WRITTEN = WrittenKey(
    "why",
    "The margin of the chosen key grows without bound. So its weight tends to one.",
    ((2, "states that every other score falls behind by a growing margin"),),
    ("thinks that the sum of the other scores decides",),
)
BODY = """\
    best, seen = None, []
    for value in values:  # one pass
        if best is None or value > best:
            best = value
        seen.append(best)
    return seen
"""


def find(path):
    return scan([path], keys=[KEY, WRITTEN])


def notebook(tmp_path, *cells, **metadata):
    path = tmp_path / "n.ipynb"
    content = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def code(text, **more):
    lines = text.splitlines(keepends=True)
    return {"cell_type": "code", "id": "c", "source": lines, "metadata": {}, "outputs": [], **more}


def prose(text, **metadata):
    return {"cell_type": "markdown", "id": "m", "source": text, "metadata": metadata}


STUB = "raise NotImplementedError('exercise running_best: replace this line with your answer')"
INNOCENT = f"def running_best(values):\n    {STUB}\n"


def test_the_untouched_release_is_innocent(tmp_path):
    said = prose("Weights: the one with the largest score wins. Return `values` sorted.")
    assert find(notebook(tmp_path, code(INNOCENT), said, code("def f(values):\n    return values\n"))) == []


@pytest.mark.parametrize(
    "copy",
    [
        "def running_best(values):\n" + BODY,
        "def running_best(values: list) -> list:\n    '''Doc.'''\n" + BODY.replace("  # one pass", ""),
        "def other(xs):\n"
        + BODY.replace("values", "xs").replace("value", "x").replace("best", "b").replace("seen", "out"),
        # pasted into a cell, without its return
        "x = 3\n" + "\n".join(line[4:] for line in BODY.splitlines()[:-1]),
        "class A:\n    def m(self, values):\n        y = 1\n"
        + "\n".join("    " + line for line in BODY.splitlines()),
    ],
)
def test_a_copy_of_the_reference_is_found_whatever_its_names_and_layout(tmp_path, copy):
    assert find(notebook(tmp_path, code(INNOCENT), code(copy))) == [
        "n.ipynb: the reference answer of running_best"
    ]
    (tmp_path / "library.py").write_text(copy)
    assert find(tmp_path / "library.py") == ["library.py: the reference answer of running_best"]


def test_a_one_line_answer_is_found_as_an_expression(tmp_path):
    cell = code("show([max(numbers[: i + 1]) for i in range(len(numbers)) if numbers is not None])")
    assert find(notebook(tmp_path, cell)) == ["n.ipynb: an accepted answer of running_best"]


@pytest.mark.parametrize(
    "place",
    [
        lambda text: [prose(f"Try `{text}`.")],
        lambda text: [prose("x", answer=text)],
        lambda text: [code("1", metadata={"nbgrader": {"solution": text}})],
        lambda text: [{**prose("x"), "attachments": {"a": {"text/plain": text}}}],
    ],
)
def test_an_answer_in_prose_metadata_or_attachments_is_found(tmp_path, place):
    short = notebook(tmp_path, *place("sorted(values)[-1:]  *  len( values )"))
    assert find(short) == ["n.ipynb: an accepted answer of running_best"]
    assert find(notebook(tmp_path, *place(BODY))) == ["n.ipynb: the reference answer of running_best"]


def test_an_answer_in_the_notebooks_own_metadata_is_found(tmp_path):
    assert find(notebook(tmp_path, code(INNOCENT), kqa={"solution": BODY})) == [
        "n.ipynb: the reference answer of running_best"
    ]


def test_a_short_answer_in_a_hint_is_found_but_the_library_may_sort(tmp_path):
    (tmp_path / "check").mkdir()
    for place in ("check/hints.py", "sorting.py"):
        (tmp_path / place).write_text("HINT = 'sorted(values)[-1:] * len(values)'\n")
    assert find(tmp_path) == ["check/hints.py: an accepted answer of running_best"]


def test_a_hidden_check_is_found_when_it_is_the_instructors(tmp_path, monkeypatch):
    import inspect

    monkeypatch.setattr(hidden, "__module__", "course_keys.running_best")
    (tmp_path / "tests_of_ours.py").write_text(inspect.getsource(hidden))
    assert find(tmp_path / "tests_of_ours.py") == ["tests_of_ours.py: the hidden check of running_best"]


@pytest.mark.parametrize(
    "region", ["BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"]
)
def test_an_uncleared_region_is_found(tmp_path, region):
    assert find(notebook(tmp_path, code(f"### {region}\n"))) == [f"n.ipynb: a region marked {region}"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("The margin of the\n*chosen* key grows without bound.", "the model answer of why"),
        ("states that every other score falls behind by a growing margin", "the rubric of why"),
        ("Thinks that the sum of the other scores decides", "the rubric of why"),
    ],
)
def test_model_answers_and_rubrics_are_found(tmp_path, text, what):
    assert find(notebook(tmp_path, prose(f"Note. {text} Yes."))) == [f"n.ipynb: {what}"]


REMEMBERS = "because best remembers all that came before."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("n.md", f"Note: one pass is enough, {REMEMBERS}"),
        ("n.py", f"HINT = 'One pass is enough, '  \\\n  '{REMEMBERS}'\n"),
        ("n.json", json.dumps({"a": [{"b": COMMENTARY}]})),
        ("n.json", json.dumps({"a": base64.b64encode(COMMENTARY.encode()).decode()})),
    ],
)
def test_commentary_is_found_also_in_pieces_and_in_base64(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert find(tmp_path) == [f"{name}: the commentary of running_best"]
    assert find(notebook(tmp_path, prose(COMMENTARY))) == ["n.ipynb: the commentary of running_best"]


def test_an_open_file_of_model_answers_is_found_and_a_sealed_one_is_let_through(tmp_path):
    answers = {
        "running_best": f"```python\ndef running_best(values):\n{BODY}```\n\n{COMMENTARY}",
        "why": WRITTEN.model_answer,
    }
    everything = [
        "the commentary of running_best",
        "the model answer of why",
        "the reference answer of running_best",
    ]
    sealed = {name: seal("abcd-efgh", text) for name, text in answers.items()}
    packed = {name: base64.b64encode(text.encode()).decode() for name, text in answers.items()}
    for content, leaks in ((answers, everything), (packed, everything), (sealed, [])):
        path = tmp_path / "n_locked.json"
        path.write_text(json.dumps({"course": "x", "mark": "", "answers": content}, indent=1))
        assert sorted(find(path)) == sorted(f"n_locked.json: {leak}" for leak in leaks)
    short_one = {"short": "```python\ndef f(values):\n    return sorted(values)[-1:] * len(values)\n```"}
    path.write_text(json.dumps({"answers": short_one}))
    assert find(path) == ["n_locked.json: an accepted answer of running_best"]


def test_an_answer_in_a_released_exercises_folder_is_found_a_short_one_too(tmp_path):
    folder = tmp_path / "01_best" / "exercises"
    folder.mkdir(parents=True)
    (folder / "running_best.py").write_text(
        "def check(answer, rng):\n    return sorted(values)[-1:] * len(values)\n"
    )
    (folder / "_shared.py").write_text(f"def best(values):\n{BODY}")
    assert sorted(find(tmp_path)) == [
        "01_best/exercises/_shared.py: the reference answer of running_best",
        "01_best/exercises/running_best.py: an accepted answer of running_best",
    ]
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "x.py").write_text("X = 1\n")
    assert "keys/x.py: a file of keys/, which no student receives" in find(tmp_path)


def test_a_text_that_only_looks_like_python_warns_of_nothing(tmp_path, recwarn):
    path = tmp_path / "n_locked.json"
    path.write_text(json.dumps({"answers": {"an encrypted one": "1if 2else 3+"}}))
    (tmp_path / "x.py").write_text("X = 1if 2else 3\n")
    assert find(path) == [] and find(tmp_path / "x.py") == []
    assert [str(each.message) for each in recwarn] == []


def test_outputs_are_found(tmp_path):
    output = {"output_type": "stream", "name": "stdout", "text": "3"}
    assert find(notebook(tmp_path, code("1 + 2", outputs=[output]))) == ["n.ipynb: cell c has outputs"]


def test_an_import_of_the_instructors_package_is_found(tmp_path):
    assert find(notebook(tmp_path, code("from course_keys import running_best"))) == [
        "n.ipynb: imports course_keys"
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("autograder/keys/NN_name/x.py", b"X = 1\n", "a file of autograder/, which no student receives"),
        ("tests/test_x.py", b"X = 1\n", "a file of tests/, which no student receives"),
        ("gradebook.db", b"SQLite", "a kind of file (.db) that does not belong there"),
        ("kqa_core/x.pyc", b"\x00", "a kind of file (.pyc) that does not belong there"),
        ("kqa_core/x.py", b"\xff\xfe", "not UTF-8 text, so it cannot be searched"),
        ("n.ipynb", b"{", "not a notebook, so it cannot be searched"),
        (
            "kqa_core/x.html.j2",
            b"<p>The margin of the chosen key grows without bound.</p>",
            "the model answer of why",
        ),
        ("kqa_core/x.py", ("def f(values):\n" + BODY).encode(), "the reference answer of running_best"),
    ],
)
def test_archives_within_archives_are_opened(tmp_path, name, content, said):
    with zipfile.ZipFile(tmp_path / "k.whl", "w") as wheel:
        wheel.writestr(name, content)
        wheel.writestr("kqa_core/fine.py", "X = 1\n")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as bundle:
        bundle.write(tmp_path / "k.whl", "wheel/k.whl")
    assert find(tmp_path / "b.zip") == [f"b.zip!wheel/k.whl!{name}: {said}"]


def test_a_models_weights_are_let_through_and_their_header_is_searched(tmp_path):
    import safetensors.torch
    import torch

    weights = {"head": torch.arange(6.0)}
    good = safetensors.torch.save(weights)
    (tmp_path / "good.safetensors").write_bytes(good)
    (tmp_path / "longer.safetensors").write_bytes(good + b"BEGIN SOLUTION")
    (tmp_path / "noise.safetensors").write_bytes(b"BEGIN SOLUTION, " * 9)
    (tmp_path / "marked.safetensors").write_bytes(safetensors.torch.save(weights, {"note": "BEGIN SOLUTION"}))
    found = scan([tmp_path], [])
    unread = "not a safetensors file, so it cannot be searched"
    assert found == [
        f"longer.safetensors: {unread}",
        "marked.safetensors: a region marked BEGIN SOLUTION",
        f"noise.safetensors: {unread}",
    ]


def test_a_short_sentence_stays_short_however_a_key_breaks_its_lines(tmp_path):
    """Fewer characters than are searched for, and more with the indentation of the key's text."""
    answer = WrittenKey(
        "why", "The means are\n            alike: all the others get no\n    weight at all.", (), ()
    )
    assert scan([notebook(tmp_path, prose("The means are alike: you know this."))], [answer]) == []
    found = scan([notebook(tmp_path, prose("Why? All the others get no weight at all."))], [answer])
    assert len(found) == 1 and "the model answer of why" in found[0]
