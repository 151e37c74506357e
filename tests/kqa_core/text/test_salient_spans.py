"""Salient rows: what may be hidden, and that a row is the document, rearranged."""

from __future__ import annotations

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.text.salient_spans import SalientTable, salient_batch, salient_spans, title_length
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.text.world.generator import make_world

DOCUMENTS = [
    *make_world("tiny").documents,
    "Ada Bell. Bell was born on 3 May 1900 in New York, not in Bath .",
    "J. R. Öz. Öz wrote nothing",
    "no title here",
    "x",
    (
        "A long title of more than half of the block, which no person on this earth ever had as a name. Born"
        " in Rome ."
    ),
]
VOCABULARY = Vocabulary.from_text("".join(DOCUMENTS))
BLOCK = 128


@pytest.mark.parametrize(
    ("document", "runs"),
    [
        ("Ada Bell. Bell was born in New York in 1920 .", ["New York", "1920"]),
        # not the first word, not her own name
        ("Ada Bell. Born in Bath, Bell died in Rome.", ["Bath", "Rome"]),
        ("J. R. Öz. He met Élodie-Marie O'Neil.", ["Élodie-Marie O'Neil"]),
        ("Ada Bell. She came from 3 May 1900.", ["3", "May", "1900"]),
        ("Ada Bell. nothing at all", []),
        ("No title. here Rome", ["Rome"]),
        ("no title here Rome", ["Rome"]),
        ("", []),
    ],
)
def test_runs_of_capitals_and_digits_are_found_outside_the_title(document: str, runs: list[str]) -> None:
    assert [document[start:end] for start, end in salient_spans(document)] == runs


def test_a_title_ends_at_a_full_stop_that_is_no_initials() -> None:
    assert title_length("J. R. Bell. He sang. Often.") == len("J. R. Bell. ")
    assert title_length("no full stop") == 0


@pytest.fixture(scope="module")
def table() -> SalientTable:
    place = DOCUMENTS[-5].index("New York")
    preferred = [None] * (len(DOCUMENTS) - 5) + [(place, place + len("New York")), (0, 1), None, None, None]
    return SalientTable(DOCUMENTS, VOCABULARY, BLOCK, preferred)


@pytest.mark.parametrize("cue_probability", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("width", [8, 40, 100])
def test_every_row_is_its_document_rearranged(
    table: SalientTable, width: int, cue_probability: float
) -> None:
    rows = torch.arange(len(DOCUMENTS))
    for step in range(20):
        x, y = salient_batch(table, rows, seed=1, step=step, width=width, cue_probability=cue_probability)
        assert x.shape == y.shape and x.shape[1] <= BLOCK - 1
        for number, (given, target) in enumerate(zip(x, y, strict=True)):
            document, title = DOCUMENTS[number], title_length(DOCUMENTS[number])
            title = title if title <= BLOCK // 2 else 0
            answer = VOCABULARY.decode(target.tolist()).replace("□", "")
            assert answer.endswith("⁇")
            hidden = answer[:-1]
            row = VOCABULARY.decode(given.tolist()).rstrip("□").removesuffix("⁇")
            shown, right, end = row.split("⁇")
            left = shown.removeprefix(document[:title])
            assert end == hidden
            assert shown.startswith(document[:title])
            assert left + hidden + right in document[title:], (
                "words left and right stand about the hidden ones"
            )
            if hidden and document[title:] != hidden:
                start = document.index(left + hidden + right, title)
                assert start == 0 or document[start - 1] == " " or not left, "whole words on the left"
                after = document[start + len(left + hidden + right) :]
                assert not right or not after or after[0] == " ", "whole words on the right"
            assert len(row) + 1 <= max(width, title + len(hidden) + 3), (
                "no longer than asked for, but for title and hidden words"
            )


def test_the_loss_is_on_the_hidden_words_and_the_closing_mark_only(table: SalientTable) -> None:
    x, y = salient_batch(table, torch.arange(len(DOCUMENTS)), seed=0, step=0)
    for given, target in zip(x, y, strict=True):
        places = target.nonzero()[:, 0]
        assert torch.equal(places, torch.arange(int(places[0]), int(places[-1]) + 1)), "one stretch"
        assert torch.equal(target[places[:-1]], given[places[1:]]), "shifted by one"


def test_the_loss_may_be_on_the_whole_row(table: SalientTable) -> None:
    rows = torch.arange(len(DOCUMENTS))
    (x, y), (same, masked) = salient_batch(table, rows, 0, 0, loss="row"), salient_batch(table, rows, 0, 0)
    assert (
        torch.equal(x, same)
        and torch.equal(y[:, :-1], x[:, 1:])
        and torch.equal(y[masked > 0], masked[masked > 0])
    )


@pytest.mark.slow
def test_any_word_may_be_masked_and_the_preferred_span_stays_whole() -> None:
    document = DOCUMENTS[-5]
    place = document.index("New York")
    words = SalientTable([document], VOCABULARY, BLOCK, [(place, place + 8)], any_word=True)
    batches = (salient_batch(words, torch.tensor([0]), 0, step)[1][0] for step in range(400))
    assert {VOCABULARY.decode(y.tolist()).strip("□⁇") for y in batches} == {
        *("Bell", "was", "born", "on", "3", "May", "1900", "in", "New York", "not", "Bath")
    }


@pytest.mark.slow
def test_what_is_hidden_follows_the_cue_probability(table: SalientTable) -> None:
    number = len(DOCUMENTS) - 5  # runs: 3, May, 1900, New York, Bath
    hidden = [
        VOCABULARY.decode(
            salient_batch(table, torch.tensor([number]), 0, step, cue_probability=p)[1][0].tolist()
        ).strip("□⁇")
        for p in (0.0, 0.5, 1.0)
        for step in range(400)
    ]
    assert set(hidden[:400]) == {"3", "May", "1900", "New York", "Bath"}
    assert set(hidden[800:]) == {"New York"}
    # preferred with 0.5, else one of five: p = 0.6. The steps are fixed, so this passes or fails for good;
    # five standard deviations of Binomial(400, 0.6) are 49 (a random draw would fail in 6e-7 of cases).
    assert abs(hidden[400:800].count("New York") - 240) <= 49


def test_a_row_is_a_function_of_seed_step_and_document(table: SalientTable) -> None:
    alone = salient_batch(table, torch.tensor([5]), 3, 7)[0][0]
    among = salient_batch(table, torch.tensor([2, 9, 5]), 3, 7)[0][2]
    assert torch.equal(alone, among[: len(alone)])
    # padding (and the closing mark that a row of its own length cuts off)
    assert among[len(alone) :].le(1).all()
    others = [salient_batch(table, torch.tensor([5]), seed, step)[0] for seed, step in ((3, 8), (4, 7))]
    assert any(other.shape[1] != len(alone) or not torch.equal(other[0], alone) for other in others)


def test_some_rows_show_nothing_around_the_hidden_words(table: SalientTable) -> None:
    number = len(DOCUMENTS) - 5
    shown = {
        VOCABULARY.decode(salient_batch(table, torch.tensor([number]), 0, step)[0][0].tolist())
        for step in range(300)
    }
    assert any(row.startswith("Ada Bell. ⁇⁇") for row in shown)


def test_no_documents_make_no_table() -> None:
    with pytest.raises(UserError, match="at least one document"):
        SalientTable([], VOCABULARY, BLOCK)
