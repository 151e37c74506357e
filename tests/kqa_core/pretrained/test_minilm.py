"""The real encoder, with what is known about it: it loads whole, and does what it was trained for."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from kqa_core.downloads.cache import fetched as folder_of
from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.encoder.classifier import from_pretrained
from kqa_core.encoder.finetune import FineTune, fine_tune
from kqa_core.encoder.movie_reviews import read_movie_reviews
from kqa_core.errors import UserError
from kqa_core.pretrained import load_minilm


def needs(*names):
    """Skips a test, with the command that fetches what is missing."""
    missing = [name for name in names if problem_of(DOWNLOADS[name])]
    return pytest.mark.skipif(bool(missing), reason=f"not fetched: `kqa data fetch {' '.join(missing)}`")


def test_without_the_files_one_line_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_CACHE", str(tmp_path))
    with pytest.raises(
        UserError, match=r"^minilm: not fetched yet: run `kqa data fetch minilm`; without it, "
    ):
        load_minilm()


@needs("minilm")
def test_sentences_of_one_meaning_have_similar_vectors():
    encoder, tokenizer = load_minilm()
    assert (type(encoder).__name__, encoder.training) == ("BertModel", False)
    assert sum(parameter.numel() for parameter in encoder.parameters()) == pytest.approx(22.7e6, rel=0.01)
    texts = ["A man is playing a guitar.", "Somebody plays an instrument.", "The bank raised its rates."]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    with torch.no_grad():
        hidden = encoder(**batch).last_hidden_state  # (3, T, 384)
    mask = batch["attention_mask"][..., None]
    vectors = F.normalize((hidden * mask).sum(1) / mask.sum(1), dim=-1)
    similarity = vectors @ vectors.T
    assert float(similarity[0, 1]) > 0.5
    assert float(similarity[0, 2]) < 0.2


@pytest.mark.slow
@needs("minilm")
def test_a_head_attends_to_the_previous_token():
    """Head 2 of layer 0: a weight near 1 for each token's predecessor. With weights in the wrong place there
    would be no such head.
    """
    encoder, tokenizer = from_pretrained("AutoModel", folder_of("minilm"))
    encoder.set_attn_implementation("eager")
    batch = tokenizer("The animal didn't cross the street because it was tired.", return_tensors="pt")
    with torch.no_grad():
        weights = encoder(**batch, output_attentions=True).attentions[0][0, 2]  # (T, T)
    assert float(weights.diagonal(-1).mean()) > 0.99


@needs("minilm", "movie-reviews")
@pytest.mark.slow
def test_it_is_fine_tuned_on_real_sentences():
    few = read_movie_reviews().sentiment().part(32, 16, 0)
    tuned = fine_tune(FineTune(16, 5e-5, 1), few, folder_of("minilm"), show=False)
    assert len(tuned.curves.losses) == 2 and tuned.score(few.validation).total == 16
