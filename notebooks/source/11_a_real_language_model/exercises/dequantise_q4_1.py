"""Exercise dequantise_q4_1: 20 bytes become 32 weights."""

from __future__ import annotations

import random
import struct

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, told
from kqa_core.exercise_helpers.transformer_parts import again


def block(scale: float, minimum: float, numbers: list[int]) -> list[int]:
    """The 20 bytes of a block with these 32 numbers of 4 bits."""
    return [*struct.pack("<ee", scale, minimum), *(numbers[i] + 16 * numbers[i + 16] for i in range(16))]


def half(number: float) -> float:
    """The float16 nearest to this number."""
    return float(struct.unpack("<e", struct.pack("<e", number))[0])


def drawn(rng: random.Random, count: int, size: float = 1.0) -> tuple[Tensor, Tensor]:
    """Blocks (count, 20), and their weights (count, 32), which grow with `size`. Every bit of scale and
    minimum matters, and some blocks hold positive weights only.
    """
    blocks, weights = [], []
    for _ in range(count):
        sign = rng.choice((1, 1, 1, -1)) if count > 1 else 1
        scale, minimum = half(sign * size * rng.uniform(0.01, 1.0)), half(size * rng.uniform(-8.0, 3.0))
        numbers = [rng.randrange(16) for _ in range(32)]
        blocks.append(block(scale, minimum, numbers))
        weights.append([scale * q + minimum for q in numbers])
    return torch.tensor(blocks, dtype=torch.uint8), torch.tensor(weights)


def extreme(rng: random.Random) -> list[tuple[Tensor, Tensor]]:
    """One block with a negative scale, one with the scale 0, one near the largest number of float16, and one
    beyond it.
    """
    made = []
    for scale, minimum in ((-0.75, 0.5), (0.0, -3.5), (3500.0, 12_000.0), (6000.0, 12_000.0)):
        numbers = [rng.randrange(16) for _ in range(31)] + [15]
        made.append(
            (
                torch.tensor([block(scale, minimum, numbers)], dtype=torch.uint8),
                torch.tensor([[scale * q + minimum for q in numbers]]),
            )
        )
    return made


def mistakes(blocks: Tensor) -> dict[str, Tensor]:
    """The results of common mistakes."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()  # (n, 2)
    d, m, packed = head[:, :1], head[:, 1:], blocks[:, 4:]
    low, high = (packed % 16).float(), packed.div(16, rounding_mode="floor").float()
    right_order = torch.cat((low, high), 1)
    return {
        "you make the halves of a byte neighbours; byte i should give weights i and i + 16": (
            torch.stack((low, high), 2).flatten(1) * d + m
        ),
        "your weights 0 … 15 are the upper halves of the bytes; they should be the lower ones": torch.cat(
            (high, low), 1
        )
        * d
        + m,
        "the minimum is missing": right_order * d,
        "the minimum is subtracted; add it": right_order * d - m,
        "you exchange scale and minimum: in a block, the scale comes before the minimum": right_order * m + d,
        "8 is subtracted from the numbers: that is Q4_0; here they go from 0 to 15": (right_order - 8) * d
        + m,
        "the upper half is not shifted down by 4 bits": torch.cat((low, 16 * high), 1) * d + m,
        "the minimum is multiplied by the scale, too": (right_order + m) * d,
        "they are computed in float16; d and m should be float32 before that": (
            (right_order.half() * d.half() + m.half()).float()
        ),
    }


def judge(answer: Answer, answered: object, blocks: Tensor, wanted: Tensor) -> None:
    """Raise NotYet unless `answered` holds the weights. A mistake is named if it also gives what the answer
    says of three other blocks.
    """
    count = "1 block" if len(blocks) == 1 else f"{len(blocks)} blocks"
    if not isinstance(answered, Tensor):
        raise NotYet(f"return a tensor of weights; yours is {kind_of(answered)}")
    expect(
        tuple(answered.shape) == tuple(wanted.shape),
        f"{count} of 20 bytes should give weights of the shape {tuple(wanted.shape)}; yours have the shape"
        f" {tuple(answered.shape)}",
    )
    expect(
        answered.dtype == torch.float32,
        f"the weights should have dtype torch.float32; yours have {answered.dtype}",
    )

    largest = wanted.abs().amax(1, keepdim=True)  # of each block

    def near(found: object, other: Tensor, size: Tensor) -> bool:
        if not isinstance(found, Tensor) or found.shape != other.shape:
            return False
        return bool(((found - other).abs() <= 2e-6 * size).all())

    if near(answered, wanted, largest):
        return
    i, j = map(
        int, torch.unravel_index(((answered - wanted).abs() / largest).nan_to_num(9).argmax(), wanted.shape)
    )
    mine, yours = told(float(wanted[i, j]), float(answered[i, j]))
    d, m = blocks[i, :4].clone().view(torch.float16).tolist()
    half = f"byte {int(blocks[i, 4 + j % 16])} for weights {j % 16} and {j % 16 + 16}"
    said = f"for {count}: in block {i}, with d = {d:.4g}, m = {m:.4g} and {half}, weight {j}"
    more, weights = drawn(random.Random(7), 3)
    named = [name for name, other in mistakes(blocks).items() if near(answered, other, largest)]
    if named:
        found, size = answer(more), weights.abs().amax(1, keepdim=True)
        named = [name for name in named if near(found, mistakes(more)[name], size)]
    expect(
        False,
        f"{said} should be {mine}; yours is"
        f" {yours}{f'. Possible cause: {named[0]}' if len(named) == 1 else ''}",
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The block of the example, one block, several blocks, very small weights; blocks unchanged."""
    example = torch.tensor([block(0.5, -2.0, [*range(16), *[3] * 16])], dtype=torch.uint8)
    weights = torch.tensor([[0.5 * q - 2.0 for q in (*range(16), *[3] * 16)]])
    judge(answer, answer(example), example, weights)
    for count, size in ((1, 1.0), (3, 1.0), (6, 1.0), (8, 1e-5)):
        blocks, wanted = drawn(rng, count, size)
        judge(answer, again(answer, blocks), blocks, wanted)
    for rows, wanted in extreme(rng):
        judge(answer, again(answer, rows), rows, wanted)
    leaves_alone(answer, ("blocks",), drawn(rng, 2)[0])
    return right("your weights are those of the file")


EXERCISE = Exercise(
    id="dequantise_q4_1",
    title="Unpack blocks of Q4_1",
    order=15,
    points=2,
    difficulty=3,
    importance=3,
    minutes=15,
    source="llama.cpp's GGUF format",
    reserved=("kqa_core.pretrained.gguf:q4_1",),
    hints=(
        "A byte from 0 to 255 holds two numbers from 0 to 15. Which arithmetic gives you each of them?",
        (
            "byte % 16 (or & 15) is the lower half, byte // 16 (or >> 4) the upper half. The 16 lower halves"
            " come first, then the 16 upper ones. The cell above turns two bytes into a float16."
        ),
        (
            "blocks[:, :2].contiguous().view(torch.float16).float() has the shape (n, 1) and broadcasts. The"
            " numbers are torch.cat((lower, upper), dim=1), as floats: a uint8 cannot be negative."
        ),
    ),
    check=check,
)
