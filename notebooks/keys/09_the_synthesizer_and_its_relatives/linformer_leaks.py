"""Answer key of linformer_leaks.

The oracle does not reason: it runs a Linformer on random q, k and v in float64, changes one input at a time
by random vectors, and looks which outputs change. The entries of E and F are small whole numbers, so an input
that counts changes an output by far more than rounding: by less than 1e-6 of its size with probability below
1e-6 for the whole check (`test_09_relatives.py` measures the gap: rounding 1e-13, the smallest change 1e-4).
So the oracle's verdict is certain to that.
"""

from __future__ import annotations

import random

import torch
from course_exercises.linformer_leaks import SCALED, SCALES, compare, matrices, truth_table

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again

MOVED = 1e-7  # of the outputs' size
DRAWS = 6


def probed(E, F, seed):
    """How much outputs (rows) change when an input (columns) changes.
    The smallest that counts is far above rounding.
    """
    r, T = E.shape
    generator = torch.Generator().manual_seed(seed)

    def rows(*shape):
        return torch.randn(*shape, 3, generator=generator, dtype=torch.float64)

    def read(q, k, v):
        scores = torch.einsum("ntd,nrd->ntr", q, torch.einsum("rs,nsd->nrd", E, k)) / (
            3**0.5 * max(1.0, float(E.norm()))
        )
        return torch.einsum("ntr,rs,nsd->ntd", scores.softmax(-1), F, v)

    q, k, v = rows(DRAWS, T), rows(DRAWS, T), rows(DRAWS, T)
    before, moved = read(q, k, v), torch.zeros(T, T)
    for s in range(T):
        for which in (0, 1):
            changed = [k.clone(), v.clone()]
            changed[which][:, s] += 2.0 * rows(DRAWS)
            moved[:, s] = torch.maximum(moved[:, s], (read(q, *changed) - before).abs().amax(dim=(0, 2)))
    return moved / max(1.0, float(before.abs().max()))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Pairs of matrices, each against what running it says."""
    for E, F, _ in matrices(rng):
        wanted = probed(E, F, rng.getrandbits(40)) > MOVED
        compare(truth_table(again(answer, E, F), E.shape[1]), wanted, E, F)
        for factor, said in SCALES.items():
            scaled = E * factor, F * factor
            compare(truth_table(again(answer, *scaled), E.shape[1]), wanted, E, F, said, SCALED[factor])
    steady(answer, *matrices(rng)[3][:2])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds of matrices."""
    return [(E, F) for E, F, _ in matrices(rng)]


def linformer_leaks(E, F):
    """The reference."""
    T = E.shape[1]
    by_value = (F != 0).any(dim=0)  # (T,): v_s is in some mixed row
    by_key = (E[:1] != E).any(dim=0)  # k_s moves the r scores apart; moving all alike changes no weight
    chooses = (F[:1] != F).any()  # the rows that the weights choose among differ
    return (by_value | (by_key & chooses)).expand(T, T)


def by_loops(E, F):
    """One column at a time, with sets."""
    r, T = E.shape
    rows = {tuple(row) for row in F.tolist()}
    table = torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        if any(F[j, s] != 0 for j in range(r)) or (len(rows) > 1 and len(set(E[:, s].tolist())) > 1):
            table[:, s] = True
    return table


def by_differences(E, F):
    """Differences of neighbouring rows say whether rows are alike."""
    r, T = E.shape
    values = F.abs().sum(dim=0) > 0
    keys = E.diff(dim=0).abs().sum(dim=0) > 0
    rows_differ = bool(F.diff(dim=0).abs().sum() > 0)
    return torch.stack([values | keys if rows_differ else values] * T)


def by_spread(E, F):
    """Largest less smallest."""
    spread = E.amax(dim=0) - E.amin(dim=0)
    choice = (F.amax(dim=0) - F.amin(dim=0)).max()
    read = torch.maximum(F.abs().amax(dim=0), spread * choice) > 0
    return read[None, :].repeat(len(read), 1)


def by_trying(E, F):
    """Runs it, and lets autograd say what reaches what.
    Both matrices are scaled first, so small entries show as well.
    """
    r, T = E.shape
    E, F = (each / each.abs().max().clamp(min=1e-300) for each in (E, F))
    generator = torch.Generator().manual_seed(3)
    table = torch.zeros(T, T, dtype=torch.bool)
    for _ in range(4):
        q, k, v = (torch.randn(T, 4, generator=generator, dtype=E.dtype) for _ in range(3))
        k.requires_grad_(), v.requires_grad_()
        weights = torch.softmax(q @ (E @ k).T / (1 + E.norm()), dim=-1)
        for t, row in enumerate(weights @ (F @ v)):
            for grad in torch.autograd.grad(
                (row * torch.randn(4, generator=generator)).sum(), (k, v), retain_graph=True
            ):
                table[t] |= grad.abs().amax(dim=1) > 1e-11
    return table


def causal(E, F):
    """You say that output t depends on the inputs up to t.
    But the mixed rows are sums over the whole text, for every t.
    """
    T = E.shape[1]
    return torch.ones(T, T, dtype=torch.bool, device=E.device).tril()


def only_the_future(E, F):
    """You mark the future only: mark every input that an output depends on, past and future."""
    read = (F != 0).any(dim=0) | ((E[:1] != E).any(dim=0) & (F[:1] != F).any())
    return read.expand(len(read), -1).triu(1)


def everything(E, F):
    """You say that every output depends on every input.
    No output depends on an input whose columns in E and F are zero.
    """
    T = E.shape[1]
    return torch.ones(T, T, dtype=torch.bool, device=E.device)


def values_only(E, F):
    """In your table an input counts only through its column of F. The keys decide how much weight each mixed
    row gets, so an input can also count through its column of E.
    """
    return (F != 0).any(dim=0).expand(F.shape[1], -1)


