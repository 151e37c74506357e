"""Answer key of dequantise_q4_1.

Scales are multiples of 1/64 and minima of 1/64, which float16 holds exactly, so float32 gives the weights
without rounding. A wrong number changes a weight by at least the smallest scale, 1/64.
"""

from __future__ import annotations

import random
import struct

import numpy as np
import torch
from course_exercises.dequantise_q4_1 import drawn, extreme, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Many blocks; very small weights; one call many times."""
    for count in (1, 2, 9, 64):
        blocks, weights = drawn(rng, count)
        judge(answer, again(answer, blocks), blocks, weights)
    small = drawn(rng, 20, 1e-5)  # float16 has fewer digits below 2⁻¹⁴
    judge(answer, again(answer, small[0]), *small)
    for rows, wanted in extreme(rng):
        judge(answer, again(answer, rows), rows, wanted)
    steady(answer, drawn(rng, 2)[0])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One block and several."""
    return [(drawn(rng, count)[0],) for count in (1, 3, 5)]


def dequantise_q4_1(blocks):
    """The reference."""
    scale = blocks[:, 0:2].contiguous().view(torch.float16).float()  # (n, 1)
    minimum = blocks[:, 2:4].contiguous().view(torch.float16).float()  # (n, 1)
    packed = blocks[:, 4:]  # (n, 16)
    numbers = torch.cat((packed & 15, packed >> 4), dim=1).float()  # (n, 32)
    return scale * numbers + minimum


