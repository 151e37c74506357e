"""The encoder that comes with the course, and the grid that was recorded with it.

Nothing is drawn anew in these tests: the sentences, the seed and the number of threads are given, so a figure
can only differ by the rounding of another processor, which moves a sentence or two.
"""

from __future__ import annotations

import json
import socket

import pytest

from kqa_core.encoder.bag_of_words import accuracy, fit
from kqa_core.encoder.classifier import MAX_LENGTH
from kqa_core.encoder.finetune import FineTune, fine_tune
from kqa_core.encoder.grid_search import (
    configurations,
    describe,
    files_of,
    random_configurations,
    read_grid,
    score,
)
from kqa_core.encoder.pretrain import PretrainConfig
from kqa_core.encoder.prompting import PromptClassifier, fill_mask
from kqa_core.encoder.sentiment import KINDS, read_sentiment
from kqa_core.text.packaged import shipped

pytestmark = pytest.mark.slow

FOLDER = shipped("encoder")
DATA = read_sentiment(shipped("sentiment"))


def test_transformers_loads_it_by_itself_and_without_a_network(monkeypatch):
    import transformers

    asked = []

    def refused(*about, **_):
        asked.append(about)
        raise OSError("there is no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    model = transformers.AutoModel.from_pretrained(FOLDER)
    tokenizer = transformers.AutoTokenizer.from_pretrained(FOLDER)
    hidden = model(**tokenizer("the plot is clever .", return_tensors="pt")).last_hidden_state
    assert hidden.shape == (1, 7, PretrainConfig().d_model) and hidden.isfinite().all()
    assert asked == [], "whoever asks may well go on without an answer"


def test_its_files_are_small_and_for_everybody_to_read():
    paths = [path for path in FOLDER.iterdir() if path.is_file()]
    assert (FOLDER / "model.safetensors").stat().st_size <= 8_000_000
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o644}


def test_its_record_is_the_recipe_and_its_loss_fell():
    record = json.loads((FOLDER / "pretraining.json").read_text())
    assert PretrainConfig(**record["config"]) == PretrainConfig()
    assert record["losses"][-1] < 0.6 * record["losses"][0]


def test_every_word_of_the_corpus_is_one_token_and_no_sentence_is_cut():
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(FOLDER)
    sentences = [each.sentence.split() for each in (*DATA.train, *DATA.validation, *DATA.test)]
    assert {word for words in sentences for word in words} <= set(tokenizer.get_vocab()) and len(
        tokenizer
    ) < 2_000
    assert max(map(len, sentences)) + 2 <= MAX_LENGTH


def test_it_fills_in_words_that_fit():
    words = dict(fill_mask(FOLDER, "i give it nine of <mask> stars .", count=1))
    assert list(words) == ["ten"]


@pytest.mark.nightly
def test_fine_tuned_it_beats_counting_words(one_thread):
    part = DATA.part(6_920, 200, 600)
    config = FineTune(epochs=2)
    tuned = fine_tune(config, part, FOLDER, show=False).score(part.test).value
    assert tuned >= 0.90 and tuned > accuracy(fit(part.train), part.test) + 0.10


def test_without_a_label_it_rates_all_kinds_of_sentences_but_one():
    """As many as data/encoder/README.md says; of intensity, of which it knows nothing, as many as a coin."""
    found, kinds = score(PromptClassifier(FOLDER), DATA.validation)
    assert abs(found.hits - 815) <= 3
    assert (
        all(kinds[kind].value >= 0.85 for kind in KINDS if kind != "intensity")
        and kinds["intensity"].interval[0] < 0.5
    )


@pytest.mark.parametrize(("name", "runs"), [("grid", configurations()), ("random", random_configurations(8))])
def test_the_recorded_searches_are_of_these_files(name, runs):
    found = read_grid(FOLDER / f"{name}.json")
    assert found.description == describe(runs, DATA, files_of(FOLDER))
    assert len(found.runs) == len(runs) and all(run.losses[-1] < run.losses[0] for run in found.runs)
    assert found.test.total == 1_821 and found.test.value >= 0.90
    assert (
        sorted(found.kinds) == sorted(KINDS)
        and sum(share.hits for share in found.kinds.values()) == found.test.hits
    )
