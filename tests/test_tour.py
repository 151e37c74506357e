"""docs/tour.md: its files and the names in them exist,
its diagram shows the layers, and its index can be guessed.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from itertools import takewhile

import pytest
from documented import INLINE, PAGES, ROOT

TOUR = PAGES["docs/tour.md"].text
STOP = re.compile(r"^### \[([^\]]+)\]\(\.\./([^)]+)\)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
STOPS = [(title.replace("\\", ""), path, text) for title, path, text in STOP.findall(TOUR)]
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?")
NOT_OF_THE_FILE = {"--help", "code"}
PROMISE = re.compile(
    r"^\| \[([a-z_]+\.md)\]\(\1\) \| (.+) \| `(test_\w+\.py)`: `(test_\w+)` \|$", re.MULTILINE
)


def names_of(path):
    """The names that a Python file defines, imports or gives a value to; methods as Class.method."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            if isinstance(node, ast.ClassDef):
                found |= {
                    f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)
                }
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
            near, far = (ROOT / path).parent, code.replace("NN_name", "01_*").replace("NAME", "average_two")
            assert (near / code).is_file() or any(ROOT.glob(far)), f"{path}: {code}"


# The index. A newcomer who searches for a term by file names alone must find the file in the table, as the
# only best match.

ROW = re.compile(r"^\| ([^|`]+?) \| `([\w/.]+)` \|$", re.MULTILINE)
INDEX = [(term, path) for terms, path in ROW.findall(TOUR) for term in terms.split(", ")]
ASKED = (
    "KV cache, learning-rate schedule, LayerNorm block, causal mask, RoPE, checkpoint, atomic write,"
    " confidence interval, t-test, seccomp, plagiarism, feedback page, late penalty, leak scan, tokenizer,"
    " vocabulary, gradebook, rubric, answer key, hint"
)
ALIASES = {  # the terms for which the usual file name is another word
    "causal mask": "model attention",  # two lines of the equation, not a file
    "confidence interval": "stats",  # as in Python's statistics and scipy.stats
    "t-test": "stats",
    "atomic write": "files",  # what all file handling of the package goes through
    "plagiarism": "similarity",  # the report shows similar answers; it accuses nobody
    "sympy limits": "symbolic limits",  # what sympy does
    "hidden check": "answer key",  # the key holds it
    "GPT config": "model config",  # the grader has a config of its own
}
SMALL = {"a", "an", "the", "of", "to", "in", "for", "and"}


@functools.cache
def words(text):
    """The words of a term; `learning-rate` also as one word."""
    found = [word for part in text.lower().split() for word in (part.replace("-", ""), *part.split("-"))]
    return [word for word in dict.fromkeys(found) if word not in SMALL]


@functools.cache
def likeness(word, token):
    """1 for the same word, a little less for another form of it, else 0."""
    if word == token:
        return 1.0
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, token, strict=False)))
    another_form = common == min(len(word), len(token)) >= 4 or common >= max(
        6, len(word) - 3, len(token) - 3
    )
    return 0.9 if another_form else 0.0


@functools.cache
def places():
    """Every module and folder of the packages that a search by name finds;
    exercises and keys have the names of exercises.
    """
    found = []
    for path in (path for name in ("kqa_core", "autograder") for path in sorted((ROOT / name).rglob("*"))):
        module = path.suffix == ".py" and not path.name.startswith("__")
        inside = path.relative_to(ROOT).as_posix()
        if (module or any(path.glob("*.py"))) and not inside.startswith("notebooks/keys"):
            found.append(inside + ("/" if path.is_dir() else ""))
    return tuple(found)


@functools.cache
def parts(place):
    """The words of a file's name, and those of its folders."""
    *folders, name = place.rstrip("/").removesuffix(".py").split("/")
    return [token for token in name.split("_") if token not in SMALL], [
        token for each in folders for token in each.split("_")
    ]


