"""Compile every kernel for GPUs that this machine need not have:
`python compile_for.py` prints one JSON list.

- Triton compiles for a named target, and the tools that come with it say what the machine code uses: no
  driver, no GPU is asked.
- It runs in a process of its own, without the interpreter: Triton is either the one or the other from its
  first import on.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from kqa_core.kernels import one_tile_triton, span_rows_triton

TOOL = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
# tensors of the inputs' type
FLOATS = ("query", "key", "value", "grad", "out", "offset", "d_query", "d_value")
TABLES = ("flat", "offsets", "lengths", "rows", "steps", "seed")


def signature(kernel, constants: dict[str, object], kind: str) -> dict[str, str]:
    """The types with which the launchers call the kernel."""
    types = {}
    for name in kernel.arg_names:
        if name in constants:
            types[name] = "constexpr"
        elif name in TABLES or (name == "out" and kernel is span_rows_triton.rows_kernel):
            types[name] = "*i64"
        elif name in ("offset", "d_offset"):
            types[name] = "*fp32"
        elif name == "d_key":
            # keys that are shared: the Synthesizer's
            types[name] = "*fp32" if constants["OFFSET"] else f"*{kind}"
        elif name in FLOATS:
            types[name] = f"*{kind}"
        else:
            types[name] = "fp32" if name == "scale" else "i32"
    return types


def compiled(
    kernel, constants: dict[str, object], kind: str, capability: int, warps: int
) -> dict[str, object]:
    """What became of the kernel: registers and bytes of memory a thread,
    bytes of shared memory, tensor-core instructions.
    """
    types = signature(kernel, constants, kind)
    # pointers, strides and widths divide by 16 in the models of this course: the launcher tells the compiler
    # so
    aligned = [i for i, kind_of in enumerate(types.values()) if kind_of.startswith("*")]
    aligned += [i for i, name in enumerate(types) if re.search(r"_[bht]$|width$", name)]
    source = ASTSource(kernel, types, constants, {(i,): [["tt.divisibility", 16]] for i in aligned})
    options = {"num_warps": warps, **one_tile_triton.COMPILED}
    made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(made.asm["cubin"])
        said = subprocess.run(
            [str(TOOL), "--dump-resource-usage", str(path)], capture_output=True, text=True, check=True
        ).stdout
    used = dict(re.findall(r"([A-Z]+):(\d+)", said))
    ptx = made.asm["ptx"]
    return {
        "registers": int(used["REG"]),
        "spilled": int(used["STACK"]) + int(used["LOCAL"]),
        "shared_memory": made.metadata.shared,
        "tensor": len(re.findall(r"wgmma\.mma_async|mma\.sync", ptx)),
        "atomics": len(re.findall(r"\b(?:atom|red)\.", ptx)),
    }


def main() -> None:
    rows = []
    for capability in (80, 90):
        for kind, length, width in (("bf16", 128, 32), ("fp16", 128, 32), ("bf16", 64, 16)):
            for synthesizer in (False, True):
                sizes = {
                    "CAUSAL": True,
                    "OFFSET": synthesizer,
                    "LENGTH": length,
                    "WIDTH": width,
                    "VALUE_WIDTH": width,
                }
                for kernel in (one_tile_triton.forward_kernel, one_tile_triton.backward_kernel):
                    case = {
                        "kernel": kernel.fn.__name__,
                        "sm": capability,
                        "type": kind,
                        "T": length,
                        "hs": width,
                    }
                    used = compiled(kernel, sizes, kind, capability, one_tile_triton.warps(length))
                    rows.append(case | {"synthesizer": synthesizer} | used)
        case = {"kernel": "rows_kernel", "sm": capability}
        constants = {"ROWS": span_rows_triton.ROWS, "BLOCK": 128}
        rows.append(case | compiled(span_rows_triton.rows_kernel, constants, "i64", capability, 4))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
