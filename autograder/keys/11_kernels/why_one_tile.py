"""Answer key of why_one_tile.

128 · 128 · 4 bytes = 64 KiB, a quarter of the 256 KiB of registers of a multiprocessor (compute capability 8.0 and 9.0:
65,536 of 32 bits); 256 · 256 · 4 = 256 KiB, all of them, with nothing left for q, k, v and the second square of the backward
pass.
"""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_one_tile",
    model_answer="""
    With 128 positions all logits of a head are one tile of 128 × 128 numbers: 64 KiB in float32, a quarter of the registers of a
    multiprocessor. So a program sees all keys of a row at once and takes a plain softmax, one maximum and one sum: there is
    no loop over chunks of keys, no running maximum and no rescaling of what was read before. It reads q, k and v once and
    writes the output once. On the way back it computes the weights again from q and k, which it must read anyway, and all
    three gradients in the same program: nothing has to be remembered from the way there, not even the row's maximum and sum,
    and no two programs add to the same place. The price is the length: 256 positions would need 256 KiB for one square
    alone, the whole register file, and the backward pass holds two. From there on, tiles of keys have to be streamed and
    merged as in online_softmax.
    """,
    rubric=(
        (0.5, "All keys of a row are in the program's hands, so a plain softmax will do: no running maximum, no rescaling"),
        (0.5, "What it saves in memory traffic: q, k, v read once, output written once, or: no square is written or remembered"),
        (0.5, "The size: 64 KiB of a multiprocessor's 256 KiB of registers (or of its shared memory), as a count"),
        (0.5, "Where it ends: the square grows with T², at 256 it fills all registers; then stream tiles and merge"),
    ),
    misconceptions=(
        "The online softmax is less exact, or an approximation: it is the same sum, in another order",
        "128 is a limit of the hardware or of Triton: it is where a square of float32 still fits comfortably",
        "One tile does fewer multiplications: as many, and with a causal mask even more than a kernel that skips "
        "tiles of the future",
    ),
)
