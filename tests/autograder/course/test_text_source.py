"""Reading a notebook's text source, and making the instructor's notebook of it."""

from __future__ import annotations

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.answer_key import WrittenKey
from autograder.build import assemble as assembling
from autograder.build import source as reading
from autograder.build.assemble import assemble, heading, with_solution
from autograder.build.source import read_source
from kqa_core.check import registry
from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import find
from kqa_core.errors import UserError

STUB = 'raise NotImplementedError("exercise weighted_average: replace this line with your answer")'
STATEMENT = '# %% [markdown] exercise="weighted_average" role="statement"\n# Average the rows.\n\n'
DEFINITION = f'def weighted_average(values, weights):\n    """Doc."""\n    {STUB}\n\n'
SOLUTION = f'# %% exercise="weighted_average" role="solution"\n{DEFINITION}'
CHECK = '# %% exercise="weighted_average" role="check"\ncheck("weighted_average", weighted_average)\n\n'
SETUP = '# %% role="setup"\nimport torch\n\n'
GOOD = f"# %% [markdown]\n# # Hello\n\n{SETUP}{STATEMENT}{SOLUTION}{CHECK}# %%\n1 + 1\n"


def source(tmp_path, text, name="00_start_here"):
    path = tmp_path / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_get_their_roles_and_lasting_ids(tmp_path):
    cells = read_source(source(tmp_path, GOOD))
    assert [(cell.id, cell.role, cell.grade_id) for cell in cells] == [
        ("start-1", "prose", None),
        ("setup_1", "setup", "setup_1"),
        ("statement_weighted_average", "statement", "statement_weighted_average"),
        ("weighted_average", "solution", "weighted_average"),
        ("check_weighted_average", "check", "check_weighted_average"),
        ("check_weighted_average-1", "demonstration", None),
    ]


def test_a_new_cell_above_changes_no_id_below(tmp_path):
    before = [cell.id for cell in read_source(source(tmp_path, GOOD))]
    after = [cell.id for cell in read_source(source(tmp_path, "# %%\n0\n\n" + GOOD))]
    assert after[2:] == before[1:]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace(CHECK, ""), "weighted_average has no check cell"),
        (GOOD.replace(SOLUTION, ""), "weighted_average has no solution cell"),
        (GOOD.replace(STATEMENT, ""), "weighted_average has no statement cell"),
        (f"{SETUP}{STATEMENT}{CHECK}{SOLUTION}", "comes too early"),
        (GOOD + CHECK, "two check cells for exercise weighted_average"),
        (GOOD.replace('role="check"', 'role="chekc"'), "has role 'chekc'; expected one of"),
        (GOOD.replace('exercise="weighted_average" role="check"', 'role="check"'), 'needs exercise="…"'),
        (
            GOOD.replace('role="setup"', 'exercise="weighted_average" role="setup"'),
            "names an exercise, which only",
        ),
        (
            GOOD.replace('="weighted_average" role="check"', '="wieghted_average" role="check"'),
            "did you mean weighted_average",
        ),
        (
            GOOD.replace('# %% role="setup"', '# %% [markdown] role="setup"'),
            "is markdown, but a cell of role 'setup' is code",
        ),
        (
            GOOD.replace('="weighted_average" role="solution"', '="london_baseline" role="solution"'),
            "belongs to notebook 07",
        ),
        (
            GOOD + '# %% [markdown] exercise="weighted_average" role="written"\n# x\n',
            "its cell is of role solution",
        ),
    ],
)
def test_a_source_that_does_not_fit_the_facts_is_named(tmp_path, text, said):
    path = source(tmp_path, text)
    with pytest.raises(UserError) as problem:
        read_source(path)
    assert said in str(problem.value)


def test_a_missing_source_and_a_wrong_encoding_are_named(tmp_path):
    with pytest.raises(UserError, match="no such notebook source"):
        read_source(tmp_path / "nope.py")
    (tmp_path / "latin.py").write_bytes(b"# %%\nx = '\xe9'\n")
    with pytest.raises(UserError, match="UTF-8"):
        read_source(tmp_path / "latin.py")


