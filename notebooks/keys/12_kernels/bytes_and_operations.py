"""Answer key of bytes_and_operations: whole numbers, also as floats.
`test_12_kernels.py` counts them tensor by tensor.
"""

from __future__ import annotations

import random

from course_exercises.bytes_and_operations import NAMES, PARTS, counts_of, same_counts

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict
from kqa_core.check.partial_credit import by_parts


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Six sets of different primes, so that no factor hides another."""
    drawn = [rng.sample((3, 5, 7, 11, 13, 17, 19, 23, 29, 31), 3) for _ in range(5)]
    drawn.append([97, 4_099, 131])  # counts beyond 2³¹
    results = [answer(*sizes) for sizes in drawn]

    def part(name: str) -> None:
        for sizes, result in zip(drawn, results, strict=True):
            where = f"for N, T, d = {', '.join(map(str, sizes))}"
            same_counts(counts_of(result, NAMES[name]), bytes_and_operations(*sizes), where)

    return by_parts(PARTS, part)


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two sets of sizes."""
    return [(7, 3, 5), (16, 64, 8)]


def bytes_and_operations(N, T, d):
    """The reference."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def tensor_by_tensor(N, T, d):
    """Shapes of what is read and written, and the sizes of the products."""
    rows, square, table = (N, T, d), (N, T, T), (1, T, d)
    moved = {
        "in_steps": [rows, rows, square, square, square, square, rows, rows],
        "one_tile": [rows] * 4,
        "synthesizer": [rows, table, rows, rows],
        "backward": [rows] * 4 + [rows] * 3,
    }
    products = {"in_steps": 2, "one_tile": 2, "synthesizer": 2, "backward": 5}
    return {
        name: (sum(2 * a * b * c for a, b, c in moved[name]), products[name] * N * 2 * T * d * T)
        for name in moved
    }


def one_head_first(N, T, d):
    """Everything for one head, then times N; the table is added on top."""
    per_head = {
        "in_steps": 8 * T * d + 8 * T * T,
        "one_tile": 8 * T * d,
        "synthesizer": 6 * T * d,
        "backward": 14 * T * d,
    }
    shared = {"synthesizer": 2 * T * d}
    work = 4 * T * T * d
    counted = {}
    for name, each in per_head.items():
        factor = 2.5 if name == "backward" else 1.0
        counted[name] = [N * each + shared.get(name, 0), N * work * factor]
    return counted


def from_the_intensity(N, T, d):
    """Operations from a head's products; bytes from operations and operations per byte."""
    forward = N * T * d * T * 4
    return {
        "backward": (forward * 7 // (2 * T), forward // 2 * 5),
        "one_tile": (forward * 2 // T, forward),
        "synthesizer": (forward * 3 // (2 * T) + d * (T + T), forward),
        "in_steps": (forward * 2 // T + forward * 2 // d, forward),
    }


def kernel_by_kernel(N, T, d):
    """A list of kernels, (numbers read, numbers written, multiplications)."""
    x, p = T * d * N, T * T * N
    kernels = [("in_steps", x + x, p, p * d), ("in_steps", p, p, 0), ("in_steps", p + x, x, p * d)]
    kernels += [
        ("one_tile", 3 * x, x, 2 * p * d),
        ("synthesizer", x + T * d + x, x, 2 * p * d),
        ("backward", 4 * x, 3 * x, 5 * p * d),
    ]
    sums = dict.fromkeys(("in_steps", "one_tile", "synthesizer", "backward"), (0, 0))
    for name, reads, writes, products in kernels:
        size, work = sums[name]
        sums[name] = (size + (reads + writes) * 2, work + products + products)
    return sums


def numbers_for_bytes(N, T, d):
    """Your bytes are as many as the numbers. Each number has 16 bits, which are two bytes."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (4 * head + 4 * square, 4 * square * d),
        "one_tile": (4 * head, 4 * square * d),
        "synthesizer": (3 * head + T * d, 4 * square * d),
        "backward": (7 * head, 10 * square * d),
    }


def multiplications_alone(N, T, d):
    """You count half of the operations. A product of (a, b) and (b, c) has a·b·c multiplications and as many
    additions, and the whole square counts.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 2 * square * d),
        "one_tile": (2 * 4 * head, 2 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 2 * square * d),
        "backward": (2 * 7 * head, 5 * square * d),
    }


def softmax_moves_nothing(N, T, d):
    """In steps, you count two squares, but four are moved:
    the first product writes one, the softmax reads one and writes one, and the last product reads one.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 2 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def squares_written_once(N, T, d):
    """You count one of the four squares too few:
    two are written, and each of them is read again by the next kernel.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 3 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def table_for_each_head(N, T, d):
    """You count the Synthesizer's table once for each head. All heads share it, so it is read once."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * 4 * head, 4 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def table_forgotten(N, T, d):
    """The Synthesizer's table of keys is missing: T·d numbers, read once."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * 3 * head, 4 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def synthesizer_has_one_product(N, T, d):
    """You count one product for the Synthesizer. It has two: (T, d) times (d, T) gives the logits, and (T, T)
    times (T, d) the output.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 2 * square * d),
        "backward": (2 * 7 * head, 10 * square * d),
    }


def weights_remembered(N, T, d):
    """In backward, you count four products. There are five: the logits again, the gradient of the weights,
    and one each for q, k and v.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 7 * head, 8 * square * d),
    }


