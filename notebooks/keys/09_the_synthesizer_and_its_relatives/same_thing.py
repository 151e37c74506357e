"""Answer key of same_thing.

Any pair with the Synthesizer's weights is right: the components may be in another order, rotated or scaled,
or add what cancels in the softmax. The weights are compared, so a constant added to a whole row of logits is
no mistake. `test_09_synthesizer.py` proves the identity in sympy.
"""

from __future__ import annotations

import random

import torch
from course_exercises.same_thing import same_keys, same_weights
from course_exercises.synthesizer_attention import case

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, draw, in_float32

SIZES = (
    (2, 5, 5, 6, 4),
    (1, 1, 3, 2, 2),
    (3, 4, 9, 2, 1),
    (2, 6, 7, 4, 8),
    (4, 25, 40, 9, 12),
)  # N, T, L, d, d_h


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Several sizes, full rows and shorter ones; two texts each, one of them with large entries."""
    for size in SIZES:
        x, *maps = case(rng, *size)[:5]
        sizes = f"{tuple(x.shape)}, A {tuple(maps[0].shape)} and B {tuple(maps[2].shape)}"
        key = same_weights(again(answer, x, *maps), (x, *maps), f"for x {sizes}")
        large = draw(rng, *x.shape, scale=5.0)
        moved = same_weights(
            again(answer, large, *maps), (large, *maps), f"for an x with larger entries, x {sizes}"
        )
        same_keys(key, moved)
    single = tuple(in_float32(case(rng, *SIZES[0])[:5]))
    same_weights(again(answer, *single), single, "for arguments in float32")
    steady(answer, *single)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A shorter row and a full one."""
    return [case(rng, *size)[:5] for size in ((2, 4, 6, 3, 5), (1, 4, 4, 5, 3), (2, 5, 7, 4, 4))]


def same_thing(x, A, b1, B, b2):
    """The reference."""
    N, T, _ = x.shape
    hidden = torch.relu(x @ A + b1)  # (N, T, d_h)
    # (N, T, d_h + 1)
    query = torch.cat((hidden, torch.ones(N, T, 1, dtype=x.dtype, device=x.device)), dim=-1)
    key = torch.cat((B, b2[None]))[:, :T].T  # (T, d_h + 1)
    return query, key


def offset_first(x, A, b1, B, b2):
    """The component of b2 comes first."""
    T = x.shape[1]
    query = torch.nn.functional.pad((x @ A + b1).clamp(min=0), (1, 0), value=1.0)
    return query, torch.column_stack((b2[:T], B.T[:T]))


def shared_scale(x, A, b1, B, b2):
    """Queries twice as long, keys half as long, and every channel in the opposite order."""
    T = x.shape[1]
    query = torch.stack([*torch.relu(x @ A + b1).unbind(-1), torch.ones_like(x[..., 0])], dim=-1)
    return 2.0 * query.flip(-1), torch.vstack((B[:, :T], b2[:T])).T.flip(-1) / 2.0


def difference_of_parts(x, A, b1, B, b2):
    """b2 enters as a difference of two channels, and the keys are centred, which every softmax ignores."""
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    table = B[:, :T] - B[:, :T].mean(dim=1, keepdim=True)
    ones = torch.ones_like(hidden[..., :1])
    return torch.cat((hidden, ones, -ones), dim=-1), torch.cat((table, 3 * b2[None, :T], 2 * b2[None, :T])).T


def turned_channels(x, A, b1, B, b2):
    """Both are rotated by one orthogonal matrix, which changes no dot product."""
    T, width = x.shape[1], B.shape[0] + 1
    turn = torch.linalg.qr(torch.arange(1.0, width**2 + 1, dtype=x.dtype).reshape(width, width).cos())[0]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query @ turn, torch.cat((B, b2[None]))[:, :T].T @ turn


def one_hot_keys(x, A, b1, B, b2):
    """The logits themselves as queries, and the identity for keys."""
    T = x.shape[1]
    logits = torch.relu(x @ A + b1) @ B + b2
    return logits[..., :T].contiguous(), torch.eye(T, dtype=x.dtype, device=x.device)


