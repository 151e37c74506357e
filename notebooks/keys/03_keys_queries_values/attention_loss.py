"""Answer key of attention_loss."""

from __future__ import annotations

import random

import torch
from course_exercises.attention_loss import LOGITS, NAMES, case, far_case, judge, wanted_loss

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.repeated import every_time
from kqa_core.exercise_helpers.transformer_parts import gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, a long sentence, one token, many features, as many targets as tokens, far targets, single
    precision; and gradients.
    """
    for N, T, m, d, k, v in (
        (1, 3, 1, 5, 5, 5),
        (4, 5, 5, 3, 3, 3),
        (7, 2, 1, 2, 4, 3),
        (3, 6, 4, 8, 2, 8),
        (1, rng.randint(260, 400), 2, 4, 3, 6),
        (2, 1, 1, 3, 2, 2),
        (rng.randint(17, 40), 9, 8, rng.randint(33, 40), rng.randint(17, 30), rng.randint(17, 30)),
        (2, 5, 2, 4, 1, 3),
        (3, 4, 3, 3, 2, 1),
    ):
        sizes = f"for {N} sentences of {T} tokens, {m} with targets, d = {d}, d_k = {k} and d_v = {v}"
        judge(answer, case(rng, N, T, m, d, k, v), sizes)
    X, Y, *matrices = case(rng, 3, 4, 2, 3)
    judge(answer, (X, 100 * Y, *matrices), "for 3 sentences of 4 tokens and targets of some hundreds")
    few = case(rng, 2, 3, 2, 4)
    every_time(answer, few, lambda again: judge(again, few, "for 2 sentences of 3 tokens, 2 with targets"))
    judge(
        answer,
        tuple(each.float() for each in case(rng, 2, 4, 3, 5)),
        "for 2 sentences of 4 tokens in float32",
    )
    for middle, within in LOGITS:
        far, words = far_case(rng, middle, within), f"between {middle - within:g} and {middle + within:g}"
        judge(answer, far, f"for logits {words}")
        judge(answer, tuple(each.float() for each in far), f"for float32 logits {words}")
    gradients_agree(answer, wanted_loss, dict(zip(NAMES, case(rng, 3, 4, 3, 5), strict=True)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several sizes."""
    return [case(rng, 1, 3, 2, 4), case(rng, 5, 4, 1, 6), case(rng, 3, 5, 3, 3)]


