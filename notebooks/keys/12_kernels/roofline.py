"""Answer key of roofline."""

from __future__ import annotations

import math
import random

import torch
from course_exercises.roofline import cases, right_place

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Forty kernels, one on the ridge, and two tiny ones."""
    for case in (
        *cases(rng, 40),
        (1e9, 2e12, 1e12, 2e15),
        (1, 1, 10**13, 10**15),
        (3, 10**6, 10**12, 10**14),
    ):
        right_place(answer(*case), case)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Kernels on both sides."""
    return [(6e9, 1e9, 3e9, 1e12), (1e6, 8e12, 1e9, 4e12), *cases(rng, 8)]


def roofline(bytes_moved, operations, bandwidth, peak):
    """The reference."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "memory" if moving > computing else "compute"


def by_the_ridge(bytes_moved, operations, bandwidth, peak):
    """Operations per byte against the ridge."""
    ridge = peak / bandwidth
    if operations < ridge * bytes_moved:
        return bytes_moved / bandwidth, "memory"
    return operations / peak, "compute"


def a_sorted_pair(bytes_moved, operations, bandwidth, peak):
    """The last of two, sorted by time."""
    return sorted([(operations / peak, "compute"), (bytes_moved / bandwidth, "memory")])[-1]


def attained(bytes_moved, operations, bandwidth, peak):
    """Through the rate that the roofline allows."""
    if operations == 0:
        return bytes_moved / bandwidth, "memory"
    if bytes_moved == 0:
        return operations / peak, "compute"
    slope = operations / bytes_moved * bandwidth
    rate = min(slope, peak)
    return operations / rate, ("compute" if rate == peak else "memory")


def with_tensors(bytes_moved, operations, bandwidth, peak):
    """An argmax in torch."""
    times = torch.tensor([bytes_moved, operations], dtype=torch.float64).div(
        torch.tensor([bandwidth, peak], dtype=torch.float64)
    )
    longest, which = times.max(dim=0)
    return [longest.item(), ("memory", "compute")[int(which)]]


def one_after_the_other(bytes_moved, operations, bandwidth, peak):
    """You add the two times. At best, moving and computing go on at the same time,
    so the longer time counts.
    """
    moving, computing = bytes_moved / bandwidth, operations / peak
    return moving + computing, "memory" if moving > computing else "compute"


def the_shorter(bytes_moved, operations, bandwidth, peak):
    """You take the shorter of the two times. A kernel is done when both are done."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return min(moving, computing), "memory" if moving < computing else "compute"


def names_exchanged(bytes_moved, operations, bandwidth, peak):
    """Your names are exchanged: where moving takes longer, the limit should be memory."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "compute" if moving > computing else "memory"


def always_memory(bytes_moved, operations, bandwidth, peak):
    """The time of moving and "memory" are returned for every kernel.
    A kernel with many operations per byte is limited by arithmetic.
    """
    return bytes_moved / bandwidth, "memory"


def always_compute(bytes_moved, operations, bandwidth, peak):
    """The time of computing and "compute" are returned for every kernel.
    A kernel with few operations per byte is limited by memory.
    """
    return operations / peak, "compute"


def counts_compared(bytes_moved, operations, bandwidth, peak):
    """You compare bytes with operations. They have different units: compare their times."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "memory" if bytes_moved > operations else "compute"


def a_rate_for_a_time(bytes_moved, operations, bandwidth, peak):
    """You return operations per second; the seconds are wanted."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return operations / max(moving, computing), "memory" if moving > computing else "compute"


def upside_down(bytes_moved, operations, bandwidth, peak):
    """You divide rates by amounts. A time is an amount divided by a rate."""
    moving, computing = bandwidth / bytes_moved, peak / operations
    return max(moving, computing), "memory" if moving > computing else "compute"


def ridge_upside_down(bytes_moved, operations, bandwidth, peak):
    """The name comes from a ridge that is upside down. The ridge should be peak divided by bandwidth,
    in operations per byte.
    """
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "memory" if operations / bytes_moved < bandwidth / peak else "compute"


def the_mean(bytes_moved, operations, bandwidth, peak):
    """You take a mean of the two times. Only the longer one counts."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return math.sqrt(moving * computing), "memory" if moving > computing else "compute"


KEY = AnswerKey(
    id="roofline",
    hidden=hidden,
    reference=roofline,
    accepted=(by_the_ridge, a_sorted_pair, attained, with_tensors),
    rejected=(
        *(one_after_the_other, the_shorter, names_exchanged, always_memory, always_compute, counts_compared),
        *(a_rate_for_a_time, upside_down, ridge_upside_down, the_mean),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    A time is an amount divided by a rate, so there are two times, one for moving and one for computing. A
    processor does both at once: the kernel takes at least the longer time, and the longer time names the
    limit. The sum of the two would be right only if the processor waited for all bytes before it computed
    anything. Comparing operations per byte with the ridge, peak / bandwidth, gives the same answer, but it
    divides by zero for a kernel that moves nothing.
    """,
)
