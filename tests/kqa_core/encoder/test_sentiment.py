"""The corpus: does each label follow from its sentence, and is the text for pretraining other text?"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from kqa_core.encoder import review_grammar, weak_labels
from kqa_core.encoder.sentiment import (
    KINDS,
    NEGATIVE_VERDICTS,
    POSITIVE_VERDICTS,
    SEED,
    SHARES,
    SIZES,
    draw_example,
    make_sentiment,
    read_sentiment,
    reviews,
    write_sentiment,
)
from kqa_core.encoder.weak_labels import ENCODERS, recorded_verdicts, weak_label
from kqa_core.errors import UserError
from kqa_core.text.packaged import shipped

FOLDER = shipped("sentiment")
NEGATION = re.compile(r"\b(not|never|hardly|rarely|seldom|far from|by no means)\b")
STRONG, WEAK = (
    re.compile(rf"\b({'|'.join(words.words)})\b") for words in (review_grammar.STRONG, review_grammar.WEAK)
)
POLARITY = {
    word: sentiment
    for sentiment, lexicon in enumerate((review_grammar.NEGATIVE, review_grammar.POSITIVE))
    for use in lexicon
    for word in use.words
}
OPINION = re.compile(rf"\b({'|'.join(sorted(POLARITY, key=len, reverse=True))})\b")


def sentiment(clause):
    """What a clause says, read by the rules and not by how it was made: 1 or 0."""
    (word,) = OPINION.findall(clause)
    return POLARITY[word] ^ bool(NEGATION.search(clause))


def read(sentence):
    """The label of a sentence, by the rules that the corpus states."""
    text = sentence.removesuffix(" .")
    for opening in review_grammar.OPENINGS.words:
        text = text.removeprefix(f"{opening} , ")
    if " , but " in text:
        return sentiment(text.partition(" , but ")[2])
    if text.startswith("although "):
        return sentiment(text.partition(" , ")[2])
    if " , although " in text:
        return sentiment(text.partition(" , although ")[0])
    clauses = text.split(" and ")
    minds = {sentiment(clause) for clause in clauses}
    if len(minds) == 1:
        return minds.pop()
    strong, weak = (
        next(clause for clause in clauses if pattern.search(clause)) for pattern in (STRONG, WEAK)
    )
    assert strong != weak
    return sentiment(strong)


def everything(data):
    return [*data.train, *data.validation, *data.test]


def test_the_shipped_files_are_made_again_byte_for_byte(corpus, tmp_path):
    write_sentiment(corpus, tmp_path)
    for name in SIZES:
        assert (tmp_path / f"{name}.tsv").read_bytes() == (FOLDER / f"{name}.tsv").read_bytes()
    assert read_sentiment(FOLDER) == corpus == make_sentiment(SEED)


def test_another_seed_makes_another_corpus(corpus):
    other = make_sentiment(SEED + 1)
    assert len(other.test) == len(corpus.test) and other.test != corpus.test


def test_every_label_follows_from_its_sentence(corpus):
    assert [each.sentence for each in everything(corpus) if read(each.sentence) != each.label] == []


def test_splits_have_their_sizes_are_balanced_and_share_no_sentence(corpus):
    for split, size in zip((corpus.train, corpus.validation, corpus.test), SIZES.values(), strict=True):
        assert len(split) == size and sum(each.label for each in split) == size // 2
    sentences = [each.sentence for each in everything(corpus)]
    assert len(set(sentences)) == len(sentences) == sum(SIZES.values())


def test_labels_come_in_no_order(corpus):
    labels = [each.label for each in corpus.train]
    changes = sum(a != b for a, b in pairwise(labels))
    assert abs(changes / len(labels) - 0.5) < 0.03  # 5 standard errors


def test_kinds_have_their_shares_with_either_label():
    drawn = [draw_example(Random(seed), seed % 2) for seed in range(4_000)]
    counts = Counter(each.kind for each in drawn)
    for kind, share in zip(KINDS, SHARES, strict=True):
        assert abs(counts[kind] / len(drawn) - share) < 5 * (share * (1 - share) / len(drawn)) ** 0.5
        assert abs(sum(each.label for each in drawn if each.kind == kind) / counts[kind] - 0.5) < 0.15


def test_either_clause_of_a_contrast_may_count(corpus):
    texts = [each.sentence for each in corpus.train if each.kind == "contrast"]
    assert min(sum(part in text for text in texts) for part in (" , but ", " , although ")) > 200
    assert sum("although " in text and " , although " not in text for text in texts) > 200


def test_reviews_hold_no_labelled_sentence_and_each_is_of_one_mind(corpus):
    labelled = {each.sentence for each in everything(corpus)}
    verdicts = {
        text: sentiment
        for sentiment, words in enumerate((NEGATIVE_VERDICTS, POSITIVE_VERDICTS))
        for text in words.words
    }
    made = reviews(seed=3, count=400)
    for review in made:
        sentences = [f"{part} ." for part in review.removesuffix(" .").split(" . ")]
        assert not labelled & set(sentences)
        said = [verdicts.get(part.removesuffix(" .")) for part in sentences]
        (verdict,) = [each for each in said if each is not None]
        assert {read(part) for part, each in zip(sentences, said, strict=True) if each is None} == {verdict}
    assert made == reviews(seed=3, count=400) != reviews(seed=4, count=400)
    first = corpus.train[0].sentence
    assert not any(first in review for review in made)


def test_the_labelled_sentences_hold_no_verdict(corpus):
    verdicts = [f"{verdict} ." for verdict in (*NEGATIVE_VERDICTS.words, *POSITIVE_VERDICTS.words)]
    assert not any(verdict in each.sentence for each in corpus.train for verdict in verdicts)


def test_words_are_few_and_the_common_ones_common(corpus):
    counts = Counter(word for each in corpus.train for word in each.sentence.split())
    assert 250 < len(counts) < 500
    assert counts["good"] > 3 * counts["uplifting"] > 0


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "no such file"),
        (lambda path: path.write_text(""), "first line"),
        (lambda path: path.write_text("a\tb\n"), "first line"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "UTF-8"),
        (
            lambda path: path.write_text("sentence\tlabel\tkind\nfine .\t1\tplain\nfine .\tyes\tplain\n"),
            "line 3",
        ),
        (lambda path: path.write_text("sentence\tlabel\tkind\nfine .\t1\n"), "line 2"),
        (lambda path: path.write_text("sentence\tlabel\tkind\n \t1\tplain\n"), "line 2"),
    ],
)
def test_damaged_files_are_named_in_one_line(corpus, tmp_path, damage, said):
    write_sentiment(corpus.part(3, 3, 3), tmp_path)
    damage(tmp_path / "validation.tsv")
    with pytest.raises(UserError, match=said) as raised:
        read_sentiment(tmp_path)
    assert str(tmp_path / "validation.tsv") in str(raised.value) and "\n" not in str(raised.value)


def test_reviews_without_verdicts_are_the_same_sentences_and_their_labels_can_be_read_from_the_verdicts():
    with_verdicts, without = reviews(1, 300), reviews(1, 300, verdicts=False)
    read_off = [weak_label(review) for review in with_verdicts]
    assert [example.sentence for example in read_off] == without
    for example in read_off:
        sentences = example.sentence.removesuffix(" .").split(" . ")
        assert {read(f"{each} .") for each in sentences} == {example.label}
    with pytest.raises(UserError, match="has no verdict"):
        weak_label(without[0])


def test_the_recorded_verdicts_are_those_of_every_encoder_and_missing_ones_are_one_line(
    monkeypatch, tmp_path
):
    prompts, few = recorded_verdicts()
    assert tuple(few) == ENCODERS and tuple(prompts) == ENCODERS[:-1]
    assert all(
        set(found) == {100, 400} and all(len(each) == 3 for each in found.values()) for found in few.values()
    )
    assert all(0.0 <= each <= 1.0 for found in few.values() for runs in found.values() for each in runs)
    monkeypatch.setattr(weak_labels, "recorded_file", lambda name: tmp_path / name)
    with pytest.raises(UserError, match="run `kqa bench verdicts`"):
        recorded_verdicts()
