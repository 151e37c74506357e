"""The Triton kernels: in the interpreter, compiled for GPUs that need not be here,
and on a GPU where there is one.

Triton is optional: without it these tests are skipped, and plain torch (`test_one_tile.py`,
`test_span_rows.py`) is what runs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from kqa_core.kernels import one_tile

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("triton"),  # compiled once
    pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="triton is not installed"),
]


def in_a_process(*command: str, interpreter: bool, cache: Path) -> subprocess.CompletedProcess[str]:
    """Python with these arguments; Triton takes the interpreter, or does not, from its first import on."""
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "TRITON_CACHE_DIR": str(cache),
        "TRITON_INTERPRET": str(int(interpreter)),
    }
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


def every_case_passes(done: subprocess.CompletedProcess[str], least: int) -> None:
    assert done.returncode == 0, f"{REPEAT}\n{done.stdout[-8000:]}{done.stderr[-2000:]}"
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) >= least, done.stdout[-2000:]


REPEAT = "one case again: KQA_ALL=1 TRITON_INTERPRET=1 pytest tests/kqa_core/kernels/kernel_cases.py -k NAME"
CASES = (
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-o",
    "addopts=",
    str(HERE / "kernel_cases.py"),
)


def test_every_case_holds_in_the_interpreter(tmp_path: Path) -> None:
    least = 70 if os.environ.get("KQA_ALL") else 33  # of some, a third is drawn
    every_case_passes(in_a_process(*CASES, interpreter=True, cache=tmp_path), least)


@pytest.mark.skipif(
    not torch.cuda.is_available(), reason="there is no GPU here: the kernels are not run natively"
)
def test_every_case_holds_on_this_gpu(tmp_path: Path) -> None:
    every_case_passes(in_a_process(*CASES, interpreter=False, cache=tmp_path), least=700)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """Every kernel compiled for sm_80 and sm_90."""
    done = in_a_process(
        str(HERE / "compile_for.py"), interpreter=False, cache=tmp_path_factory.mktemp("cache")
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.mark.nightly
def test_both_generations_are_compiled_for(compiled) -> None:
    assert {row["sm"] for row in compiled} == {80, 90}
    assert {row["kernel"] for row in compiled} == {"forward_kernel", "backward_kernel", "rows_kernel"}


@pytest.mark.nightly
def test_nothing_is_spilled(compiled) -> None:
    """To `one_tile.SERVED` channels; the seam asks for no more."""
    for row in compiled:
        assert row["spilled"] == 0, row
        assert row.get("hs", 0) <= one_tile.SERVED


@pytest.mark.nightly
def test_programs_leave_registers_for_others(compiled) -> None:
    """What was seen with Triton 3.6 and 3.9, and a little more. A multiprocessor has 65,536: at 128 positions
    a program of 256 threads has it to itself (but for the forward pass on sm_80), at 64 positions four
    programs of 128 threads share it.
    """
    for row in compiled:
        assert row["registers"] <= {"forward_kernel": 192, "rows_kernel": 128}.get(
            row["kernel"], 255 if row["sm"] == 80 else 192
        ), row
        if row.get("T") == 64:
            assert row["registers"] <= 128, row


@pytest.mark.nightly
def test_products_run_on_tensor_cores(compiled) -> None:
    for row in compiled:
        products = {"forward_kernel": 2, "backward_kernel": 5, "rows_kernel": 0}[row["kernel"]]
        assert (row["tensor"] == 0) is (products == 0) and row["tensor"] >= products, row


@pytest.mark.nightly
def test_no_kernel_adds_in_an_order_that_varies(compiled) -> None:
    assert all(row["atomics"] == 0 for row in compiled)


@pytest.mark.nightly
def test_a_program_fits_beside_another_on_its_processor(compiled) -> None:
    """An A100 has 164 KiB of shared memory and 65,536 registers a multiprocessor,
    an H100 228 KiB and as many registers.
    """
    for row in compiled:
        assert 2 * row["shared_memory"] <= 164 * 1024, row
