"""Exercise attention_loss: how far the outputs of one self-attention layer are from their targets.

- Tokens are the rows of X, so all queries together are X W_Q: here the matrices are on the right of the
  tokens.
- The loss is the mean of ‖c_t − y_t‖² over all sentences and over the first m tokens, which are those with a
  target.
- The oracle is torch's fused attention, which shares no line with the answers. Gradients are compared too: a
  loss without gradients cannot train anything.
"""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.transformer_parts import again, agree, apart, draw, gradients_agree, tensor_of

NAMES = ("X", "Y", "W_Q", "W_K", "W_V")
LOGITS = ((-40.0, 9.0), (40.0, 9.0), (0.0, 49.0))  # the middle of some, and how far they are from it at most


def wanted_loss(X: Tensor, Y: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> Tensor:
    """The loss by torch's fused attention: X (N, T, d), W_Q and W_K (d, k), W_V (d, v), Y (N, m, v)."""
    queries, keys, values = (F.linear(X, W.T) for W in (W_Q, W_K, W_V))
    outputs = F.scaled_dot_product_attention(queries, keys, values, scale=1.0)  # (N, T, v)
    return F.mse_loss(outputs[:, : Y.shape[1]], Y) * Y.shape[-1]


def case(
    rng: random.Random, N: int, T: int, m: int, d: int, k: int | None = None, v: int | None = None
) -> tuple[Tensor, ...]:
    """X (N, T, d), Y (N, m, v), W_Q and W_K (d, k), and W_V (d, v), all of moderate size; k and v are d
    unless they are given.
    """
    X, Y = draw(rng, N, T, d), draw(rng, N, m, v or d)
    return (X, Y, *(draw(rng, d, width or d, scale=d**-0.5) for width in (k, k, v)))


def far_case(rng: random.Random, middle: float, within: float) -> tuple[Tensor, ...]:
    """Two sentences of 4 tokens, 2 with targets, whose logits all lie within `within` of `middle`."""
    X, Y, W_Q, W_K, W_V = case(rng, 2, 4, 2, 4)
    X[..., 0] = 1.0  # so the first number of a query is `middle`, and that of a key is 1
    for W, first in ((W_Q, middle), (W_K, 1.0)):
        W[:, 0] = torch.tensor([first, 0.0, 0.0, 0.0], dtype=torch.float64)
    queries, keys = (F.linear(X, W[:, 1:].T) for W in (W_Q, W_K))
    W_Q[:, 1:] *= within / float(torch.einsum("nqk,nik->nqi", queries, keys).abs().max())
    return X, Y, W_Q, W_K, W_V


def slips(X: Tensor, Y: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> list[tuple[str, Tensor]]:
    """The losses that common mistakes give, each after the sentence about the mistake."""
    wanted, (N, m, _), T = wanted_loss(X, Y, W_Q, W_K, W_V), Y.shape, X.shape[1]
    # (N, T, T): over the queries, a row for each key
    columns = (F.linear(X, W_K.T) @ F.linear(X, W_Q.T).mT).softmax(dim=-1)
    outputs = torch.einsum("nkq,nkv->nqv", columns, F.linear(X, W_V.T))
    found = [
        (
            "the loss is divided by d_v, where a squared distance is the sum over the d_v coordinates",
            wanted / Y.shape[2],
        ),
        ("the squared distances of all tokens are added; the loss is their mean", wanted * N * m),
        (
            "the sum is divided by the number of sentences N, but not by m, the tokens with a target",
            wanted * m,
        ),
        (
            "the sum is divided by m, the tokens with a target, but not by the number of sentences N",
            wanted * N,
        ),
        ("this is half of the loss, which is the mean of the squared distances", wanted / 2),
        (
            "the logits are divided by √d_k (or √d); here they are the plain dot products",
            wanted_loss(X, Y, W_Q / W_Q.shape[1] ** 0.5, W_K, W_V),
        ),
        (
            "the softmax runs over the queries and not over the keys",
            F.mse_loss(outputs[:, :m], Y) * Y.shape[2],
        ),
        (
            "queries and keys are exchanged: row t of the logits must belong to query t",
            wanted_loss(X, Y, W_K, W_Q, W_V),
        ),
    ]
    if m < T:
        said = (
            "the outputs use the keys and values of the first m tokens only; those of all tokens count, and"
            " only the outputs are cut"
        )
        found.append((said, wanted_loss(X[:, :m], Y, W_Q, W_K, W_V)))
    keys = F.linear(X, W_K.T)
    shuffled = (F.linear(X, W_Q.T) @ keys.reshape(N, -1, T)).softmax(dim=-1) @ F.linear(X, W_V.T)
    said = (
        "the keys are reshaped where they must be transposed: reshape keeps the order of the numbers, .mT"
        " exchanges the axes"
    )
    found.append((said, F.mse_loss(shuffled[:, :m], Y) * Y.shape[2]))
    tokens = X.reshape(1, N * T, -1)
    mixed = F.scaled_dot_product_attention(tokens @ W_Q, tokens @ W_K, tokens @ W_V, scale=1.0).reshape(
        N, T, -1
    )
    said = "tokens attend to those of other sentences; each sentence has a softmax of its own"
    found.append((said, F.mse_loss(mixed[:, :m], Y) * Y.shape[2]))
    causal = F.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, scale=1.0, is_causal=True)
    found.append(
        (
            "tokens attend only to themselves and earlier ones; here there is no mask",
            F.mse_loss(causal[:, :m], Y) * Y.shape[2],
        )
    )
    if W_Q.shape == W_Q.T.shape and W_V.shape == W_V.T.shape:
        said = "the matrices are transposed; here tokens are rows, so the queries are X @ W_Q"
        found.append((said, wanted_loss(X, Y, W_Q.T, W_K.T, W_V.T)))
    return found


def slips_here(X: Tensor, Y: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> list[tuple[str, Tensor]]:
    """The losses of mistakes that show only with a single target,
    or where the values are of another width than the tokens.
    """
    found: list[tuple[str, Tensor]] = []
    (N, m, v), (_, T, d) = Y.shape, X.shape
    if m == 1:  # more outputs than targets do not stop torch: it repeats the one target
        said = "other outputs are compared too; only the first m tokens have targets, and m is Y.shape[1]"
        found += [(said, wanted_loss(X, Y.expand(N, count, -1), W_Q, W_K, W_V)) for count in range(2, T + 1)]
    if v != d:
        said = (
            "a mean is multiplied by d, the width of a token; a squared distance is the sum over the d_v"
            " entries of an output"
        )
        found.append((said, wanted_loss(X, Y, W_Q, W_K, W_V) * d / v))
    return found


def judge(answer: Answer, tensors: tuple[Tensor, ...], words: str) -> None:
    """Raise NotYet unless the answer's loss is the one of the oracle."""
    compare(answer, again(answer, *tensors), tensors, words)


def compare(answer: Answer, result: object, tensors: tuple[Tensor, ...], words: str) -> None:
    """Raise NotYet unless `result` is the loss of these tensors; a common mistake is named."""
    found, wanted = tensor_of(result, (), tensors[0].dtype, f"{words}, the loss"), wanted_loss(*tensors)
    if apart(found, wanted) <= 1.0:
        return
    mistake = next(
        (f". {POSSIBLE}{said}" for said, loss in slips_here(*tensors) if apart(found, loss) <= 1.0), None
    ) or named(answer, found, tensors)
    should, yours = told(float(wanted), float(found), 7)
    agree(found, wanted, f"{words}, your loss is {yours}; it should be {should}{mistake}")


def named(answer: Answer, loss: Tensor, given: tuple[Tensor, ...]) -> str:
    """The sentence about a mistake that gives this `loss` for the `given` tensors, and what the answer gives
    in a call on which the mistakes differ; "" if there is none.
    """
    tensors = case(random.Random(5), 3, 7, 5, 4)
    try:
        found, other = answer(*tensors), answer(*tensors)
    except AnswerFailed:
        return ""
    if not isinstance(found, Tensor) or found.shape != () or not found.is_floating_point():
        return ""
    if isinstance(other, Tensor) and other.shape == () and apart(found, other) > 1.0:
        return (
            f". Two calls with the same arguments give different losses. {POSSIBLE}random numbers are drawn,"
            " as by dropout, or something is kept from an earlier call"
        )
    here = {said for said, slip in slips(*given) if apart(loss, slip) <= 1.0}
    known = (said for said, slip in slips(*tensors) if said in here and apart(found, slip) <= 1.0)
    return next((f". {POSSIBLE}{said}" for said in known), "")


def by_hand() -> tuple[Tensor, ...]:
    """Two tokens (1, 0) and (0, 1), one target (0, 0), W_Q = W_K = 0 and W_V = I:
    the output is (½, ½), so the loss is ½.
    """
    one, zero = torch.eye(2, dtype=torch.float64), torch.zeros(2, 2, dtype=torch.float64)
    return one[None], zero[None, :1], zero, zero, one


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A case that can be computed by hand, some drawn at random, with 1 target, with 3, with queries of one
    number; a long sentence, some of one token, many; far targets; logits far from 0; float32; and the
    gradients.
    """
    compare(
        answer,
        answer(*by_hand()),
        by_hand(),
        "for X = [[[1, 0], [0, 1]]], Y = [[[0, 0]]], W_Q = W_K = 0 and W_V = I",
    )
    judge(answer, case(rng, 1, 3, 1, 4), "for one sentence of 3 tokens, the first one with a target")
    judge(answer, case(rng, 2, 4, 2, 3), "for two sentences of 4 tokens, the first 2 with targets")
    judge(
        answer,
        case(rng, 5, 4, 3, 6, v=7),
        "for five sentences of 4 tokens, the first 3 with targets, and values of 7 numbers",
    )
    words = "for two sentences of 4 tokens of 3 numbers, the first 2 with targets, and"
    judge(answer, case(rng, 2, 4, 2, 3, v=2), f"{words} values of 2 numbers")
    judge(answer, case(rng, 2, 4, 2, 3, k=1), f"{words} queries of one number")
    judge(answer, case(rng, 1, 300, 2, 3), "for a sentence of 300 tokens, the first 2 with targets")
    judge(answer, case(rng, 2, 1, 1, 3), "for two sentences of one token")
    judge(
        answer, case(rng, 2, 4, 2, 4), "for two sentences of 4 tokens of 4 numbers, the first 2 with targets"
    )
    for middle, within in LOGITS:
        words = f"for logits between {middle - within:g} and {middle + within:g}"
        judge(answer, far_case(rng, middle, within), words)
    words = "for twelve sentences of 13 tokens, the first 11 with targets, of 18, 17 and 19 numbers"
    judge(answer, case(rng, 12, 13, 11, 18, k=17, v=19), words)
    X, Y, *matrices = case(rng, 2, 4, 2, 3)
    judge(answer, (X, 100 * Y, *matrices), "for two sentences of 4 tokens and targets of some hundreds")
    judge(
        answer,
        tuple(each.float() for each in case(rng, 2, 4, 2, 4)),
        "for two sentences of 4 tokens in float32",
    )
    leaves_alone(answer, NAMES, *case(rng, 2, 3, 2, 4))
    gradients_agree(answer, wanted_loss, dict(zip(NAMES, case(rng, 2, 3, 2, 4), strict=True)))
    return right("the loss is right, and gradients reach all three matrices")


EXERCISE = Exercise(
    id="attention_loss",
    title="Write the loss of a self-attention layer",
    order=7,
    points=3,
    difficulty=3,
    importance=5,
    minutes=20,
    source="this course",
    hints=(
        (
            "Write the forward pass first, in the order of the diagram: queries, keys, values, logits,"
            " weights, outputs. Which shape has each of them?"
        ),
        (
            "All queries at once are X @ W_Q, shape (N, T, d_k). The logits have a row for each query and a"
            " column for each key. The softmax runs over the keys, so along the last axis."
        ),
        (
            "logits = queries @ keys.transpose(-2, -1); weights = torch.softmax(logits, dim=-1); outputs ="
            " weights @ values. Compare outputs[:, :Y.shape[1]] with Y: square the difference, sum over the"
            " last axis, then take the mean."
        ),
    ),
    check=check,
)
