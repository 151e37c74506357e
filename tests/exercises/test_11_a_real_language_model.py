"""Notebook 11: the mistakes that its checks name, and its model answers on the real model."""

import importlib
import random

import pytest
import torch
from course_exercises._small_llamas import MISTAKES, Sizes, case, expected, named
from course_exercises.permutation_p import EXERCISE as PERMUTATION_P
from course_exercises.top_p_probabilities import case as top_p_case
from course_exercises.top_p_probabilities import kept
from judged_keys import checked

from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check
from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.pretrained import real_model
from kqa_core.pretrained.compare import compare_states, first_difference, states_of
from kqa_core.pretrained.heads import attention_weights, without_heads
from kqa_core.pretrained.own_parts import OwnModel

NOTEBOOK = "11_a_real_language_model"
SIZES = Sizes(n_layer=2, n_head=4, n_key_head=2, d_head=6, d_mlp=10, B=2, T=5)
HERE = problem_of(DOWNLOADS["smollm2"])
fetched = pytest.mark.skipif(bool(HERE), reason=f"smollm2: {HERE}: `kqa data fetch smollm2`")


def reference(name):
    return importlib.import_module(f"course_keys.{name}").KEY.reference


def test_every_key_has_six_accepted_and_ten_rejected_answers():
    assert all(len(key.accepted) >= 6 and len(key.rejected) >= 10 for key in checked(NOTEBOOK))


@pytest.mark.slow
def test_each_mistake_of_a_block_gives_another_output_than_the_right_block_and_than_the_others():
    given = case(random.Random(1), SIZES)
    x, right, *_ = expected(given)
    outputs = {name: run(given, 0, x) for name, run in MISTAKES.items()}
    for name, output in outputs.items():
        assert (output - right).abs().max() > 1e-3 * right.abs().max(), name
        assert named(given, 0, x, output, 1e-9) == name
    assert named(given, 0, x, right, 1e-9) == ""


def test_a_drawn_top_p_keeps_as_many_tokens_as_it_should_and_rounding_decides_nothing():
    rng = random.Random(2)
    for size, count in ((3, 1), (5, 4), (8, 8), (10, 5)):
        logits, p = top_p_case(rng, size, count)
        shares = logits.softmax(-1).tolist()
        assert len(kept(shares, p)) == len(kept(shares, p - 1e-3)) == len(kept(shares, p + 1e-3)) == count


def strictly_more(fits, orders):
    count = fits[torch.arange(len(fits)), orders].sum(1)
    return (1 + int((count > fits.diagonal().sum()).sum())) / (1 + len(orders))


def all_entries(fits, orders):
    """The same p as `strictly_more` in the worked example, from another mistake."""
    count = fits[torch.arange(len(fits)), orders].sum(1)
    return (1 + int((count >= fits.sum()).sum())) / (1 + len(orders))


def test_a_mistake_in_a_permutation_test_is_named_only_if_other_cases_show_it_too():
    named, unnamed = (
        run_check(PERMUTATION_P.check, LocalAnswer(answer), 1).sentence
        for answer in (strictly_more, all_entries)
    )
    assert named.startswith(unnamed)
    assert "only orders that fit better are counted" in named
    assert unnamed.endswith("yours is 0.1667")


@pytest.fixture(scope="module")
def real():
    return real_model()


@fetched
@pytest.mark.slow
def test_the_model_answers_give_the_librarys_states_and_write_the_same_text_with_a_cache(real):
    form, tokens = real.config, real.encode("The animal didn't cross the street because it was tired.")
    with torch.no_grad():
        run = reference("llama_states")(tokens, real.weights, form.n_head, form.n_key_head, form.theta)
    right = states_of(real.model, tokens)
    assert first_difference(compare_states(run, right)) is None
    assert (run[-1] - right[-1]).abs().max() < 1e-3
    own = OwnModel(
        real.weights, form, reference("rms_norm"), reference("swiglu"), reference("cached_attention")
    )
    own.read(tokens[:, :4])
    own.read(tokens[:, 4:5])
    torch.testing.assert_close(own.read(tokens[:, 5:]), right[-1][:, -1], atol=1e-3, rtol=0)


@fetched
@pytest.mark.slow
def test_encode_bpe_cuts_words_as_the_tokenizer_does(real):
    merges = [tuple(pair.split(" ")) for pair in real.pretrained.file.metadata["tokenizer.ggml.merges"]]
    for word, count in ((" strawberry", 1), (" Salzburg", 2), (" Ouagadougou", 6), ("unbelievably", None)):
        mine = reference("encode_bpe")(word.replace(" ", "Ġ"), merges)
        assert mine == real.tokenizer.encode(word).tokens
        assert count in (None, len(mine))


@fetched
@pytest.mark.slow
def test_the_best_induction_head_looks_behind_the_earlier_place_and_copying_needs_it(real):
    half = torch.randint(100, 40_000, (2, 30), generator=torch.Generator().manual_seed(5))
    tokens = torch.cat((half, half), dim=1)
    masks = torch.stack([reference("induction_mask")(row) for row in tokens])
    scores = reference("induction_score")(attention_weights(real.model, tokens), masks)
    assert divmod(int(scores.argmax()), 9) == (18, 6) and scores.max() > 0.8
    heads = [divmod(int(place), 9) for place in scores.flatten().topk(8).indices]
    with torch.no_grad():
        _, intact = reference("half_losses")(real.model(tokens), tokens)
        with without_heads(real.model, heads):
            _, ablated = reference("half_losses")(real.model(tokens), tokens)
    assert (ablated > intact + 4).all()
