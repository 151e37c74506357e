"""Exercise held_out_head: choose a head on some sentences, and report it on others."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number, told

SMALL = torch.tensor(
    [
        [1.0, 0.0, 0.0, 1.0],
        [1.0, 0.75, 0.0, 0.25],
        [0.0, 0.5, 1.0, 1.0],
        [0.25, 1.0, 1.0, 0.5],
        [0.5, 0.0, 0.25, 2.0],
    ],
    dtype=torch.float64,
)
TIED = torch.tensor([[0.5, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]], dtype=torch.float64)
# the means on rows 0 to 2 are 1/2 and 1/4, the medians 0 and 1/4; on row 3, 3/4 and 1/4
SKEWED = torch.tensor([[0.0, 0.25], [0.0, 0.25], [1.5, 0.25], [0.75, 0.25]], dtype=torch.float64)

# means 2/3, 1/3, 2/3 on rows 0 to 2 and 1/2, 1, 1/2 on rows 3 and 4
SOME_RIGHT = torch.tensor([[1, 0, 1], [1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 1, 1]]).bool()
CLOSE = torch.tensor([[0.50040, 0.50041], [0.25, 0.75]], dtype=torch.float64)
# both have the mean 1/2, and the first varies
UNEVEN = torch.tensor([[0.0, 0.5], [1.0, 0.5], [0.25, 1.0]], dtype=torch.float64)
TINY = torch.tensor([[2.0**-30, 2.0**-29], [0.25, 0.75]], dtype=torch.float64)
PLAIN = torch.tensor([[0.31, 0.47], [0.85, 0.29], [0.62, 0.71]], dtype=torch.float64)
LARGE = torch.tensor([[300, 100], [-200, 130], [129, -7]])
LOWEST = ". If several have the same mean, take the one with the lowest number"


def expected(scores: Tensor, choose: list[int], report: list[int]) -> tuple[int, float]:
    """The head with the highest mean on rows `choose` (the lowest number if several), and its mean on
    `report`.
    """
    means = scores[choose].double().mean(dim=0)
    head = int((means >= means.max() - 1e-12).nonzero()[0])
    return head, float(scores[report, head].double().mean())


def listed(rows: list[int]) -> str:
    """These row numbers as text: at most six."""
    return f"{rows}" if len(rows) < 7 else f"{rows[:6]} and {len(rows) - 6} more"


def averaged(answer: Answer, rows: list[int]) -> bool:
    """Whether the value for PLAIN, chosen on rows 0 and 1, reported on row 2, is that of these rows."""
    try:
        value = answer(PLAIN, [0, 1], [2])
        share = number(value[1], "it") if isinstance(value, (list, tuple)) and len(value) == 2 else None
    except (AnswerFailed, NotYet):
        return False
    return share is not None and abs(share - float(PLAIN[rows, 0].mean())) < 1e-6


def agrees(answer: Answer, scores: Tensor, choose: list[int], report: list[int], reason: str = "") -> None:
    """Raise NotYet unless head and value are right. `reason` ends the sentence."""
    value = answer(scores, list(choose), list(report))
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise NotYet(f"return the pair (head, value); yours is {kind_of(value)}")
    means = scores[choose].double().mean(dim=0)
    wanted, its_share = expected(scores, choose, report)
    about = f"{len(scores)} sentences, {scores.shape[1]} heads, chosen on rows {listed(choose)}"
    head, share = number(value[0], f"{about}: the head"), number(value[1], f"{about}: the value")
    # a whole value may be another head's number
    if not its_share.is_integer() and share == wanted and abs(head - its_share) < 1e-6:
        raise NotYet(
            f"{about}: return (head, value), here ({wanted}, {its_share:.4g}); yours is ({head:.4g},"
            f" {share:g})."
            f" {POSSIBLE}the two are exchanged"
        )
    changed = ""
    if head != wanted or abs(share - its_share) >= 1e-6 * max(1.0, abs(its_share)):
        try:
            leaves_alone(answer, ("scores", "choose", "report"), scores, choose, report, sentence="{}")
        except NotYet as named:
            changed = f". Your code changes {named} in place"
    tied = head in (means == means.max()).nonzero().flatten().tolist()
    if reason == LOWEST and not tied:
        reason = ""
    if len(means) < 6:
        about += f" (means {', '.join(f'{mean:.6g}' for mean in means.tolist())})"
    expect(
        head == wanted,
        f"{about}: the head with the highest mean there is {wanted}; yours is {head:g}{changed or reason}",
    )
    mine, yours = told(its_share, share)
    cause = ""
    if abs(share - its_share) >= 1e-6 * max(1.0, abs(its_share)):
        every = list(range(len(scores)))
        for rows, of_plain, which in (
            (choose, [0, 1], "the rows on which the head was chosen"),
            (every, [0, 1, 2], "all rows"),
        ):
            mean = float(scores[rows, wanted].double().mean())
            if not cause and abs(share - mean) < 1e-6 and averaged(answer, of_plain):
                cause = f". {POSSIBLE}the mean is taken over {which}"
    expect(
        abs(share - its_share) < 1e-6 * max(1.0, abs(its_share)),
        f"{about}, reported on rows {listed(report)}: the mean of head {wanted} is {mine}; yours is"
        f" {yours}{changed or cause}",
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Five sentences; several best heads; rows in another order; weights in place of 0 and 1;
    negative scores; bools and whole numbers, also large ones; means that are nearly the same;
    one head.
    """
    agrees(answer, SMALL, [1, 0], [4, 2, 3])
    agrees(answer, SMALL, [3, 2], [0, 4])
    agrees(answer, SMALL, [0, 3], [2, 1])
    agrees(answer, SMALL, [4, 1], [0, 2, 3])
    agrees(answer, TIED.flip(1), [0], [1], LOWEST)
    agrees(answer, SKEWED, [0, 1, 2], [3])
    agrees(answer, TIED, [0], [1], LOWEST)
    agrees(answer, torch.tensor([[0.2, 0.3], [0.9, 0.1], [0.4, 0.8]], dtype=torch.float64), [2, 0], [1])
    agrees(answer, torch.tensor([[True, False], [False, True], [False, True]]), [1, 2], [0])
    agrees(answer, SOME_RIGHT.double(), [0, 1, 2], [3, 4], LOWEST)
    for scores in (SOME_RIGHT, SOME_RIGHT.long()):
        agrees(answer, scores, [0, 1, 2], [3, 4], f". The scores are {scores.dtype} here")
    agrees(answer, CLOSE, [0], [1], ". The means differ by 1e-5 here, so they are not the same")
    agrees(answer, TINY, [0], [1], ". One mean is twice the other, so they are not the same")
    agrees(answer, UNEVEN, [0, 1], [2], LOWEST)
    agrees(answer, LARGE, [0], [1, 2])
    agrees(answer, SMALL[:, :1], [2, 0], [4, 3])
    many = torch.tensor([[rng.random() < 0.5 for _ in range(50)] for _ in range(60)])
    agrees(answer, many.double(), list(range(0, 60, 2)), list(range(59, 0, -2)))
    agrees(answer, -0.4 * SMALL - 0.05, [1, 0], [4, 2, 3], ". All scores are negative here")
    for scores, rows, others in ((SMALL, [1, 3, 0], [2, 4]), (SMALL.float(), [4, 2], [1, 3, 0])):
        leaves_alone(answer, ("scores", "choose", "report"), scores, rows, others)
        leaves_alone(answer, ("scores", "choose", "report"), scores, rows[::-1], others[::-1])
    return right("chosen on some sentences, reported on others")


EXERCISE = Exercise(
    id="held_out_head",
    title="Choose on one half, report on the other",
    order=3,
    points=2,
    difficulty=1,
    importance=5,
    minutes=10,
    source="new; the picture is that of Vaswani et al. 2017",
    hints=(
        "Which rows may have an influence on the choice, and which rows on the number that you report?",
        (
            "scores[choose] are the rows on which you choose. Take the mean over these rows for each head,"
            " and the place of the largest. Then look only at this head in the rows `report`."
        ),
        (
            "With the rows [1, 0] and [0, 1] to choose on, both heads have the mean 0.5, so it is head 0. If"
            " the rows to report are [1, 1] and [0, 1], its mean there is 0.5. `argmax` gives the first of"
            " several largest for numpy arrays and lists' index(max(…)); torch does not promise it."
        ),
    ),
    check=check,
)