def attention_loss(X, Y, W_Q, W_K, W_V):
    """The reference."""
    queries, keys, values = X @ W_Q, X @ W_K, X @ W_V  # (N, T, d_k), (N, T, d_k), (N, T, d_v)
    weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)  # (N, T, T)
    outputs = weights @ values  # (N, T, d_v)
    return ((outputs[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def with_einsum(X, Y, W_Q, W_K, W_V):
    """Indices written out: n sentences, t queries, i keys."""
    logits = torch.einsum("ntd,dk,ek,nie->nti", X, W_Q, W_K, X)
    outputs = torch.einsum("nti,nid,de->nte", logits.softmax(2), X, W_V)
    left = outputs[:, : Y.shape[1]] - Y
    return torch.einsum("nmd,nmd->", left, left) / (Y.shape[0] * Y.shape[1])


def with_linear_layers(X, Y, W_Q, W_K, W_V):
    """torch's functions, and exponentials by hand."""
    linear = torch.nn.functional.linear
    exponentials = torch.exp(linear(X, W_Q.T) @ linear(X, W_K.T).mT)
    outputs = exponentials / exponentials.sum(dim=2, keepdim=True) @ linear(X, W_V.T)
    return torch.nn.functional.mse_loss(outputs[:, : Y.size(1)], Y, reduction="sum") / (Y.size(0) * Y.size(1))


def only_the_queries_with_targets(X, Y, W_Q, W_K, W_V):
    """Tokens without a target need no query."""
    m = Y.shape[1]
    weights = torch.softmax(X[:, :m] @ (W_Q @ W_K.T) @ X.transpose(1, 2), dim=-1)  # (N, m, T)
    return torch.linalg.vector_norm(weights @ X @ W_V - Y, dim=-1).pow(2).mean()


def sentence_by_sentence(X, Y, W_Q, W_K, W_V):
    """Loops, a token at a time."""
    distances = []
    for x, y in zip(X, Y, strict=True):
        keys, values = x @ W_K, x @ W_V
        for t in range(len(y)):
            weights = (keys @ (x[t] @ W_Q)).softmax(dim=0)
            distances.append(((weights @ values - y[t]) ** 2).sum())
    return torch.stack(distances).mean()


def matrices_transposed(X, Y, W_Q, W_K, W_V):
    """The tokens are multiplied by W.T. Here the matrices are on the right of the tokens, so it should be
    X @ W. (nn.Linear uses W.T.)
    """
    weights = torch.softmax((X @ W_Q.T) @ (X @ W_K.T).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V.T))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def queries_and_keys_exchanged(X, Y, W_Q, W_K, W_V):
    """The logits are keys times queries, or W_Q and W_K are exchanged. Row t of the logits must belong
    to query t, so it should be queries @ keys.transpose(-2, -1).
    """
    weights = torch.softmax((X @ W_K) @ (X @ W_Q).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def softmax_over_the_queries(X, Y, W_Q, W_K, W_V):
    """The softmax runs over the queries. The weights of one query must add up to 1, so it should run
    over the keys, dim=-1.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-2)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def no_softmax(X, Y, W_Q, W_K, W_V):
    """The logits are used as weights. The softmax of the logits is missing."""
    weights = (X @ W_Q) @ (X @ W_K).transpose(-2, -1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def divided_by_the_root(X, Y, W_Q, W_K, W_V):
    """The logits are divided by the root of the number of dimensions. Notebook 04 does so; this notebook does
    not.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1) / X.shape[-1] ** 0.5, dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def tokens_as_values(X, Y, W_Q, W_K, W_V):
    """The tokens themselves are averaged. The output is an average of the values, which are X @ W_V."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ X)[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean() + 0 * W_V.sum()


def the_last_tokens(X, Y, W_Q, W_K, W_V):
    """The last tokens are compared with the targets. The targets belong to the first Y.shape[1] tokens."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, -Y.shape[1] :] - Y) ** 2).sum(dim=-1).mean()


def always_two_targets(X, Y, W_Q, W_K, W_V):
    """There are always two outputs. The number of targets is Y.shape[1]."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, :2] - Y) ** 2).sum(dim=-1).mean()


def all_the_outputs(X, Y, W_Q, W_K, W_V):
    """The outputs of all tokens are compared with the targets. Only the first Y.shape[1] tokens have a
    target.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return ((weights @ (X @ W_V) - Y) ** 2).sum(dim=-1).mean()


def mean_over_the_coordinates(X, Y, W_Q, W_K, W_V):
    """The loss is also averaged over the d_v coordinates. A squared distance is the sum over the
    coordinates.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).mean()


def sum_over_everything(X, Y, W_Q, W_K, W_V):
    """The squared distances of all tokens are added. The loss is their mean over sentences and tokens with a
    target.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum()


def divided_by_the_sentences_only(X, Y, W_Q, W_K, W_V):
    """The sum is divided by the number of sentences, and not by the number of tokens with a target,
    Y.shape[1], as well.
    """
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum() / len(X)


def distances_not_squared(X, Y, W_Q, W_K, W_V):
    """Distances are averaged. The loss averages squared distances."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).sqrt().mean()


def absolute_differences(X, Y, W_Q, W_K, W_V):
    """Absolute differences are added. A squared distance adds their squares."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return ((weights @ (X @ W_V))[:, : Y.shape[1]] - Y).abs().sum(dim=-1).mean()


def weights_cut_off(X, Y, W_Q, W_K, W_V):
    """detach, .data, no_grad or a new tensor made of its numbers cuts it off."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1).detach()
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()


def a_number(X, Y, W_Q, W_K, W_V):
    """You return a plain number. Gradients need the tensor itself: leave out .item() or float()."""
    weights = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return (((weights @ (X @ W_V))[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean().item()


KEY = AnswerKey(
    id="attention_loss",
    hidden=hidden,
    reference=attention_loss,
    accepted=(with_einsum, with_linear_layers, only_the_queries_with_targets, sentence_by_sentence),
    rejected=(
        *(
            matrices_transposed,
            queries_and_keys_exchanged,
            softmax_over_the_queries,
            no_softmax,
            divided_by_the_root,
        ),
        *(
            tokens_as_values,
            the_last_tokens,
            always_two_targets,
            all_the_outputs,
            mean_over_the_coordinates,
            sum_over_everything,
            divided_by_the_sentences_only,
            distances_not_squared,
        ),
        *(absolute_differences, a_number, weights_cut_off),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The first three lines are the forward pass of self-attention for all tokens at once. The tokens are the
    rows of $X$, so $X W_Q$ holds one query in each row. Row $t$ of the logits belongs to query $t$, so the
    softmax runs along the last axis, over the keys. The squared distance of one output is a sum over the
    coordinates; only then do we average, over sentences and over the tokens that have a target. `F.mse_loss`
    averages over the coordinates too, so its result is too small by a factor of $d_v$. Everything stays a
    tensor: with `.item()` or `.detach()` the number is the same, but no gradient reaches the matrices.
    """,
)
