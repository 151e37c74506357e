"""The extra packages, and the real data, which is not to be had here:
the code path is tried with data of the same form.
"""

from __future__ import annotations

import importlib

import pytest

from kqa_core.encoder import hugging_face
from kqa_core.encoder.classifier import load_encoder
from kqa_core.encoder.finetune import FineTune, fine_tune
from kqa_core.encoder.hugging_face import need, read_sst2
from kqa_core.encoder.tokenizer import make_tokenizer
from kqa_core.errors import UserError


def dataset(**rows):
    """A data set of these columns. The package takes a while to import, so that waits for a test."""
    from datasets import Dataset

    return Dataset.from_dict(rows)


def splits(**changes):
    from datasets import DatasetDict

    rows = {"text": ["a fine film", "a dull film "], "label": [1, 0], "label_text": ["positive", "negative"]}
    made = {name: dataset(**rows) for name in ("train", "validation", "test")}
    return DatasetDict(made | changes)


def test_sst2_comes_in_our_form():
    asked = []
    data = read_sst2(lambda name: asked.append(name) or splits())
    assert asked == [hugging_face.DATA]
    assert [(each.sentence, each.label, each.kind) for each in data.test] == [
        ("a fine film", 1, ""),
        ("a dull film", 0, ""),
    ]


@pytest.mark.parametrize(
    ("splits_of", "said"),
    [
        (lambda: splits(test=dataset(text=["what"], label=[-1])), "labelled 0 or 1"),
        (lambda: splits(train=dataset(text=[], label=[])), "labelled 0 or 1"),
        (lambda: splits(train=dataset(sentence=["what"], label=[1])), "text"),
        (
            lambda: (_ for _ in ()).throw(ConnectionError("no route\nto the hub")),
            r"no route\): it needs a network",
        ),
    ],
)
def test_what_is_not_sst2_or_not_to_be_had_is_named_in_one_line(splits_of, said):
    with pytest.raises(UserError, match=said) as raised:
        read_sst2(lambda name: splits_of())
    assert str(raised.value).startswith(hugging_face.DATA) and "\n" not in str(raised.value)


def test_a_roberta_of_the_usual_kind_goes_through_the_same_code(tmp_path, few):
    """roberta-base's class and its order of norms, with few and narrow layers."""
    import transformers

    tokenizer = make_tokenizer([each.sentence for each in few.train], 64)
    shape = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
    )
    transformers.RobertaForMaskedLM(shape).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    encoder, _ = load_encoder(tmp_path)
    assert type(encoder) is transformers.RobertaModel
    tuned = fine_tune(FineTune(16, 1e-3, 1), few, tmp_path, show=False)
    assert len(tuned.curves.losses) == 3 and tuned.score(few.test).total == 24


def test_a_missing_package_is_one_line_with_the_command_that_installs_it(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(
        UserError, match=r"^transformers: not installed.*pip install 'transformers>=5' tokenizers datasets"
    ):
        need("transformers")
