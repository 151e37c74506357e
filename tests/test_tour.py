"""docs/tour.md: the files it leads through are there, and so are the names it calls by their files."""

from __future__ import annotations

import ast
import re

import pytest
from documented import INLINE, PAGES, ROOT

TOUR = PAGES["docs/tour.md"].text
STOP = re.compile(r"^### \[([^\]]+)\]\(\.\./([^)]+)\)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
STOPS = [(title.replace("\\", ""), path, text) for title, path, text in STOP.findall(TOUR)]
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")
NOT_OF_THE_FILE = {"--help", "code"}


def names_of(path):
    """What a Python file defines, imports or gives a value to; methods as Class.method."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            if isinstance(node, ast.ClassDef):
                found |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def test_the_tour_goes_from_a_line_of_text_to_an_answer_and_from_a_hand_in_to_the_report():
    paths = [path for _, path, _ in STOPS]
    assert len(STOPS) == TOUR.count("\n### ") and len(set(paths)) == len(paths) > 25
    text, submission = TOUR.split("\n## One submission\n")
    assert paths[0] == "kqa_core/commands/training.py" and "kqa_core/evaluation/evaluate.py" in text
    assert "autograder/submissions/store.py" in submission and paths[-1] == "autograder/report/report.py"


@pytest.mark.parametrize(("title", "path", "text"), STOPS, ids=[path for _, path, _ in STOPS])
def test_a_stop_names_what_is_there(title, path, text):
    assert title == path and (ROOT / path).is_file()
    assert len(text.strip().splitlines()) <= 10, "ten lines each"
    known = names_of(path)
    for code in INLINE.findall(text):
        if NAME.fullmatch(code) and not code.endswith(".py") and code not in NOT_OF_THE_FILE:
            assert code in known, f"{path} has no {code}"
        elif code.endswith(".py"):
            places = ((ROOT / path).parent / code, ROOT / code.replace("NAME", "average_two"))
            assert any(place.is_file() for place in places), f"{path}: {code}"
