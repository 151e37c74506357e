"""Exercise llama_states: the whole forward pass of a real model, compared layer by layer."""

from __future__ import annotations

import random

import torch
from course_exercises._small_llamas import Given, Sizes, case, expected, faint, named, with_low_scores
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import ROOT, again, agree, difference, tensor_of
from kqa_core.pretrained.compare import layer_names

SIZES = (
    Sizes(n_layer=2, n_head=4, n_key_head=2, d_head=6, d_mlp=10, B=2, T=5),
    Sizes(n_layer=1, n_head=3, n_key_head=1, d_head=2, d_mlp=7, B=1, T=1),
    Sizes(n_layer=12, n_head=2, n_key_head=2, d_head=4, d_mlp=6, B=1, T=3),
    Sizes(n_layer=2, n_head=6, n_key_head=3, d_head=2, d_mlp=16, B=1, T=6, theta=100_000.0),
)
LONG = Sizes(n_layer=1, n_head=2, n_key_head=1, d_head=4, d_mlp=6, B=1, T=70)
BLOCKS = (
    "Your code works for one model and stops for another, with a KeyError. Possible cause: it asks for a"
    " weight that this model does not have; the names of `weights` tell the number of blocks"
)
FAINT = ", with weights that keep the numbers of the stream below about 0.1"
LAST = "the last norm is in the stream after the last block; it is for the logits only"
LOW = (
    "where the score of a position with itself is far below 0 (it may be the only allowed one), your states"
    " are wrong: {entry}"
)


def tensors_in(answered: object, wanted: list[Tensor]) -> list[Tensor]:
    """The student's run. Raises NotYet unless it is a list of tensors of the right shapes."""
    if not isinstance(answered, list | tuple):
        raise NotYet(f"return a list of tensors; yours is {kind_of(answered)}")
    names = layer_names(len(wanted) - 2)
    expect(
        len(answered) == len(wanted),
        f"a model of {len(wanted) - 2} blocks has a run of {len(wanted)} tensors (the embeddings, each"
        f" block's output, the logits); yours has {len(answered)}",
    )
    return [
        tensor_of(one, tuple(other.shape), other.dtype, name)
        for name, one, other in zip(names, answered, wanted, strict=True)
    ]


def judge(answered: object, given: Given, what: str = "") -> None:
    """Raise NotYet with the first layer that differs, and with the name of the mistake if it is known. `what`
    says what is special in this case.
    """
    wanted = expected(given)
    tokens, _, n_head, n_key_head, theta = given
    count = len(wanted) - 2
    about = (
        f"for {count} block{'s' * (count > 1)}, {n_head} query and {n_key_head} key heads, theta = {theta:g}"
    )
    about += f" and tokens {tuple(tokens.shape)}{what},"
    run, names = tensors_in(answered, wanted), layer_names(len(wanted) - 2)
    for place, (name, one, other) in enumerate(zip(names, run, wanted, strict=True)):
        size, apart = float(other.abs().max()), float((one - other).abs().max())
        if apart <= ROOT * size:  # False for nan
            continue
        if name == "the token embeddings":
            both = "; it equals the second tensor. Possible cause: both are one tensor, changed in place"
            both *= torch.equal(run[0], run[1])
            said = f"{about} the first tensor should be the rows of token_embedding.weight, unchanged"
            raise NotYet(f"{said}: {difference(one, other)}{both}")
        said = f"{about} the first layer that differs is {name}: {difference(one, other)}"
        why = ""
        if name == "the logits":
            why = logits_mistake(one, wanted, given)
        elif bool(torch.isfinite(one).all()):
            normed = torch.nn.functional.rms_norm(other, other.shape[-1:], given[1]["norm.weight"], 1e-5)
            last = place == len(wanted) - 2 and float((one - normed).abs().max()) <= ROOT * size
            why = LAST if last else named(given, place - 1, wanted[place - 1], one, ROOT * size)
        raise NotYet(f"{said}{'. Possible cause: ' if why else ''}{why}")


def logits_mistake(found: Tensor, wanted: list[Tensor], given: Given) -> str:
    """The mistake behind wrong logits, or ""."""
    table, gain = given[1]["token_embedding.weight"], given[1]["norm.weight"]
    last = wanted[-2]
    near = {
        "the last norm is missing": last @ table.T,
        "the last norm is used without its gain": (wanted[-1] * 0)
        + torch.nn.functional.rms_norm(last, last.shape[-1:], eps=1e-5) @ table.T,
        "they are probabilities, and not logits": wanted[-1].softmax(-1),
        "the norm of block 0 is used": torch.nn.functional.rms_norm(
            last, gain.shape, given[1]["blocks.0.norm_1.weight"], 1e-5
        )
        @ table.T,
    }
    return next((name for name, other in near.items() if torch.allclose(found, other, 1e-4, 1e-4)), "")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Groups of two, of three and of one; one position; twelve blocks; another theta; a long row; small
    numbers; scores far below 0; arguments unchanged.
    """
    cases = [case(rng, sizes) for sizes in SIZES]
    judge(answer(*cases[0]), cases[0])
    for given in cases[1:]:
        judge(again(answer, *given, advice={"KeyError": BLOCKS}), given)
    for given, what in ((case(rng, LONG), ""), (faint(cases[0]), FAINT)):
        judge(again(answer, *given), given, what)
    low = with_low_scores(cases[0])
    wanted = expected(low)
    for one, other in zip(tensors_in(answer(*low), wanted), wanted, strict=True):
        agree(one, other, LOW, ROOT)
    leaves_alone(answer, ("tokens", "weights"), *cases[0])
    return right("your model gives the library's states in every layer")


EXERCISE = Exercise(
    id="llama_states",
    title="The forward pass of SmolLM2",
    order=6,
    points=4,
    difficulty=4,
    importance=5,
    minutes=35,
    source="ours, after Touvron et al. 2023",
    reserved=("kqa_core.pretrained.compare:states_of",),
    hints=(
        (
            "Print the names of a small model's weights (the cell above does). Each name is used exactly"
            " once,"
            " and only token_embedding.weight twice. Which of your functions gets which of them?"
        ),
        (
            "For block i: y = rms_norm(x, norm_1); project y to queries, keys and values; split into heads;"
            " rotate queries and keys; grouped_attention; merge the heads; project; add to x. Then the MLP of"
            " rms_norm(x, norm_2), added to the sum. Append x to the list after each block."
        ),
        (
            "Split into heads with .reshape(B, T, n, d_k).transpose(1, 2), where n is n_head for queries and"
            " n_key_head for keys and values, and d_k = C // n_head. The angles are"
            " angles(torch.arange(T), d_k, theta). The logits are rms_norm(x, weights['norm.weight']) times"
            " the transpose of token_embedding.weight. Mind the dot in 'blocks.1.'."
        ),
    ),
    check=check,
)
