"""Answer key of pre_ln_block."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises.pre_ln_block import builds, expected, joined, seeds

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, gradients_agree, tensor_of


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other widths, ones; and gradients at x and at every parameter of the parts."""
    for B, T, width in ((3, 5, 4), (1, 1, 2), (2, 3, 8), (1, 6, 12)):
        x, chosen = draw(rng, B, T, width, scale=2.0), seeds(rng)
        found = tensor_of(again(answer, x, *builds(width, chosen).values()), (B, T, width), x.dtype, "the output")
        agree(found, expected(x, chosen), f"for x {(B, T, width)} your block's output is another than a pre-LN block's")
    gradients_agree(answer, joined, {"x": draw(rng, 2, 3, 6), **builds(6, seeds(rng), follow=True)})
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two sizes."""
    shapes = ((2, 4, 6), (1, 3, 8))
    return [(draw(rng, *shape, scale=2.0), *builds(shape[-1], seeds(rng)).values()) for shape in shapes]


def pre_ln_block(x, norm_1, attention, norm_2, mlp):
    """The reference."""
    x = x + attention(norm_1(x))
    return x + mlp(norm_2(x))


def in_one_line(x, norm_1, attention, norm_2, mlp):
    """Everything at once."""
    return (h := x + attention(norm_1(x))) + mlp(norm_2(h))


def branches_collected(x, norm_1, attention, norm_2, mlp):
    """Keeps the stream and its branches, and adds them up at the end."""
    first = attention(norm_1(x))
    second = mlp(norm_2(x + first))
    return torch.stack((x, first, second)).sum(dim=0)


def in_a_loop(x, norm_1, attention, norm_2, mlp):
    """The same pattern twice."""
    stream = x
    for norm, layer in ((norm_1, attention), (norm_2, mlp)):
        stream = torch.add(stream, layer(norm(stream)))
    return stream


def norms_written_out(x, norm_1, attention, norm_2, mlp):
    """LayerNorm by hand."""

    def normal(y, norm):
        centred = y - y.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + norm.eps) * norm.weight + norm.bias

    h = attention(normal(x, norm_1)) + x
    return mlp(normal(h, norm_2)) + h


def a_row_at_a_time(x, norm_1, attention, norm_2, mlp):
    """Each row of the batch by itself."""
    rows = []
    for row in x.split(1):
        stream = row + attention(F.layer_norm(row, norm_1.normalized_shape, norm_1.weight, norm_1.bias, norm_1.eps))
        rows.append(stream + mlp(norm_2(stream)))
    return torch.cat(rows)


def post_ln(x, norm_1, attention, norm_2, mlp):
    """You norm after adding, which is the post-LN block of 2017; here the norm stands at the entrance of each branch."""
    x = norm_1(x + attention(x))
    return norm_2(x + mlp(x))


def no_residual(x, norm_1, attention, norm_2, mlp):
    """Nothing is added back to the stream: x goes on beside attention and MLP, and what they give is added to it."""
    return mlp(norm_2(attention(norm_1(x))))


def no_first_residual(x, norm_1, attention, norm_2, mlp):
    """The first residual is missing: add what attention gives to x."""
    x = attention(norm_1(x))
    return x + mlp(norm_2(x))


def no_second_residual(x, norm_1, attention, norm_2, mlp):
    """The second residual is missing: add what the MLP gives to the stream."""
    x = x + attention(norm_1(x))
    return mlp(norm_2(x))


def stream_normed(x, norm_1, attention, norm_2, mlp):
    """You norm the stream itself: what is added to should stay as it is, and only what enters the branch be normed."""
    x = norm_1(x)
    x = x + attention(x)
    x = norm_2(x)
    return x + mlp(x)


def norm_behind_the_branch(x, norm_1, attention, norm_2, mlp):
    """You norm what comes out of attention and MLP; norm what goes into them."""
    x = x + norm_1(attention(x))
    return x + norm_2(mlp(x))


def no_norms(x, norm_1, attention, norm_2, mlp):
    """There is no norm in your block."""
    x = x + attention(x)
    return x + mlp(x)


def no_second_norm(x, norm_1, attention, norm_2, mlp):
    """The MLP gets the stream without a norm: norm_2 belongs before it."""
    x = x + attention(norm_1(x))
    return x + mlp(x)


def one_norm_twice(x, norm_1, attention, norm_2, mlp):
    """You use norm_1 twice; the second branch has a norm of its own."""
    x = x + attention(norm_1(x))
    return x + mlp(norm_1(x))


def norms_exchanged(x, norm_1, attention, norm_2, mlp):
    """Your norms are exchanged: norm_1 goes before attention, norm_2 before the MLP."""
    x = x + attention(norm_2(x))
    return x + mlp(norm_1(x))


def side_by_side(x, norm_1, attention, norm_2, mlp):
    """Attention and MLP both read the old x, side by side. That is a block some models have; here the MLP reads what
    attention added.
    """
    return x + attention(norm_1(x)) + mlp(norm_2(x))


def mlp_first(x, norm_1, attention, norm_2, mlp):
    """The MLP comes before attention in your block; attention is first."""
    x = x + mlp(norm_2(x))
    return x + attention(norm_1(x))


def old_x_added(x, norm_1, attention, norm_2, mlp):
    """You add the MLP's result to the old x, so that what attention gave is lost from the stream."""
    h = x + attention(norm_1(x))
    return x + mlp(norm_2(h))