def b2_dropped(x, A, b1, B, b2):
    """b2 is missing: add one component, which is 1 in every query and b2[i] in key i."""
    return torch.relu(x @ A + b1), B[:, : x.shape[1]].T


def b2_on_the_query(x, A, b1, B, b2):
    """Your extra component is b2[t] in query t and 1 in every key. That adds one number to a whole row of
    logits, and the softmax ignores it: b2[i] belongs to key i.
    """
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    query = torch.cat((hidden, b2[:T, None].expand(len(x), -1, -1)), dim=-1)
    return query, torch.cat((B[:, :T], torch.ones_like(b2[None, :T]))).T


def b2_on_both_sides(x, A, b1, B, b2):
    """Your extra component is b2 in the query and in the key, so their product is b2[t]·b2[i]:
    it should be 1 in the query.
    """
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    query = torch.cat((hidden, b2[:T, None].expand(len(x), -1, -1)), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T


def zero_in_the_query(x, A, b1, B, b2):
    """Your extra component is 0 in the queries, so b2 is multiplied by 0: it should be 1."""
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    return torch.nn.functional.pad(hidden, (0, 1)), torch.cat((B, b2[None]))[:, :T].T


def relu_dropped(x, A, b1, B, b2):
    """The ReLU is missing from your queries."""
    T = x.shape[1]
    query = torch.cat((x @ A + b1, torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T


def b1_dropped(x, A, b1, B, b2):
    """b1 is missing from your queries."""
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T


def scaled_keys(x, A, b1, B, b2):
    """You divide by the root of the width. The logits of the Synthesizer are not scaled, so query @ key.T
    must be the logits themselves.
    """
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query / query.shape[-1] ** 0.5, torch.cat((B, b2[None]))[:, :T].T


def last_rows(x, A, b1, B, b2):
    """For a text shorter than the block you take the last T columns of B;
    its positions are 0 to T − 1, so take the first.
    """
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, -T:].T


def keys_from_the_text(x, A, b1, B, b2):
    """The keys are made from x, and not from B and b2 alone."""
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T].T + 1e-3 * x.mean()


def weights_as_query(x, A, b1, B, b2):
    """Your query already holds the weights, and the softmax is applied to them again:
    query @ key.T must be the logits.
    """
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return torch.softmax(logits, dim=-1), torch.eye(T, dtype=x.dtype)


def whole_block(x, A, b1, B, b2):
    """You return L keys, one for each position of the block:
    return the first T, one for each position of this text.
    """
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None])).T


def key_not_transposed(x, A, b1, B, b2):
    """Your key is transposed: row i should be the key of position i."""
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return query, torch.cat((B, b2[None]))[:, :T]


def exchanged(x, A, b1, B, b2):
    """You return the key first: the order should be (query, key)."""
    T = x.shape[1]
    query = torch.cat((torch.relu(x @ A + b1), torch.ones_like(x[..., :1])), dim=-1)
    return torch.cat((B, b2[None]))[:, :T].T, query


def logits_alone(x, A, b1, B, b2):
    """You return the product of query and key: return the two of them."""
    return (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]


KEY = AnswerKey(
    id="same_thing",
    hidden=hidden,
    reference=same_thing,
    accepted=(offset_first, shared_scale, difference_of_parts, turned_channels, one_hot_keys),
    rejected=(
        *(
            b2_dropped,
            b2_on_the_query,
            b2_on_both_sides,
            zero_in_the_query,
            relu_dropped,
            b1_dropped,
            scaled_keys,
        ),
        *(
            last_rows,
            keys_from_the_text,
            weights_as_query,
            whole_block,
            key_not_transposed,
            exchanged,
            logits_alone,
        ),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The logit is $h_t\\cdot B_i + b_{2,i}$, where $h_t$ is the hidden vector and $B_i$ a column of $B$."
        " One more component, 1 in every query and $b_{2,i}$ in key $i$, turns the sum into one dot product."
        " The key has no $x$ in it, so it is the same for every text. There are many other right pairs:"
        " rotate both by one orthogonal matrix, or use the logits as queries and the identity as keys. The"
        " common mistake is to put $b_2$ into the query. Then a whole row of logits grows by one number, and"
        " the softmax ignores it."
    ),
)