def gradient_not_read(N, T, d):
    """In backward, you count six tensors. It moves seven: it reads q, k, v and the gradient of the output,
    and writes three gradients.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 6 * head, 10 * square * d),
    }


def output_read(N, T, d):
    """In backward, you count one tensor too many: 7 are moved, not 8.
    It reads the gradient of the output, not the output.
    """
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (2 * 4 * head, 4 * square * d),
        "synthesizer": (2 * (3 * head + T * d), 4 * square * d),
        "backward": (2 * 8 * head, 10 * square * d),
    }


def output_not_written(N, T, d):
    """You count what is read; what is written moves as well."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (2 * (3 * head + 2 * square), 4 * square * d),
        "one_tile": (2 * 3 * head, 4 * square * d),
        "synthesizer": (2 * (2 * head + T * d), 4 * square * d),
        "backward": (2 * 4 * head, 10 * square * d),
    }


def in_single_precision(N, T, d):
    """You count four bytes for each number. These numbers have 16 bits, which are two bytes."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (4 * (4 * head + 4 * square), 4 * square * d),
        "one_tile": (4 * 4 * head, 4 * square * d),
        "synthesizer": (4 * (3 * head + T * d), 4 * square * d),
        "backward": (4 * 7 * head, 10 * square * d),
    }


def exchanged(N, T, d):
    """Your pairs are (operations, bytes). Return (bytes, operations)."""
    head, square = N * T * d, N * T * T
    return {
        "in_steps": (4 * square * d, 2 * (4 * head + 4 * square)),
        "one_tile": (4 * square * d, 2 * 4 * head),
        "synthesizer": (4 * square * d, 2 * (3 * head + T * d)),
        "backward": (10 * square * d, 2 * 7 * head),
    }


KEY = AnswerKey(
    id="bytes_and_operations",
    hidden=hidden,
    reference=bytes_and_operations,
    accepted=(tensor_by_tensor, one_head_first, from_the_intensity, kernel_by_kernel),
    rejected=(
        *(
            numbers_for_bytes,
            multiplications_alone,
            softmax_moves_nothing,
            squares_written_once,
            table_for_each_head,
        ),
        *(table_forgotten, synthesizer_has_one_product, weights_remembered, gradient_not_read, output_read),
        *(output_not_written, in_single_precision, exchanged),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Bytes: write down the shape of everything that a kernel reads and writes. In steps, the $T\times T$ square
    crosses the memory four times, because the first two kernels each write one and the next kernel reads it
    again. That term, $8NT^2$ bytes, is what one tile saves; the operations are the same. The Synthesizer
    reads its keys once for all heads. Backward reads $q$, $k$, $v$ and the output's gradient and writes three
    gradients, and it has five products, because the weights are computed again instead of being loaded. The
    common mistake is to count a square once, although it is written *and* read.
    """,
)