def dropout_alive(x, norm_1, attention, norm_2, mlp):
    """Your output is not the same twice: dropout is alive. The parts bring their own and are in evaluation mode; leave it to
    them.
    """
    x = x + F.dropout(attention(norm_1(x)), 0.1)
    return x + F.dropout(mlp(norm_2(x)), 0.1)


def woken_up(x, norm_1, attention, norm_2, mlp):
    """You switch the parts to training mode, which wakes their dropout: they come in the mode that they should have."""
    for part in (norm_1, attention, norm_2, mlp):
        part.train()
    x = x + attention(norm_1(x))
    return x + mlp(norm_2(x))


def in_place(x, norm_1, attention, norm_2, mlp):
    """Your code cannot be trained: with inputs that require gradients it stops, forwards or backwards. Change nothing in
    place that was given to you or is still needed, and do not leave torch.
    """
    x += attention(norm_1(x))
    x += mlp(norm_2(x))
    return x


def added_twice(x, norm_1, attention, norm_2, mlp):
    """x is added twice in your first half."""
    x = x + x + attention(norm_1(x))
    return x + mlp(norm_2(x))


def a_norm_at_the_end(x, norm_1, attention, norm_2, mlp):
    """You norm the result as well; the last norm of a pre-LN model stands after all blocks, not in each."""
    x = x + attention(norm_1(x))
    x = x + mlp(norm_2(x))
    return F.layer_norm(x, x.shape[-1:])


def detached(x, norm_1, attention, norm_2, mlp):
    """No gradient comes back through your output: something on the way cuts it off (detach, no_grad, .data, .item, numpy),
    so nothing behind it could ever be trained.
    """
    x = x + attention(norm_1(x))
    return (x + mlp(norm_2(x))).detach()


KEY = AnswerKey(
    id="pre_ln_block",
    hidden=hidden,
    reference=pre_ln_block,
    accepted=(in_one_line, branches_collected, in_a_loop, norms_written_out, a_row_at_a_time),
    rejected=(
        post_ln,
        no_residual,
        no_first_residual,
        no_second_residual,
        stream_normed,
        norm_behind_the_branch,
        no_norms,
        no_second_norm,
        one_norm_twice,
        norms_exchanged,
        side_by_side,
        mlp_first,
        old_x_added,
        dropout_alive,
        woken_up,
        in_place,
        added_twice,
        a_norm_at_the_end,
        detached,
    ),
    fingerprint=fingerprint,
)
