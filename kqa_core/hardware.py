"""The hardware of this machine: processor cores, and the device on which training and evaluation run.

- "auto" is a GPU that torch can use, else the processor. KQA_DEVICE=cpu (or cuda) in the environment sets
  what "auto" means.
- bfloat16 is used on processors that have fast instructions for it: `has_fast_bfloat16`.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kqa_core.errors import UserError

if TYPE_CHECKING:
    import torch

CHOICES = ("auto", "cpu", "cuda")


def find_device(name: str = "auto") -> torch.device:
    """The device called `name`. Raises UserError for another name, and if there is no GPU for it."""
    import torch  # here, so that commands which need no torch start fast

    if name not in CHOICES:
        raise UserError(f"device: {name!r} is unknown; expected one of {', '.join(CHOICES)}")
    if name == "auto":
        name = os.environ.get("KQA_DEVICE", "auto")
        if name not in CHOICES:
            raise UserError(f"KQA_DEVICE is {name!r}; expected one of {', '.join(CHOICES)}")
        name = ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name
    if name == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise UserError(
            "device: cuda needs a GPU, and torch finds none here: see `kqa doctor`, or use --device cpu"
        )
    return torch.device("cuda", 0)


def cores() -> int:
    """The number of cores this process may use. PYTHON_CPU_COUNT overrides it, as in Python 3.13."""
    limit = os.environ.get("PYTHON_CPU_COUNT", "")
    if limit.isdecimal() and int(limit):
        return int(limit)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def has_fast_bfloat16() -> bool:
    """Whether bfloat16 is faster than float32 here: AMX, Arm's BF16, AMD's AVX-512 BF16.

    Intel's AVX-512 BF16 without AMX is slower: 145 GFLOP/s, and 230 in float32 (two cores, (4096, 256) @
    (256, 256), torch 2.13).
    """
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return False  # not Linux: use float32, which works everywhere
    return bool(words & {"amx_bf16", "bf16"}) or {"AuthenticAMD", "avx512_bf16"} <= words
