"""The checks of notebook 05: answers of unusual kinds, and the oracles against the library."""

import numpy as np
import pytest
import torch
from course_exercises import mend_the_leak as mend_facts
from course_exercises import reweight_heads as reweight_facts
from course_exercises import sinusoidal_positions as waves_facts
from course_keys import mend_the_leak, perplexity, reweight_heads, sinusoidal_positions
from judged_keys import verdict

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.model.head_fusion import fuse
from kqa_core.model.positions import sinusoidal_positions as library_waves


@pytest.mark.slow
def test_waves_in_float64_and_in_float32_are_both_right():
    for dtype in (torch.float32, torch.float64):
        found = verdict(sinusoidal_positions.KEY, lambda T, d, dtype=dtype: library_waves(T, d).to(dtype), 3)
        assert found.outcome is Outcome.RIGHT, found.sentence


def test_the_oracle_of_the_waves_is_the_library():
    assert (waves_facts.expected(50, 12) - library_waves(50, 12).double()).abs().max() < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_the_oracles_of_the_re_weighting_are_the_library(seed):
    heads = torch.randn(3, 3, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    for facts, fusion in ((reweight_facts, "norm-reweight"), (mend_facts, "norm-reweight-causal")):
        assert torch.allclose(facts.expected(heads), fuse(heads, fusion))


def test_the_library_itself_is_accepted():
    for key, fusion in ((reweight_heads.KEY, "norm-reweight"), (mend_the_leak.KEY, "norm-reweight-causal")):
        found = verdict(key, lambda heads, fusion=fusion: fuse(heads, fusion), 4)
        assert found.outcome is Outcome.RIGHT, found.sentence


def test_a_perplexity_may_come_as_any_kind_of_number():
    for kind in (
        float,
        np.float64,
        torch.tensor,
        lambda value: torch.tensor([value]),
        lambda value: np.array(value),
    ):
        found = verdict(
            perplexity.KEY, lambda logits, targets, kind=kind: kind(perplexity.perplexity(logits, targets)), 2
        )
        assert found.outcome is Outcome.RIGHT, found.sentence


def running_norms(heads):
    return heads.square().sum(dim=3, keepdim=True).cumsum(dim=2).sqrt()


def mean_over_the_batch(heads):
    return heads * running_norms(heads) / running_norms(heads).mean(dim=(0, 1), keepdim=True)


def divided_by_the_norms(heads):
    return heads / running_norms(heads) * running_norms(heads).mean(dim=1, keepdim=True)


def mean_over_the_past(heads):
    counts = torch.arange(1, heads.shape[2] + 1, dtype=heads.dtype)[:, None]
    norms = running_norms(heads) / counts.sqrt()
    return heads * norms / (norms.mean(dim=1, keepdim=True).cumsum(dim=2) / counts)


@pytest.mark.parametrize(
    ("exercise", "wrong", "named"),
    [
        ("perplexity", perplexity.with_padding, "averaged too"),
        ("perplexity", perplexity.padding_as_zero, "divided by the number of all targets"),
        ("perplexity", perplexity.mean_of_rows, "each row is averaged and then the rows"),
        ("perplexity", perplexity.two_to_the_nats, "each word has the same probability"),
        ("reweight_heads", reweight_heads.per_position, "each position separately"),
        ("reweight_heads", reweight_heads.whole_batch, "all rows of the batch together"),
        ("reweight_heads", reweight_heads.shares, "should be multiplied by"),
        ("reweight_heads", reweight_heads.in_numpy, "No gradient"),
        ("mend_the_leak", mend_the_leak.in_numpy, "No gradient"),
        ("mend_the_leak", mend_the_leak.norms_added, "norms are added; it should be their squares"),
        ("mend_the_leak", mend_the_leak.position_alone, "position t alone"),
        ("mend_the_leak", mend_the_leak.without_a_root, "the square root is missing"),
        ("mend_the_leak", mean_over_the_batch, "over the rows of the batch, too"),
        ("mend_the_leak", divided_by_the_norms, "the heads are divided by the norms"),
        ("mend_the_leak", mean_over_the_past, "over earlier positions, too"),
    ],
)
def test_the_students_own_check_names_the_mistake(exercise, wrong, named):
    for seed in range(5):
        found = run_check(find(exercise).check, LocalAnswer(wrong, seed), seed)
        assert found.outcome is Outcome.NOT_YET and named in found.sentence
