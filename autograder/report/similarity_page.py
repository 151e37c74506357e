"""The page of `kqa course similar`: the pairs, with both answers side by side.

- First what it is not: proof. Last how to read it: what was left out, and why a pair is shown.
- Lines that hold something shared are marked, by a bar beside them as well as by their ground.
"""

from __future__ import annotations

from autograder.report.html import escape, page, table
from autograder.report.similarity import DISCOUNT, FALSE_ALARMS, OWN_CODE, OWN_PROSE, QUARTER_FROM, Answer, Pair, Similar
from autograder.report.winnowing import WORDS, K

WARNING = (
    "<p><strong>Similarity is not proof.</strong> People who share a teacher, a textbook or an idea write alike, and two who "
    "were allowed to work together did nothing wrong. Read both answers, and talk to both students, before you conclude "
    "anything.</p>"
)
SMALL = f"""<p>This class has fewer than {QUARTER_FROM} students. Among so few it can hardly be told how common an
answer is, so a pair says less.</p>"""


def similar_page(found: Similar) -> str:
    """All of it, as HTML."""
    body = [f"<h1>{escape(found.assignment)}: answers that are alike</h1>", WARNING]
    count = f"{len(found.pairs)} pair{'s' * (len(found.pairs) != 1)}"
    body.append(f"<p>{count} worth a look among {found.students} students, at a similarity of {found.at:g} or more.</p>")
    if found.students < QUARTER_FROM:
        body.append(SMALL)
    if found.pairs:
        head = ("exercise", "students", "similarity", "shared", "surprise", "others who wrote the like")
        body.append(table(head, [_row(i, pair) for i, pair in enumerate(found.pairs)], numbers=(2, 3, 4, 5)))
    body += [_side_by_side(i, pair) for i, pair in enumerate(found.pairs)]
    return page(f"{found.assignment}: answers that are alike", "".join([*body, _compared(found), _method(found)]))


def _row(number: int, pair: Pair) -> list[str]:
    who = f"{escape(pair.first.student)}, {escape(pair.second.student)}"
    shared = f"{pair.shared} {_unit(pair)}"
    return [
        *(f'<a href="#pair-{number}">{escape(pair.exercise)}</a>', who, f"{pair.similarity:.0%}", shared),
        *(f"{pair.bits:.0f} bits", str(pair.others)),
    ]


def _unit(pair: Pair) -> str:
    return "words" if pair.first.text.k == WORDS else "tokens"


def _side_by_side(number: int, pair: Pair) -> str:
    sides = zip((pair.first, pair.second), pair.lines, strict=True)
    return (
        f'<h3 id="pair-{number}">{escape(pair.exercise)}: {escape(pair.first.student)} and {escape(pair.second.student)}, '
        f'{pair.similarity:.0%}</h3><div class="two">{"".join(_source(answer, lines) for answer, lines in sides)}</div>'
    )


def _source(answer: Answer, lines: frozenset[int]) -> str:
    """An answer; the lines that hold something shared are marked."""
    shown = "".join(
        f'<span class="line{" mark" if i in lines else ""}">{escape(line)}</span>'
        for i, line in enumerate(answer.source.split("\n"))
    )
    return f'<div><p class="quiet">{escape(answer.student)}</p><pre>{shown}</pre></div>'


def _compared(found: Similar) -> str:
    head = ("exercise", "answer cells", "long enough", "pairs alike but common", "pairs alike but no surprise")
    rows = [
        [escape(each.name), str(each.handed_in), str(each.compared), str(each.common or "–"), str(each.expected or "–")]
        for each in found.exercises
    ]
    return f"<h2>What was compared</h2>{table(head, rows, numbers=(1, 2, 3, 4))}"


def _method(found: Similar) -> str:
    rules = (
        f"Compared are runs of {K} tokens of code, names, numbers, comments and layout aside, and of {WORDS} words.",
        "Not counted: what the notebook gave, what the answer key knows (answers, right and wrong, that people come upon alone), "
        f"and in a class of {QUARTER_FROM} or more what more than a quarter of it wrote.",
        f"Too short to tell: code with fewer than {OWN_CODE} tokens of its own (five or six lines), prose with fewer than "
        f"{OWN_PROSE} words. That leaves out whole exercises.",
        "Alike but common: more than 3 others, and more than a twentieth of the class, wrote the like.",
        "Surprise: by a model of what was given and of what the key knows, two strangers would both write the shared part once "
        "in 2<sup>bits</sup>. It grows with length, and falls the more of it is known.",
        f"A pair is shown above {found.needed:.0f} bits. That is {DISCOUNT} times what leaves {FALSE_ALARMS:g} false alarms in a "
        "class of this size if the model were true: people with the same idea are no strangers, so a quarter of it is believed.",
    )
    return f"<h2>How to read this</h2><ul>{''.join(f'<li>{rule}</li>' for rule in rules)}</ul>"