def search(term, among):
    """The best matches of a term among file names:
    most of its words, fewest other words, then folders, rare words, the noun.
    """

    def best(word, tokens):
        return max((likeness(word, token) for token in tokens), default=0.0)

    wanted = words(ALIASES.get(term, term))
    files = {word: sum(best(word, parts(place)[0]) > 0 for place in among) for word in wanted}

    def rank(place):
        name, folders = parts(place)
        hits = [word for word in wanted if best(word, name)]
        matched = sum(best(word, name) for word in hits)
        in_folder = sum(best(word, folders) for word in wanted if word not in hits)
        rare = sum(1 / files[word] for word in hits)
        return (
            matched,
            min(1.0, len(hits) / len(name)),
            in_folder,
            rare,
            wanted[-1] in hits,
            place.endswith(".py"),
            -place.count("/"),
        )

    ranks = {place: rank(place) for place in among}
    highest = max(ranks.values())
    return [place for place in among if ranks[place] == highest] if highest[0] else []


@pytest.mark.parametrize(("term", "path"), INDEX, ids=[term for term, _ in INDEX])
def test_a_search_for_the_term_by_name_leads_to_its_file(term, path):
    assert (ROOT / path).exists(), path
    assert search(term, places()) == [path], "rename the file, or argue an alias"


def test_the_index_has_the_ordinary_terms_and_few_aliases():
    terms = [term for term, _ in INDEX]
    assert len(terms) == len(set(terms)) >= 60 and {*ASKED.split(", ")} <= {*terms}
    assert len(ALIASES) <= 8 and {*ALIASES} <= {*terms}


ROW_WITH_NAME = re.compile(r"^\| ([^|`]+?) \| `([\w/.]+)` \| `(\w+)` \|$", re.MULTILINE)


@pytest.mark.parametrize(("term", "path", "name"), ROW_WITH_NAME.findall(TOUR))
def test_a_term_without_a_file_of_its_own_has_a_name_in_one(term, path, name):
    assert name in names_of(path), f"{term}: {path} has no {name}"


def test_a_badly_named_file_would_be_found():
    """The old name of the KV cache's module, and a second file of the same name."""
    there = places()
    old = ["kqa_core/past.py" if place.endswith("kv_cache.py") else place for place in there]
    assert search("KV cache", old) != ["kqa_core/past.py"]
    assert len(search("rubric", [*there, "autograder/gradebook2/rubric.py"])) == 2


def test_the_diagram_has_the_layers_that_the_contracts_keep():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    diagram = TOUR.partition("```mermaid")[2].partition("```")[0]
    for package in ("kqa_core", "autograder"):
        (layers,) = (
            each["layers"]
            for each in contracts
            if each["type"] == "layers" and each["containers"] == [package]
        )
        drawn = re.findall(
            r"\[([^\]]+)\]", diagram.partition(f"subgraph {package}\n")[2].partition("end\n")[0]
        )
        assert drawn == [layer.replace(" : ", " · ") for layer in layers]


# The glossary: the words of our own, few enough to learn.

WORDS = re.findall(
    r"^\| ([a-z ]+) \| ", TOUR.split("\n## Words of our own\n")[1].split("\n## ")[0], re.MULTILINE
)


def test_the_words_of_our_own_are_at_most_thirty_and_all_in_use():
    head, *words = WORDS
    assert head == "word" and words == sorted(words) and 20 < len(words) <= 30
    code = "\n".join(
        path.read_text(encoding="utf-8").lower()
        for package in ("kqa_core", "autograder", "benchmarks", "tests")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "test_tour.py"
    )
    assert not [word for word in words if not re.search(word.replace(" ", "[ _]"), code)]


def test_each_promise_that_is_listed_stands_on_its_page_and_has_its_test():
    listed = PROMISE.findall(PAGES["docs/contributors.md"].text)
    assert len(listed) > 50
    for page, promise, file, test in listed:
        assert promise in " ".join(PAGES[f"docs/{page}"].text.split()), f"{page} does not say: {promise}"
        (path,) = (ROOT / "tests").rglob(file)
        assert f"def {test}(" in path.read_text(encoding="utf-8"), f"{file} has no {test}"
