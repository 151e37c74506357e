"""Two processes against one on the same run: the same losses? Run: kqa bench processes

- Real processes on one machine, joined by gloo as torchrun would join them, each on one thread.
- AdamW on the assignment's span corruption, of the small world, with a small model and the assignment's
  dropout: 60 steps.
- The figure is the largest difference between two losses of one step, as a share of the loss. It is 0 where
  every process adds the same gradients in the same order; added in another, they had grown 5e-6 apart by step
  60.
- Seconds are shown and are no bar: two processes gain where there are two processors with nothing else to do.
"""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report

STEPS, BAR = 60, 1e-6
MODEL = {"n_layer": 2, "n_head": 4, "d_model": 64}


def train() -> None:
    """Train in each process; the first one prints losses and seconds."""
    import torch

    from kqa_core.text.corpus import DOCUMENTS
    from kqa_core.text.packaged import shipped
    from kqa_core.training.recipes import ASSIGNMENT, RECIPES
    from kqa_core.training.runs import pretrain

    torch.set_num_threads(1)
    RECIPES["compared"] = dataclasses.replace(ASSIGNMENT, model=MODEL)
    done = pretrain(
        "rope", shipped("world/small") / DOCUMENTS, recipe="compared", steps=STEPS, device="cpu", show=False
    )
    if os.environ.get("RANK", "0") == "0":
        print(json.dumps({"losses": done.losses, "seconds": round(done.seconds, 2)}))


def losses_of(size: int) -> dict[str, list[float] | float]:
    """The losses and seconds of a run of so many processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    told = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    command = [sys.executable, __file__, "train"]
    processes = [
        subprocess.Popen(
            command, env={**os.environ, **told, "RANK": str(rank)}, stdout=subprocess.PIPE, text=True
        )
        for rank in range(size)
    ]
    said = [process.communicate()[0] for process in processes]
    if any(process.returncode for process in processes):
        raise SystemExit(f"{size} processes: one of them failed")
    found: dict[str, list[float] | float] = json.loads(said[0])
    return found


def main() -> None:
    """Print the table, and write the figures."""
    found = {size: losses_of(size) for size in (1, 2)}
    one, two = (found[size]["losses"] for size in (1, 2))
    assert isinstance(one, list) and isinstance(two, list) and len(one) == len(two) == STEPS
    apart = max(abs(mine - theirs) / mine for mine, theirs in zip(one, two, strict=True))
    for size, each in found.items():
        losses = each["losses"]
        assert isinstance(losses, list)
        print(
            f"{size} process{'es' if size > 1 else '  '}   loss {losses[0]:.6f} → {losses[-1]:.6f}  "
            f" {each['seconds']:6.1f} s"
        )
    print(f"largest difference in {STEPS} steps: {apart:.1e} of the loss")
    figures = {
        "steps": STEPS,
        "largest_relative_difference": apart,
        "seconds": [found[size]["seconds"] for size in (1, 2)],
    }
    headline = f"losses apart by {apart:.1e} over {STEPS} steps"
    report("processes", figures, headline, f"≤ {BAR:.0e}", apart <= BAR)


if __name__ == "__main__":
    train() if sys.argv[1:] == ["train"] else main()
