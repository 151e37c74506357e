"""Search the files a student receives for anything that only an instructor should have.

- Every file is searched, including the exercises released beside a notebook, and archives and wheels within
  archives. A file of a kind that does not belong there is a finding too.
- The search looks for code of references, accepted answers and hidden checks; solution and hidden-test
  regions; model answers, commentary and rubrics; outputs in released notebooks; anything of `autograder`,
  tests or gradebooks.
- Long answers are recognised even when renamed and reformatted (`autograder.build.code_match`). Short ones
  are searched as written, and only where exercises are explained (notebooks, hints, visible checks): the
  library may contain such a line.
- In a notebook every string counts: sources, metadata, attachments. In Python, hints and docstrings count as
  text. In JSON and TOML every string counts, in JSON also one in Base64: nothing is decrypted, so what is
  found could be read without a code.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import re
import textwrap
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.answer_key import AnswerKey, WrittenKey, find_key
from autograder.build.code_match import Forbidden, squeezed, squeezed_body, tree_of
from autograder.paths import KEYS_PACKAGE
from kqa_core.check.model_answers import SUFFIXES
from kqa_core.check.registry import all_exercises

ARCHIVES = {".zip", ".whl"}
# "" is that of LICENSE, METADATA and RECORD
KINDS = {
    ".ipynb",
    ".py",
    ".js",
    ".css",
    ".j2",
    ".txt",
    ".csv",
    ".tsv",
    ".yml",
    ".toml",
    ".md",
    ".json",
    ".typed",
    "",
}
WEIGHTS = ".safetensors"  # a model's: its header is searched as text, the rest is numbers
PLACES = {"autograder", "keys", "tests", "submitted", "autograded", "feedback", "hostile", "sample_class"}
REGIONS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "BEGIN MARK SCHEME")
FENCED = re.compile(r"`{1,3}(?:python|py)?\n?(.*?)`{1,3}", re.DOTALL)
IMPORTS = re.compile(rf"^\s*(?:from|import)\s+(autograder|{KEYS_PACKAGE})\b", re.MULTILINE)
MIN_SENTENCE = 30  # characters of a model answer's or rubric's sentence; shorter ones are too common


def scan(paths: Iterable[Path], keys: Iterable[AnswerKey | WrittenKey] | None = None) -> list[str]:
    """The findings in files, folders and archives, each "FILE: finding". The list should be empty.

    `keys` are the answer keys to look for; by default all keys of the course.
    """
    search = _Search(
        list(keys) if keys is not None else [find_key(exercise.id) for exercise in all_exercises()]
    )
    return [
        f"{name}: {finding}"
        for path in paths
        for name, content in _files(path)
        for finding in search.findings(name, content)
    ]


class _Search:
    def __init__(self, keys: list[AnswerKey | WrittenKey]) -> None:
        self.code = Forbidden()
        self.short: dict[str, str] = {}  # squeezed body -> what it is
        self.sentences: dict[str, str] = {}  # a sentence, normalised -> what it is
        for key in keys:
            if isinstance(key, WrittenKey):
                self._learn_written(key)
            else:
                self._learn(key)

    def _learn(self, key: AnswerKey) -> None:
        for answer in (key.reference, *key.accepted):
            name = (
                f"the reference answer of {key.id}"
                if answer is key.reference
                else f"an accepted answer of {key.id}"
            )
            self.code.add(name, answer)
            text = squeezed_body(answer)
            if text is not None:
                self.short.setdefault(text, name)
        if key.hidden.__module__.startswith((f"{KEYS_PACKAGE}.", "autograder.")):
            self.code.add(f"the hidden check of {key.id}", key.hidden)
        self._learn_text(f"the commentary of {key.id}", key.commentary)

    def _learn_written(self, key: WrittenKey) -> None:
        self._learn_text(f"the model answer of {key.id}", key.model_answer)
        for text in (*(idea for _, idea in key.rubric), *key.misconceptions):
            self._learn_text(f"the rubric of {key.id}", text)

    def _learn_text(self, what: str, text: str) -> None:
        for sentence in re.split(r"(?<=[.!?;:])\s+", text.strip()):
            words = _words(sentence)  # how a key breaks and indents its lines does not count
            if len(words) >= MIN_SENTENCE:
                self.sentences[words] = what

    def findings(self, name: str, content: bytes) -> list[str]:
        path = PurePosixPath(name.rpartition("!")[2])
        findings = []
        if place := next((part for part in path.parts if part in PLACES), None):
            findings.append(f"a file of {place}/, which no student receives")
        if path.suffix == WEIGHTS:
            header = _weights_header(content)
            return (
                [*findings, "not a safetensors file, so it cannot be searched"]
                if header is None
                else findings + self._in_text(header, [], False)
            )
        if path.suffix not in KINDS or path.name.startswith("gradebook"):
            return [*findings, f"a kind of file ({path.suffix or path.name}) that does not belong there"]
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            return [*findings, "not UTF-8 text, so it cannot be searched"]
        if path.suffix == ".ipynb":
            return findings + self._in_notebook(text)
        pieces = STRINGS[path.suffix](text) if path.suffix in STRINGS else []
        explained = bool({"check", "exercises"}.intersection(path.parts)) or path.name.endswith(SUFFIXES)
        return findings + self._in_text("\n".join(pieces or [text]), pieces, explained)

    def _in_notebook(self, text: str) -> list[str]:
        try:
            notebook = json.loads(text)
            cells = notebook["cells"]
            code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        except (ValueError, KeyError, TypeError):
            return ["not a notebook, so it cannot be searched"]
        findings = [f"cell {cell.get('id', '?')} has outputs" for cell in cells if cell.get("outputs")]
        strings = list(_strings(notebook))
        return findings + self._in_text("\n".join(strings), code + strings, short=True)

    def _in_text(self, text: str, code: list[str], short: bool) -> list[str]:
        findings = [f"a region marked {region}" for region in REGIONS if region in text]
        findings += [f"imports {name}" for name in dict.fromkeys(IMPORTS.findall(text))]
        pieces = dict.fromkeys(piece for source in code for piece in (source, *FENCED.findall(source)))
        names = [name for piece in pieces for name in self.code.found_in(textwrap.dedent(piece))]
        words, tight = _words(text), squeezed(text)
        names += [name for sentence, name in self.sentences.items() if sentence in words]
        # Code in prose has no syntax tree, so there an answer is found only with its original names.
        names += [name for body, name in self.short.items() if (short or len(body) > 80) and body in tight]
        return findings + list(dict.fromkeys(names))


def _weights_header(content: bytes) -> str | None:
    """The text header of a safetensors file; None if it is damaged or does not fit the file's length."""
    size = int.from_bytes(content[:8], "little")
    try:
        header = json.loads(content[8 : 8 + size].decode("utf-8"))
        last = max(tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None
    return json.dumps(header) if len(content) == 8 + size + last else None


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every file under `path`, by name and content; a file in an archive is called "archive!member"."""
    if path.is_dir():
        for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
            yield from _opened(str(file.relative_to(path)), file.read_bytes())
    else:
        yield from _opened(path.name, path.read_bytes())


def _opened(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    if PurePosixPath(name).suffix not in ARCHIVES:
        yield name, content
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in sorted(archive.namelist()):
            if not member.endswith("/"):
                yield from _opened(f"{name}!{member}", archive.read(member))


def _strings(value: Any) -> Iterator[str]:
    """Every string in a JSON tree, keys included; a notebook's list of lines counts as one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            yield "".join(value)
        else:
            for item in value:
                yield from _strings(item)


def _python(source: str) -> list[str]:
    """Python code and, if it parses, the strings in it."""
    tree = tree_of(source)
    if tree is None:
        return [source]
    return [
        source,
        *(
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ),
    ]


def _json(text: str) -> list[str]:
    """The strings in JSON, and those that are Base64 of a text, decoded; none if it is not JSON."""
    try:
        strings = list(_strings(json.loads(text)))
    except ValueError:
        return []
    for string in list(strings):
        with contextlib.suppress(ValueError):  # sealed text is no UTF-8
            strings.append(base64.b64decode(string, validate=True).decode())
    return strings


def _toml(text: str) -> list[str]:
    """The strings in TOML, whose lines may be broken anywhere; none if it is not TOML."""
    try:
        return list(_strings(tomllib.loads(text)))
    except ValueError:
        return []


STRINGS: dict[str, Callable[[str], list[str]]] = {".py": _python, ".json": _json, ".toml": _toml}


def _words(text: str) -> str:
    """Text as one line of lower-case words, without markup that does not change its meaning."""
    return " ".join(re.sub(r"[*_`$#>]", "", text).lower().split())
