"""Import a corpus, such as the original assignment's.

- The four files are normalised: UTF-8 without byte-order mark, line feeds, one at the end, no spaces around a
  field, no tab in a document.
- If a file cannot be normalised, the error names the file and the line, and nothing is written.
- One question with two answers gives a note, not an error: the original's training set has nine, from two
  people with one name each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.files import write_together
from kqa_core.text.birthplaces import QUESTION, Pair, pairs_of, person_of
from kqa_core.text.corpus import DEV, DOCUMENTS, TEST, TRAIN, read_text, with_all_files


def import_corpus(source: str | Path, target: str | Path) -> list[str]:
    """Normalise the four files of `source` and write them to `target`, all or none. Returns notes."""
    source = with_all_files(Path(source))
    notes: list[str] = []
    files = {DOCUMENTS: _documents(source / DOCUMENTS, notes)}
    for name in (TRAIN, DEV, TEST):
        files[name] = _pairs(source / name, answered=name != TEST, notes=notes)
    write_together(target, files)
    return notes


def _documents(path: Path, notes: list[str]) -> str:
    lines = read_text(path).rstrip("\n").split("\n")
    cleaned = [" ".join(line.split("\t")).rstrip() for line in lines]
    tabs = sum("\t" in line for line in lines)
    empty = sum(not line for line in cleaned)
    if empty == len(cleaned):
        raise UserError(f"{path}: one document a line was expected, the file holds none")
    for special in "□⁇":
        for number, line in enumerate(cleaned, 1):
            if special in line:
                raise UserError(
                    f"{path}, line {number}: holds {special} (U+{ord(special):04X}), which the model uses as"
                    " a special character"
                )
    if tabs:
        notes.append(f"{path.name}: tabs in {tabs} lines became spaces")
    if empty:
        notes.append(f"{path.name}: {empty} empty lines removed")
    return "".join(f"{line}\n" for line in cleaned if line)


def _pairs(path: Path, answered: bool, notes: list[str]) -> str:
    lines = read_text(path).rstrip("\n").split("\n")
    clean = [
        "\t".join(field.strip() for field in (line if answered else line.rstrip("\t")).split("\t"))
        for line in lines
    ]
    pairs = pairs_of("\n".join(clean), str(path), answered)
    notes.extend(_notes(path.name, pairs))
    return "".join(f"{line}\n" for line in clean)


def _notes(name: str, pairs: Sequence[Pair]) -> list[str]:
    lines: dict[str, list[int]] = defaultdict(list)
    answers: dict[str, set[str | None]] = defaultdict(set)
    for number, pair in enumerate(pairs, 1):
        lines[pair.question].append(number)
        answers[pair.question].add(pair.answer)
    notes = []
    several = [question for question in lines if len(answers[question]) > 1]
    if several:
        where = " and ".join(map(str, lines[several[0]]))
        what = (
            f"questions occur more than once with different answers (lines {where}: {person_of(several[0])})"
        )
        notes.append(f"{name}: {len(several)} {what}; kept, as two people may share a name")
    oddly = sum(person_of(pair.question) == pair.question for pair in pairs)
    if oddly:
        notes.append(f"{name}: {oddly} questions do not have the form {QUESTION[0]}NAME{QUESTION[1]}; kept")
    return notes