def keys_only(E, F):
    """In your table an input counts only through its column of E. The values are what is averaged, so an
    input can also count through its column of F.
    """
    return ((E[:1] != E).any(dim=0) & (F[:1] != F).any()).expand(E.shape[1], -1)


def any_nonzero(E, F):
    """Each input whose column of E is not 0 is counted. If all entries of the column are equal, the softmax
    ignores the key; if all rows of F are equal, no weight matters.
    """
    return ((F != 0) | (E != 0)).any(dim=0).expand(F.shape[1], -1)


def both_needed(E, F):
    """You require both E and F. Either is enough: an input can count as a value or as a key."""
    return ((F != 0).any(dim=0) & (E[:1] != E).any(dim=0)).expand(F.shape[1], -1)


def rows_of_F_not_looked_at(E, F):
    """Equal rows of F are not taken care of. The output is that row then, whatever the weights are."""
    return ((F != 0).any(dim=0) | (E[:1] != E).any(dim=0)).expand(F.shape[1], -1)


def constant_columns_counted(E, F):
    """You count a key whose column of E has equal entries. It changes all r logits of a query by the same
    number, and the softmax ignores that: such a key does not count.
    """
    chooses = (F[:1] != F).any()
    return ((F != 0).any(dim=0) | ((E != 0).any(dim=0) & chooses)).expand(F.shape[1], -1)


def columns_added_up(E, F):
    """You add up each column of F. A column such as (2, −2) adds up to 0,
    but the weights are not equal, so the value counts.
    """
    read = (F.sum(dim=0) != 0) | ((E[:1] != E).any(dim=0) & (F[:1] != F).any())
    return read.expand(len(read), -1)


def all_rows_needed(E, F):
    """You require that no entry of the column is 0: one mixed row that contains the input is enough."""
    read = (F != 0).all(dim=0) | ((E != 0).all(dim=0) & (E[:1] != E).any(dim=0) & (F[:1] != F).any())
    return read.expand(len(read), -1)


def all_of_a_value_needed(E, F):
    """You require that no entry of the column of F is 0: one mixed row that contains the value is enough."""
    read = (F != 0).all(dim=0) | ((E[:1] != E).any(dim=0) & (F[:1] != F).any())
    return read.expand(len(read), -1)


def transposed(E, F):
    """Your table is transposed: [t, s] should say whether the output at t depends on the input at s."""
    read = (F != 0).any(dim=0) | ((E[:1] != E).any(dim=0) & (F[:1] != F).any())
    return read[:, None].expand(-1, len(read))


def three_rows_needed(E, F):
    """You let keys count only if F has three different rows.
    Two rows that differ are enough for the weights to matter.
    """
    values = (F != 0).any(dim=0)
    keys = (E[:1] != E).any(dim=0) & (len(F.unique(dim=0)) > 2)
    return (values | keys).expand(E.shape[1], -1).clone()


def by_the_largest_entry(E, F):
    """You divide by the largest entry, which may be 0 or negative."""
    r, T = E.shape
    E, F = E / E.max(), F / F.max()
    generator = torch.Generator().manual_seed(3)
    table = torch.zeros(T, T, dtype=torch.bool)
    for _ in range(4):
        q, k, v = (torch.randn(T, 4, generator=generator, dtype=E.dtype) for _ in range(3))
        k.requires_grad_(), v.requires_grad_()
        weights = torch.softmax(q @ (E @ k).T / (1 + E.norm()), dim=-1)
        for t, row in enumerate(weights @ (F @ v)):
            for grad in torch.autograd.grad(row.sum(), (k, v), retain_graph=True):
                table[t] |= grad.abs().amax(dim=1) > 1e-11
    return table


def saturated(E, F):
    """You try logits that are so large that the softmax gives 0 and 1,
    and then no key seems to matter. Scale them down.
    """
    r, T = E.shape
    E, F = (each / each.abs().max().clamp(min=1e-300) for each in (E, F))
    generator = torch.Generator().manual_seed(3)
    table = torch.zeros(T, T, dtype=torch.bool)
    for _ in range(4):
        q, k, v = (torch.randn(T, 4, generator=generator, dtype=E.dtype) for _ in range(3))
        k.requires_grad_(), v.requires_grad_()
        weights = torch.softmax(q @ (E @ k).T * (1 + E.norm()), dim=-1)
        for t, row in enumerate(weights @ (F @ v)):
            for grad in torch.autograd.grad(row.sum(), (k, v), retain_graph=True):
                table[t] |= grad.abs().amax(dim=1) > 1e-11
    return table


KEY = AnswerKey(
    id="linformer_leaks",
    hidden=hidden,
    reference=linformer_leaks,
    accepted=(by_loops, by_differences, by_spread, by_trying),
    rejected=(
        *(
            causal,
            only_the_future,
            everything,
            values_only,
            keys_only,
            any_nonzero,
            both_needed,
            rows_of_F_not_looked_at,
        ),
        *(constant_columns_counted, columns_added_up, all_rows_needed, all_of_a_value_needed, transposed),
        *(three_rows_needed, by_the_largest_entry, saturated),
    ),
    fingerprint=fingerprint,
    commentary=(
        "A value counts if it is in some row of $F v$, that is, if its column of $F$ is not zero: all weights"
        " are positive. A key counts if it can change the weights *and* the weights matter. It changes them"
        " unless its column of $E$ is constant, because the softmax ignores what is added to all logits. They"
        " matter unless all rows of $F$ are equal. With r = 1 both conditions on keys fail, and only values"
        " count. The position $t$ does not occur, so all rows of the table are equal: that is why no mask can"
        " make a Linformer causal. The common mistake is to look for nonzero columns in $E$."
    ),
)
