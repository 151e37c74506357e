"""Salient-span masking: mask a name, place or number (after Guu et al. 2020, REALM, section 3.4).

A row is short and has one prediction target:

    Title. words before ⁇words after⁇masked span⁇ □ … □      x = row[:-1], y = row[1:], □ in y up to the span

- A rule that uses no question and no answer finds the salient spans: the longest sequences of capitalised
  words, and numbers. They are outside the title, not at the start of the sentence after it, and contain no
  word of the title, because questions do not ask for the name. So "New York City" is one span, "April" is
  one, "1920" is one.
- The title, up to its first ". ", is always in the row: it is the name of the person. Around the masked span
  there are whole words; their number of characters is drawn from 0 up to the room in a row of `width`, and
  divided at random between left and right. A row without words around the span is like a question: the model
  has to recall the fact from the name alone.
- The loss is on the masked span and the closing ⁇ only (one row is about one fact, as a question is), or on
  every character.
- One span of a document may be preferred: it is masked with probability `cue_probability`. Recipe `best`
  prefers the span that the train questions show to be asked for (`answer_extractor`). Results are reported
  with and without it.
- As in `span_corruption`, a row is a function of (seed, step, document) only, and a batch is a gather.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.text.span_corruption import LOW, below, philox
from kqa_core.text.vocabulary import Vocabulary

STREAM = 0x73616C69  # separates these random numbers from others with the same seed
Span = tuple[int, int]  # start and end in a document
WORD = re.compile(r"[\w'’-]+")
# "J. R. Bell. " ends after Bell: a single letter before the full stop is an initial
TITLE_END = re.compile(r"(?<!\b\w)\. ")


def title_length(document: str) -> int:
    """The number of characters of the title with its ". "; 0 if there is none."""
    title = TITLE_END.search(document)
    return title.end() if title else 0


def salient_spans(document: str) -> list[Span]:
    """Sequences of capitalised words, and numbers, in `document` outside its title: (start, end) pairs.

    >>> salient_spans("Ada Bell. Bell was born in New York in 1920 .")
    [(27, 35), (39, 43)]
    """
    start = title_length(document)
    own = set(WORD.findall(document[:start]))
    spans: list[Span] = []
    for match in WORD.finditer(document, start):
        word, first, last = match.group(), match.start(), match.end()
        number, capital = word.isdigit(), word[0].isupper()
        if first == start or word in own or not (number or capital):
            continue
        if (
            spans
            and capital
            and document[spans[-1][1] : first] == " "
            and not document[spans[-1][0]].isdigit()
        ):
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return spans


class SalientTable:
    """Documents concatenated, with their salient spans, as tensors. Raises UserError for no documents.

    `flat` (characters,); per document (N,): `offsets`, `lengths`, `titles` (lengths), `first` and `count` of
    its spans, the `preferred` one (or −1); per span (R,): `starts`, `ends` in flat; per character:
    `word_from`, the next word's start, and `word_to`, the last word's end.
    """

    def __init__(
        self,
        documents: Sequence[str],
        vocabulary: Vocabulary,
        block_size: int,
        preferred: Sequence[Span | None] | None = None,
        any_word: bool = False,
    ) -> None:
        """`preferred`: one span of each document, or None. With `any_word`, every word is a span."""
        if not documents:
            raise UserError("a table of documents needs at least one document")
        self.vocabulary, self.block_size = vocabulary, block_size
        offsets, titles, first, count, chosen = [], [], [], [], []
        starts: list[int] = []
        ends: list[int] = []
        word_from: list[int] = []
        word_to: list[int] = []
        offset = 0
        for document, wanted in zip(documents, preferred or [None] * len(documents), strict=True):
            title = title_length(document)
            title = title if title <= block_size // 2 else 0  # longer: not a name
            longest = block_size - title - 3  # besides the title and three ⁇
            masked = words_of(document, wanted) if any_word else salient_spans(document)
            spans = [span for span in masked if span[1] - span[0] <= longest]
            if not spans:  # mask the last word
                words = [match.span() for match in re.finditer(r"\S+", document)] or [(0, len(document))]
                spans = [(max(words[-1][0], words[-1][1] - longest), words[-1][1])]
            offsets.append(offset)
            titles.append(title)
            first.append(len(starts))
            count.append(len(spans))
            chosen.append(spans.index(wanted) if wanted in spans else -1)
            starts.extend(offset + start for start, _ in spans)
            ends.extend(offset + end for _, end in spans)
            word_from.extend(_next_start(document, offset))
            word_to.extend(_last_end(document, offset))
            offset += len(document)
        # the last one is never used
        self.flat = torch.tensor([*vocabulary.encode("".join(documents)), vocabulary.pad_index])
        self.offsets, self.titles = torch.tensor(offsets), torch.tensor(titles)
        self.lengths = torch.tensor([len(document) for document in documents])
        self.first, self.count = torch.tensor(first), torch.tensor(count)
        self.preferred = torch.tensor(chosen)
        self.starts, self.ends = torch.tensor(starts), torch.tensor(ends)
        self.word_from, self.word_to = torch.tensor([*word_from, offset]), torch.tensor([*word_to, offset])

    def __len__(self) -> int:
        return len(self.offsets)


def words_of(document: str, whole: Span | None = None) -> list[Span]:
    """The words of `document` outside its title; `whole` instead of the words in it, if it is given."""
    words = [match.span() for match in WORD.finditer(document, title_length(document))]
    if whole is None:
        return words
    return sorted([whole, *(word for word in words if word[1] <= whole[0] or whole[1] <= word[0])])


def _next_start(document: str, offset: int) -> list[int]:
    """For each character, the start of the first word from there on (or the document's end)."""
    out, following = [0] * len(document), len(document)
    for i in reversed(range(len(document))):
        if document[i] != " " and (i == 0 or document[i - 1] == " "):
            following = i
        out[i] = offset + following
    return out


def _last_end(document: str, offset: int) -> list[int]:
    """For each character, the end of the last word up to there (or the document's start)."""
    out, last = [0] * len(document), 0
    for i in range(len(document)):
        if i and document[i] == " " and document[i - 1] != " ":
            last = i
        out[i] = offset + last
    return out


def salient_batch(
    table: SalientTable,
    rows: Tensor,
    seed: int,
    step: int,
    width: int = 56,
    cue_probability: float = 0.0,
    loss: Literal["row", "span"] = "span",
) -> tuple[Tensor, Tensor]:
    """Mask one span in each of the documents `rows` (B,) int64: x and y, int64 (B, longest row − 1).

    `width` is the largest number of characters of a row, if its title and span are shorter. `cue_probability`
    is the probability of the table's preferred span, if there is one; otherwise every span of the document is
    equally likely. `loss` says whether y has targets in the whole row, or in the masked span alone.
    """
    # (4, B)
    counter = torch.stack(
        (rows & LOW, rows >> 32, torch.full_like(rows, step & LOW), torch.full_like(rows, STREAM))
    )
    bits = philox(counter, seed)
    chosen = below(bits[0], table.count[rows])  # (B,)
    preferred = table.preferred[rows]
    chosen = torch.where((preferred >= 0) & (bits[1] < int(cue_probability * 2**32)), preferred, chosen)
    span = table.first[rows] + chosen
    start, end, title, offset = table.starts[span], table.ends[span], table.titles[rows], table.offsets[rows]
    hidden = end - start
    stop = offset + table.lengths[rows]  # where the document ends

    room = below(bits[3], (width - title - hidden - 3).clamp(min=0) + 1)
    before, after = start - (offset + title), stop - end  # what there is, left and right
    left = below(bits[2], room + 1)
    # room that one side cannot use goes to the other
    left = torch.maximum(torch.minimum(left, before.clamp(min=0)), room - after)
    left = torch.minimum(left, before.clamp(min=0))
    from_ = torch.minimum(table.word_from[start - left], start)  # whole words only
    left = start - from_
    to = torch.minimum(end + room - left, stop)
    to = torch.maximum(
        torch.where(to == stop, stop, table.word_to[to.clamp(max=len(table.word_to) - 1)]), end
    )
    right = to - end

    first, second = title + left, title + left + 1 + right  # the positions of the first and the second ⁇
    third = second + 1 + hidden
    width_now = int(third.max()) + 1
    place = torch.arange(width_now, device=rows.device)  # (W,)
    first, second, third = first[:, None], second[:, None], third[:, None]
    source = torch.where(
        place < title[:, None],
        offset[:, None] + place,
        torch.where(
            place < first,
            (from_ - title)[:, None] + place,
            torch.where(
                place < second, end[:, None] + place - first - 1, start[:, None] + place - second - 1
            ),
        ),
    )  # (B, W): the index of each character in flat
    row = table.flat[source.clamp(min=0, max=len(table.flat) - 1)]
    row = row.masked_fill(
        (place == first) | (place == second) | (place == third), table.vocabulary.mask_index
    )
    row = row.masked_fill(place > third, table.vocabulary.pad_index)
    y = row if loss == "row" else row.masked_fill(place <= second, table.vocabulary.pad_index)
    return row[:, :-1], y[:, 1:]
