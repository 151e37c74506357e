"""Answer key of sentence_dataset.

What an answer returns stays beside it, so a mistake is known by its items and not by its value: the sentences of the rejected
answers are those that the check says.
"""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import HERE
from course_exercises.sentence_dataset import asked, drawn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """More sentences, and very few."""
    for count in (12, 3, 30):
        asked(answer, rng, *drawn(rng, count))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One data set."""
    return [(*drawn(rng, 6), Build(f"{HERE}:WordIds", (rng.getrandbits(30),)))]


def sentence_dataset(sentences, labels, encode):
    """The reference."""

    class Sentences:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return encode(sentences[i]), labels[i]

    return Sentences()


def with_its_own_fields(sentences, labels, encode):
    """A class that is told everything, and knows nothing from outside."""

    class Data(torch.utils.data.Dataset):  # type: ignore[type-arg]  # written as students write it
        def __init__(self, pairs, tokenizer):
            self.pairs, self.tokenizer = pairs, tokenizer

        def __len__(self):
            return len(self.pairs)

        def __getitem__(self, number):
            text, label = self.pairs[number]
            return self.tokenizer(text), label

    return Data(list(zip(sentences, labels, strict=True)), encode)


def beforehand(sentences, labels, encode):
    """A list is a data set."""
    return list(zip(map(encode, sentences), labels, strict=True))


def remembering(sentences, labels, encode):
    """Each sentence is tokenized when it is first asked for."""
    known = {}

    class Lazy(list):  # type: ignore[type-arg]  # written as students write it
        def __getitem__(self, index):
            if index not in known:
                known[index] = torch.tensor(encode(super().__getitem__(index)))
            return [known[index], labels[index]]

    return Lazy(sentences)


def two_at_once(sentences, labels, encode):
    """Of torch's own: two data sets side by side."""
    return torch.utils.data.StackDataset(tuple(map(encode, sentences)), labels)  # type: ignore[arg-type]  # any sequence will do


def no_methods(sentences, labels, encode):
    """Return an object with the methods __len__ and __getitem__; a DataLoader asks for nothing else."""
    return ((encode(sentence), label) for sentence, label in zip(sentences, labels, strict=True))


def ids_alone(sentences, labels, encode):
    """An item is a pair (ids, label): first what encode makes of the sentence, then its label."""

    class Ids:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return encode(sentences[i])

    return Ids()


def counts_tokens(sentences, labels, encode):
    """len() of a data set is its number of sentences, each counted as often as it occurs."""

    class Tokens:
        def __len__(self):
            return sum(len(encode(sentence)) for sentence in sentences)

        def __getitem__(self, i):
            return encode(sentences[i]), labels[i]

    return Tokens()


def in_turn(sentences, labels, encode):
    """You hand out the next sentence, whichever is asked for; a DataLoader asks in any order, and again in the next epoch."""
    pairs = iter(list(zip(sentences, labels, strict=True)))

    class Next:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            sentence, label = next(pairs)
            return encode(sentence), label

    return Next()


def round_and_round(sentences, labels, encode):
    """Beyond the last sentence, raise IndexError: a loop over the data set ends there, and ends nowhere else."""

    class Ring:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return encode(sentences[i % len(sentences)]), labels[i % len(sentences)]

    return Ring()


def words_as_they_are(sentences, labels, encode):
    """Your item holds the words; a model reads numbers: hand out what encode makes of the sentence."""

    class Words:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return sentences[i], labels[i]

    return Words()


def by_sentence(sentences, labels, encode):
    """The label is another sentence's: item i is sentence i with label i, whatever else you sort or drop."""
    known = dict(zip(sentences, labels, strict=True))  # a sentence that occurs twice has only its last label left

    class Known:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return encode(sentences[i]), known[sentences[i]]

    return Known()


def sorted_by_length(sentences, labels, encode):
    """The ids are another sentence's, or not all of them: item i is what encode makes of sentence i, whole."""
    ordered = sorted(zip(sentences, labels, strict=True), key=lambda pair: (len(pair[0]), pair[0]))

    class Ordered:
        def __len__(self):
            return len(ordered)

        def __getitem__(self, i):
            return encode(ordered[i][0]), ordered[i][1]

    return Ordered()


def cut_short(sentences, labels, encode):
    """The ids are another sentence's, or not all of them: item i is what encode makes of sentence i, whole."""

    class Cut:
        def __len__(self):
            return len(sentences)

        def __getitem__(self, i):
            return encode(sentences[i])[1:-1], labels[i]

    return Cut()


KEY = AnswerKey(
    id="sentence_dataset",
    hidden=hidden,
    reference=sentence_dataset,
    accepted=(with_its_own_fields, beforehand, remembering, two_at_once),
    rejected=(
        *(no_methods, ids_alone, counts_tokens, in_turn, round_and_round, words_as_they_are, by_sentence),
        *(sorted_by_length, cut_short),
    ),
    fingerprint=fingerprint,
)
