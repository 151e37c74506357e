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
    """Forty kernels, one on the ridge, one that only moves and one that only computes."""
    exact = [(1e9, 2e12, 1e12, 2e15), (4096.0, 0.0, 1e9, 1e12), (0.0, 4096.0, 1e9, 1e12)]
    for case in (*cases(rng, 40), *exact):
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
    """Through the rate that the roof allows."""
    if operations == 0:
        return bytes_moved / bandwidth, "memory"
    if bytes_moved == 0:
        return operations / peak, "compute"
    slope = operations / bytes_moved * bandwidth
    rate = min(slope, peak)
    return operations / rate, ("compute" if rate == peak else "memory")


def with_tensors(bytes_moved, operations, bandwidth, peak):
    """An argmax in torch."""
    times = torch.tensor([bytes_moved, operations], dtype=torch.float64).div(torch.tensor([bandwidth, peak], dtype=torch.float64))
    longest, which = times.max(dim=0)
    return [longest.item(), ("memory", "compute")[int(which)]]


def one_after_the_other(bytes_moved, operations, bandwidth, peak):
    """You add the two times, as if nothing were computed while numbers are on their way: at best both go on at the same time, and
    the longer one counts.
    """
    moving, computing = bytes_moved / bandwidth, operations / peak
    return moving + computing, "memory" if moving > computing else "compute"


def the_shorter(bytes_moved, operations, bandwidth, peak):
    """You take the shorter of the two times; a kernel is done when both are."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return min(moving, computing), "memory" if moving < computing else "compute"


def names_exchanged(bytes_moved, operations, bandwidth, peak):
    """Your names are exchanged: where moving takes longer, it is memory that holds the kernel up."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "compute" if moving > computing else "memory"


def always_memory(bytes_moved, operations, bandwidth, peak):
    """You look at the memory alone; a kernel that computes much with each byte waits for its arithmetic."""
    return bytes_moved / bandwidth, "memory"


def always_compute(bytes_moved, operations, bandwidth, peak):
    """You look at the arithmetic alone; a kernel that computes little with each byte waits for the memory."""
    return operations / peak, "compute"


def counts_compared(bytes_moved, operations, bandwidth, peak):
    """You compare bytes with operations: these are different things. Compare their times, or operations per byte with the
    ridge.
    """
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "memory" if bytes_moved > operations else "compute"


def a_rate_for_a_time(bytes_moved, operations, bandwidth, peak):
    """You return operations per second; asked are the seconds."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return operations / max(moving, computing), "memory" if moving > computing else "compute"


def upside_down(bytes_moved, operations, bandwidth, peak):
    """You divide rates by amounts; a time is an amount divided by a rate."""
    moving, computing = bandwidth / bytes_moved, peak / operations
    return max(moving, computing), "memory" if moving > computing else "compute"


def ridge_upside_down(bytes_moved, operations, bandwidth, peak):
    """Your time is right; the ridge is peak over bandwidth, operations per byte, and you have bytes per operation."""
    moving, computing = bytes_moved / bandwidth, operations / peak
    return max(moving, computing), "memory" if operations / bytes_moved < bandwidth / peak else "compute"


def the_mean(bytes_moved, operations, bandwidth, peak):
    """You take a mean of the two times; the longer one alone decides."""
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
)
