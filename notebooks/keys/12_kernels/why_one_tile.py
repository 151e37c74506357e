"""Answer key of why_one_tile.

128 · 128 · 4 bytes = 64 KiB, a quarter of the 256 KiB of registers of a multiprocessor (compute capability
8.0 and 9.0: 65,536 of 32 bits); 256 · 256 · 4 = 256 KiB, all of them, with nothing left for q, k, v and the
second square of the backward pass.
"""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_one_tile",
    model_answer="""
    With 128 positions, all logits of a head are one tile of 128 × 128 numbers. In float32 that is 64 KiB, a
    quarter of the 256 KiB of registers of a multiprocessor. So a program holds all logits of a row at once
    and takes an ordinary softmax: one maximum and one sum. It needs no loop over tiles of keys, no running
    maximum and no rescaling of earlier sums. It reads q, k and v once and writes the output once. The
    backward pass computes the weights again from q and k, which it reads anyway. So it does not have to load
    the square of weights, nor the maximum and the sum of a row, and the forward pass stores none of them. The
    limit is the length: 256 positions need 256 KiB for one square, which is the whole register file, and the
    backward pass holds two squares. For longer texts, tiles of keys have to be streamed and merged as in
    online_softmax.
    """,
    rubric=(
        (
            0.5,
            (
                "The program holds all logits of a row, so an ordinary softmax is enough: no running maximum,"
                " no rescaling"
            ),
        ),
        (
            0.5,
            (
                "Memory traffic: q, k, v read once and the output written once, or: backward computes the"
                " weights again"
            ),
        ),
        (0.5, "The size as a count: 64 KiB of a multiprocessor's 256 KiB of registers"),
        (
            0.5,
            (
                "The limit: the square grows with T², and at 256 it fills all registers; then tiles are"
                " streamed and merged"
            ),
        ),
    ),
    misconceptions=(
        "The online softmax is less exact, or an approximation: it computes the same sum in another order",
        (
            "128 is a limit of the hardware or of Triton: it is a length at which a square of float32 leaves"
            " room for the rest"
        ),
        (
            "One tile does fewer multiplications: it does as many, and with a causal mask more than a kernel"
            " that skips masked tiles"
        ),
    ),
)