def block_by_block(blocks):
    """Python's struct reads a block."""
    out = []
    for row in blocks.tolist():
        d, m = struct.unpack("<ee", bytes(row[:4]))
        numbers = [byte % 16 for byte in row[4:]] + [byte // 16 for byte in row[4:]]
        out.append([d * q + m for q in numbers])
    return torch.tensor(out)


def with_numpy(blocks):
    """numpy's views."""
    raw = np.ascontiguousarray(blocks.numpy())
    head = raw[:, :4].copy().view("<f2").astype(np.float32)
    numbers = np.concatenate((raw[:, 4:] & 0x0F, raw[:, 4:] >> 4), axis=1).astype(np.float32)
    return torch.from_numpy(head[:, :1] * numbers + head[:, 1:])


def head_at_once(blocks):
    """Both halves of the head in one view, and division with rest."""
    head = blocks[:, :4].clone().view(torch.float16).to(torch.float32)
    packed = blocks[:, 4:].int()
    high = torch.div(packed, 16, rounding_mode="floor")
    low = packed - 16 * high
    return torch.hstack((low, high)) * head[:, [0]] + head[:, [1]]


def into_an_empty_tensor(blocks):
    """The two halves are written side by side."""
    d, m = blocks[:, :4].contiguous().view(torch.float16).float().unbind(1)
    weights = torch.empty(blocks.shape[0], 32)
    weights[:, :16] = torch.bitwise_and(blocks[:, 4:], 15)
    weights[:, 16:] = torch.bitwise_right_shift(blocks[:, 4:], 4)
    return torch.addcmul(m[:, None], d[:, None], weights)


def bits_by_hand(blocks):
    """float16 decoded by hand: sign, exponent, fraction."""

    def half(low, high):
        bits = low.long() + 256 * high.long()
        sign = 1 - 2 * (bits >> 15)
        exponent, fraction = (bits >> 10) & 31, (bits & 1023).double()
        normal = (1 + fraction / 1024) * 2.0 ** (exponent.double() - 15)
        return sign * torch.where(exponent == 0, fraction / 1024 * 2.0**-14, normal)

    scale, minimum = half(blocks[:, 0], blocks[:, 1]), half(blocks[:, 2], blocks[:, 3])
    packed = blocks[:, 4:].long()
    numbers = torch.stack((packed % 16, packed // 16), dim=1).flatten(1)
    return (scale[:, None] * numbers + minimum[:, None]).float()


def a_table(blocks):
    """A table of the 16 weights that a block can hold; the numbers choose."""
    d, m = blocks[:, :2].contiguous().view(torch.float16), blocks[:, 2:4].contiguous().view(torch.float16)
    table = d.float() * torch.arange(16) + m.float()  # (n, 16)
    numbers = torch.cat((blocks[:, 4:] % 16, blocks[:, 4:] // 16), 1).long()
    return table.gather(1, numbers)


def interleaved(blocks):
    """You make the two halves of a byte neighbouring weights. Byte i should give the weights i and i + 16."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    numbers = torch.stack((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 2).flatten(1).float()
    return head[:, :1] * numbers + head[:, 1:]


def upper_first(blocks):
    """Your weights 0 … 15 are the upper halves of the bytes. They should be the lower halves."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    numbers = torch.cat((blocks[:, 4:] >> 4, blocks[:, 4:] & 15), 1).float()
    return head[:, :1] * numbers + head[:, 1:]


def no_minimum(blocks):
    """The minimum is missing."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float()


def subtracted(blocks):
    """The minimum is subtracted. Add it."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() - head[:, 1:]


def exchanged(blocks):
    """You exchange scale and minimum. In a block, the scale comes before the minimum."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, 1:] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + head[:, :1]


def signed_numbers(blocks):
    """8 is subtracted from the numbers, as in Q4_0. Here they go from 0 to 15."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * (torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() - 8) + head[:, 1:]


def not_shifted(blocks):
    """The upper half of a byte is not shifted down by 4 bits: its numbers are 16 times too large."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] & 240), 1).float() + head[:, 1:]


def minimum_scaled(blocks):
    """The minimum is multiplied by the scale, too. Only the numbers are multiplied."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * (torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + head[:, 1:])


def lower_twice(blocks):
    """The lower half of each byte is used twice. The upper half holds another weight."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] & 15), 1).float() + head[:, 1:]


def whole_bytes(blocks):
    """A byte is used as one number. It holds two numbers of 4 bits."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * blocks[:, 4:].float() + head[:, 1:]


def other_byte_order(blocks):
    """The float16 is read with its bytes exchanged. The lower byte comes first, which `view` expects."""
    head = blocks[:, [1, 0, 3, 2]].contiguous().view(torch.float16).float()
    head = torch.nan_to_num(head, 0.0, 0.0, 0.0)
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + head[:, 1:]


def first_scale(blocks):
    """All blocks have the scale and minimum of the first one. Each block has its own."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[0, 0] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + head[0, 1]


def one_row(blocks):
    """You return all weights in one row. Return (n, 32), one row for each block."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return (
        head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() + head[:, 1:]
    ).flatten()


def divided_by_15(blocks):
    """The numbers are divided by 15. The scale is a step, and not the whole range."""
    head = blocks[:, :4].contiguous().view(torch.float16).float()
    return head[:, :1] * torch.cat((blocks[:, 4:] & 15, blocks[:, 4:] >> 4), 1).float() / 15 + head[:, 1:]


KEY = AnswerKey(
    id="dequantise_q4_1",
    hidden=hidden,
    reference=dequantise_q4_1,
    accepted=(block_by_block, with_numpy, head_at_once, into_an_empty_tensor, bits_by_hand, a_table),
    rejected=(
        interleaved,
        upper_first,
        no_minimum,
        subtracted,
        exchanged,
        signed_numbers,
        not_shifted,
        minimum_scaled,
        lower_twice,
        whole_bytes,
        other_byte_order,
        first_scale,
        one_row,
        divided_by_15,
    ),
    fingerprint=fingerprint,
    commentary="""
The first two bytes are the scale, the next two the minimum, and each of the other 16 bytes holds two numbers
from 0 to 15: `& 15` is the lower half, `>> 4` the upper one. The lower halves are the weights 0 … 15, the
upper ones the weights 16 … 31. A weight is scale · number + minimum.

The commonest mistake is to put the two numbers of a byte side by side.
""",
)