def test_the_assembled_notebook_is_valid_for_jupyter_and_nbgrader(tmp_path):
    notebook = assemble(read_source(source(tmp_path, GOOD)))
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    check = next(cell for cell in notebook.cells if cell.id == "check_weighted_average")
    assert check.metadata.nbgrader == {
        "cell_type": "code",
        "grade": True,
        "grade_id": "check_weighted_average",
        "locked": True,
        "points": 0,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    assert check.metadata.tags == ["raises-exception"]
    assert "### BEGIN HIDDEN TESTS" in check.source


def test_the_statement_starts_with_the_facts(tmp_path):
    notebook = assemble(read_source(source(tmp_path, GOOD)))
    statement = next(cell for cell in notebook.cells if cell.id == "statement_weighted_average").source
    assert statement.startswith(heading(find("weighted_average")))
    assert statement.splitlines()[0] == "### Exercise 1. Average rows with weights (`weighted_average`)"
    facts = "no points · core (evening) · difficulty 1 of 5 · importance 5 of 5"
    facts += " · about 3 minutes · checked · practice"
    assert statement.splitlines()[2] == f"*{facts}*"


def test_the_solution_is_the_references_body_without_its_docstring(tmp_path):
    notebook = assemble(read_source(source(tmp_path, GOOD)))
    solution = next(cell for cell in notebook.cells if cell.id == "weighted_average").source
    assert solution == (
        'def weighted_average(values, weights):\n    """Doc."""\n    ### BEGIN SOLUTION\n'
        "    return (weights[:, None] * values).sum(dim=0)\n    ### END SOLUTION"
    )


def f_commented(x, n=3):
    # why
    y = x  # what

    return y + n


def f_one_line(x, n=3): return x + n  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "body"),
    [(f_commented, ["# why", "y = x  # what", "", "return y + n"]), (f_one_line, ["return x + n"])],
)
def test_comments_stay_and_one_liners_work(reference, body):
    exercise = find("weighted_average")
    cell = f"import torch\n\ndef weighted_average(x, n=3):\n    {STUB}\n\nSIZE = 3"
    lines = with_solution(cell, exercise, reference).splitlines()
    inside = lines[lines.index("    ### BEGIN SOLUTION") + 1 : lines.index("    ### END SOLUTION")]
    assert [line.strip() for line in inside] == body
    assert lines[:2] == ["import torch", ""] and lines[-1] == "SIZE = 3"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (f"def weighted_average(values):\n    {STUB}", "signature is (values), the reference's (x, n=3)"),
        (f"def other(x, n=3):\n    {STUB}", "defines no function of that name"),
        ("def weighted_average(x, n=3):\n    return 0", "must end in raise NotImplementedError"),
        (f"def weighted_average(x, n=3)\n    {STUB}", "is not valid Python"),
    ],
)
def test_a_solution_cell_that_does_not_fit_its_reference_is_named(cell, said):
    with pytest.raises(UserError) as problem:
        with_solution(cell, find("weighted_average"), f_commented)
    assert said in str(problem.value)


class Layer(dict):
    """The reference."""

    def __init__(self, config, more=()):
        # why
        super().__init__(more)

    def forward(self, x):
        return x


INIT = "    def __init__(self, config, more=()):\n"
CLASS = f"class weighted_average(dict):\n    # of the student\n\n{INIT}        {STUB}"


def test_the_solution_of_a_class_goes_from_the_body_of_init_to_its_end():
    assert with_solution(f"{CLASS}\n\n\nSIZE = 3", find("weighted_average"), Layer) == (
        "class weighted_average(dict):\n    # of the student\n\n    def __init__(self, config, more=()):\n"
        "        ### BEGIN SOLUTION\n        # why\n        super().__init__(more)\n\n"
        "    def forward(self, x):\n        return x\n        ### END SOLUTION\n\n\nSIZE = 3"
    )


@pytest.mark.parametrize(
    ("cell", "reference", "said"),
    [
        (CLASS.replace("dict", "list"), Layer, "class (list) with __init__(self, config, more=()), the"),
        (CLASS.replace("more=()", ""), Layer, "the reference's class (dict) with __init__(self, config, mo"),
        (CLASS, f_commented, "the reference's (x, n=3)"),
        (f"{CLASS}\n    size = 3", Layer, "class weighted_average must end in def __init__"),
    ],
)
def test_a_class_that_does_not_fit_its_reference_is_named(cell, reference, said):
    with pytest.raises(UserError) as problem:
        with_solution(cell, find("weighted_average"), reference)
    assert said in str(problem.value)


def test_annotations_do_not_count_as_another_signature():
    cell = f"def weighted_average(x: int, n: int = 3) -> int:\n    {STUB}"
    assert "return y + n" in with_solution(cell, find("weighted_average"), f_commented)


def test_a_written_exercise_holds_the_model_answer_and_never_the_rubric(tmp_path, monkeypatch):
    written = Exercise("why", 1, 3, 2, 4, 5, "test", ("a", "b", "c"), check=None, notebook="90_test")
    rubric = ((2, "says that the margin grows without bound"),)
    key = WrittenKey("why", "Because the **margin** grows.", rubric, ("sums the others",))
    monkeypatch.setattr(registry, "all_exercises", lambda: (written,))
    monkeypatch.setattr(reading, "find", {"why": written}.__getitem__)
    monkeypatch.setattr(assembling, "find_key", lambda name: key)
    text = '# %% [markdown] exercise="why" role="statement"\n# Why?\n\n'
    text += '# %% [markdown] exercise="why" role="written"\n# *Your answer.*\n'
    notebook = assemble(read_source(source(tmp_path, text, "90_test")))
    MetadataValidator().validate_nb(notebook)
    answer = notebook.cells[1]
    assert answer.source == "Because the **margin** grows."
    assert (
        answer.metadata.nbgrader.grade,
        answer.metadata.nbgrader.solution,
        answer.metadata.nbgrader.points,
    ) == (True, True, 3)
    assert notebook.cells[0].source.splitlines()[2].endswith("a person reads it · test*")
    assert "without bound" not in nbformat.writes(notebook) and "sums the others" not in nbformat.writes(
        notebook
    )
