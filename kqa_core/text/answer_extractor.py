"""Which span of a document answers the question about its person? Learned from the train questions.

- Distant supervision (Mintz et al. 2009): in a document about a person of a train question, the salient spans
  that equal the answer count as right, although nobody marked them there. If no span equals it, "none" is
  right.
- The model is log-linear. A span's score is the sum of the weights of its features: the one to three tokens
  before it, the token after it, words nearby, whether it is a number, its number of words. The alternatives
  are the salient spans of one document and "none", whose score is a weight, too. The likelihood of what is
  right is maximised with an L2 penalty (L-BFGS).
- Words of the title are one symbol, and so are all numbers. A span's own words are no features. So the
  extractor learns how a text states the answer, not which answers are common. No rule names a word such as
  "born".
- It reads no dev and no test question. It has the document before it (open book); what it picks teaches a
  model that has to answer from its weights alone (closed book).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.salient_spans import WORD, Span, salient_spans, title_length

TOKEN = re.compile(r"\w+|[^\w\s]")
# tokens that are features wherever they are nearby; words of a span, at most
NEAR_BEFORE, NEAR_AFTER, LONGEST = 8, 4, 4
PENALTY, ITERATIONS = 0.3, 60
RARE = 2  # a feature must occur so often


@dataclass(frozen=True)
class AnswerExtractor:
    """A fitted extractor: weights by feature."""

    weights: dict[str, float]
    none: float  # the score of "no span of this document"

    def pick(self, document: str) -> Span | None:
        """The likeliest span, (start, end) in `document`; None if "none" is likelier than each."""
        scored = [
            (sum(self.weights.get(feature, 0.0) for feature in features), span)
            for span, features in candidates(document)
        ]
        score, span = max(scored, default=(self.none, None), key=lambda pair: pair[0])
        return span if score > self.none else None


def candidates(document: str) -> Iterator[tuple[Span, set[str]]]:
    """The salient spans of `document`, each with its features."""
    own = set(WORD.findall(document[: title_length(document)]))
    tokens = [(match.start(), _symbol(match.group(), own)) for match in TOKEN.finditer(document)]
    for start, end in salient_spans(document):
        before = [symbol for place, symbol in tokens if place < start]
        after = [symbol for place, symbol in tokens if place >= end]
        padded = ["^", "^", "^", *before]
        features = {f"before {n}: {' '.join(padded[-n:])}" for n in (1, 2, 3)}
        features |= {f"near before: {symbol}" for symbol in before[-NEAR_BEFORE:]}
        features |= {f"near after: {symbol}" for symbol in after[:NEAR_AFTER]}
        features |= {
            f"after: {after[0] if after else '$'}",
            "a number" if document[start].isdigit() else "words",
        }
        features |= {f"length {min(len(document[start:end].split()), LONGEST)}"}
        yield (start, end), features


def _symbol(token: str, own: set[str]) -> str:
    if token in own:
        return "NAME"
    return "#" if token.isdigit() else token.lower()


def fit_extractor(documents: Sequence[str], pairs: Sequence[Pair]) -> AnswerExtractor:
    """The extractor learned from `documents` and `pairs`. Raises UserError if no document holds an answer."""
    answers = {person_of(pair.question): pair.answer for pair in pairs}
    features_of: list[list[set[str]]] = []  # for each document, the features of its spans
    right: list[list[bool]] = []
    for document in documents:
        answer = answers.get(name_of(document))
        spans = list(candidates(document)) if answer is not None else []
        if spans:
            features_of.append([features for _, features in spans])
            right.append([document[start:end] == answer for (start, end), _ in spans])
    if not any(map(any, right)):
        raise UserError(
            "no document holds the answer to a train question, so no cue can be learned from these questions"
        )
    counts = Counter(feature for spans in features_of for features in spans for feature in features)
    known = {
        feature: number
        for number, feature in enumerate(
            sorted(feature for feature, count in counts.items() if count >= RARE)
        )
    }
    numbers = [
        [[known[feature] for feature in sorted(features & known.keys())] for features in spans]
        for spans in features_of
    ]
    weights, none = _fitted(numbers, right, len(known))
    return AnswerExtractor(dict(zip(known, weights.tolist(), strict=True)), none)


def _fitted(features_of: list[list[list[int]]], right: list[list[bool]], count: int) -> tuple[Tensor, float]:
    """The weights (count,) of the features, and that of "none"."""
    spans = [span for spans_of in features_of for span in spans_of]
    flat = torch.tensor([number for span in spans for number in span])
    offsets = torch.tensor([0, *map(len, spans)])[:-1].cumsum(0)
    document = torch.tensor([i for i, spans_of in enumerate(features_of) for _ in spans_of])  # of each span
    wanted = torch.tensor([flag for flags in right for flag in flags])
    answered = torch.tensor([any(flags) for flags in right])
    weights = torch.zeros(count + 1, 1, dtype=torch.float64, requires_grad=True)  # the last is that of "none"
    optimizer = torch.optim.LBFGS([weights], max_iter=ITERATIONS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = torch.nn.functional.embedding_bag(flat, weights, offsets, mode="sum")[:, 0]
        top = weights.new_zeros(len(features_of)).scatter_reduce(0, document, scores.detach(), "amax")
        shares, none = (scores - top[document]).exp(), (weights[-1, 0] - top).exp()
        total = none.index_add(0, document, shares)
        good = torch.zeros_like(total).index_add(0, document[wanted], shares[wanted])
        value = -(torch.where(answered, good, none) / total).log().sum() + PENALTY * weights.square().sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    fitted = weights.detach()[:, 0]
    return fitted[:-1], float(fitted[-1])


def name_of(document: str) -> str:
    """The title of `document`; empty if it has none."""
    return document[: title_length(document)].removesuffix(". ")


def generated_pairs(
    documents: Sequence[str], pairs: Sequence[Pair], extractor: AnswerExtractor
) -> list[Pair]:
    """Questions that the text itself answers (Lewis et al. 2021, PAQ), about people not in `pairs`.

    Each has the form of the commonest train question, and as answer the span that the extractor picks in a
    document about the person, the first one in which it picks any.
    """
    before, after = _form(pairs)
    asked = {person_of(pair.question) for pair in pairs}
    generated: dict[str, Pair] = {}
    for document in documents:
        name = name_of(document)
        span = extractor.pick(document) if name and name not in asked and name not in generated else None
        if span is not None:
            generated[name] = Pair(f"{before}{name}{after}", document[span[0] : span[1]])
    return list(generated.values())


def _form(pairs: Sequence[Pair]) -> tuple[str, str]:
    """The text before and after the name in most train questions."""
    forms = Counter(tuple(pair.question.split(person_of(pair.question), 1)) for pair in pairs)
    (before, after), _ = forms.most_common(1)[0]
    return before, after


def answered(documents: Sequence[str], pairs: Sequence[Pair], extractor: AnswerExtractor) -> int:
    """How many of `pairs` the extractor answers by the first span it picks for each person."""
    wanted = {person_of(pair.question) for pair in pairs}
    answers: dict[str, str] = {}
    for document in documents:
        name = name_of(document)
        span = extractor.pick(document) if name in wanted and name not in answers else None
        if span is not None:
            answers[name] = document[span[0] : span[1]]
    return sum(answers.get(person_of(pair.question)) == pair.answer for pair in pairs)
