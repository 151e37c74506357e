"""Junk that looks like an answer of one notebook: of the right kind, shape or length, and wrong all the same.

What is junk for one notebook may be right in another (True, 3, a tensor of noughts), so each value is for its
own notebook alone.
"""

from __future__ import annotations

import math

import sympy as sp
import torch
from course_exercises.cost import SMALL
from course_exercises.encoder_decoder_shapes import WHAT

BETA, W = sp.symbols("beta w", positive=True)
OTHER_BETA = sp.Symbol("beta")  # not the notebooks' symbol: nothing is assumed of it
ONE = sp.eye(4)
HUGE = torch.full((3,), 1e200, dtype=torch.float64)
NOUGHTS = torch.zeros(127, dtype=torch.int64)

START = [torch.full((2,), value, dtype=torch.float64) for value in (0.0, math.nan, math.inf)]
LOOKUP = [
    *(
        3,
        (True, None, None),
        (sp.nan, sp.oo),
        (sp.true, sp.false),
        sp.Matrix([OTHER_BETA] * 3),
        sp.Matrix([sp.oo] * 3),
    ),
    *(HUGE, HUGE * HUGE, torch.full((4, 3), math.nan)),
]
HEADS = [
    *(
        True,
        sp.oo,
        sp.true,
        W,
        sp.Float("1e400"),
        sp.eye(4),
        (sp.nan, sp.oo),
        sp.Lambda(BETA, BETA),
        sp.Sum(BETA, (BETA, 1, 9)),
    ),
    *(sp.Matrix([sp.nan] * 4), sp.Matrix([sp.I] * 4), sp.Matrix([sp.oo] * 4), sp.MatrixSymbol("k", 4, 1)),
    *((sp.zeros(4, 1), None), (sp.Matrix([sp.nan] * 4), sp.zeros(4, 1)), sp.Integral(BETA, BETA)),
    *(
        HUGE,
        HUGE * HUGE,
        torch.full((1, 3, 4), math.nan),
        torch.ones(1, 3, 4, dtype=torch.bool),
        torch.tensor(1j),
    ),
]
MATRICES = [
    *(
        (ONE, None),
        (0, 0),
        ((0, 0), None),
        sp.true,
        sp.zeros(0, 4),
        sp.nan * ONE,
        sp.I * ONE,
        OTHER_BETA * ONE,
        sp.oo * ONE,
    ),
    *(
        sp.MatrixSymbol("V", 4, 4),
        (ONE, sp.ones(3, 4)),
        (sp.ones(80, 4), sp.ones(80, 4)),
        (ONE, ONE, None),
        (ONE, ONE, ONE, ONE),
    ),
    *(
        torch.eye(4),
        (torch.eye(4), torch.eye(4)),
        sp.sin(BETA) * ONE,
        (sp.sin(BETA) * ONE, sp.exp(sp.exp(sp.exp(BETA))) * ONE),
    ),
    *(sp.Function("f")(BETA) * ONE, (sp.gamma(BETA) * ONE, sp.Piecewise((1, BETA < 3), (BETA, True)) * ONE)),
    *(
        (["a", None, {}], sp.ones(4, 1)),
        ((math.nan, 0, 0), sp.ones(4, 1)),
        ((0, 0, 0), sp.sin(BETA) * sp.ones(4, 1)),
    ),
]
TRANSFORMER = [
    *(
        3,
        torch.full((2, 5, 12), math.inf),
        torch.ones(2, 5, dtype=torch.bool),
        torch.ones(3, 3, dtype=torch.complex64),
    ),
    *(
        torch.full((2, 4, 6), 1e308, dtype=torch.float64),
        {"memory": None},
        (sp.nan, sp.oo),
        (sp.Symbol("d"), sp.I),
    ),
    *(torch.full((2, 3), 1e38, dtype=torch.bfloat16), [torch.zeros(2)] * 3),
    dict.fromkeys(WHAT, (1, None)),
]
LAB = [
    *(
        1,
        "yes",
        "True",
        [0.5] * 12,
        torch.full((12,), math.nan),
        torch.zeros(2, 3, 5, 4),
        torch.full((2, 1, 4, 3), math.inf),
    ),
    *(
        torch.zeros(4, 6, dtype=torch.long),
        torch.zeros(4, 6).numpy(),
        torch.ones(2, 1, 4, 3, dtype=torch.bool),
    ),
]
SPANS = [True, "⁇⁇", torch.zeros(3, 3), NOUGHTS, torch.full((127,), math.nan), (NOUGHTS, NOUGHTS)]
TRAINING = [
    *(
        "⁇⁇",
        [0.5] * 12,
        torch.full((12,), math.nan),
        {"head.weight": None},
        {"head.weight": torch.zeros(2)},
        (1.0, 0.0),
    ),
]
RELATIVES = [
    *(
        True,
        3,
        "x",
        [(0, 0)],
        torch.tensor(1.0),
        torch.tensor(1j),
        torch.full((2, 5, 4), math.nan),
        torch.zeros(4, 4).bool(),
    ),
    *(
        [torch.zeros(2), torch.zeros(2)],
        {"attention": None},
        dict.fromkeys(SMALL, (math.nan, 1)),
        dict.fromkeys(SMALL, "ab"),
    ),
]
NAN = torch.full((8, 4), math.nan)
KERNELS = [
    *(True, 3, "x", (None, None, None), torch.tensor(1.0), torch.tensor(1j), NAN),
    *(torch.zeros(4, 4).bool(), torch.zeros(3).long()),
    *((1.0, "both"), ("memory", 1.0), (math.nan, "memory"), (NAN, NAN, NAN), (1, 2, "x"), {"one_tile": None}),
    dict.fromkeys(("in_steps", "one_tile", "synthesizer", "backward"), (math.nan, 1)),
]
KNOWLEDGE = [
    *(
        True,
        "Aldara",
        [[0.5]] * 3,
        torch.full((12, 2), math.nan),
        torch.tensor(1j),
        {1: None},
        {"a": (1, 2, 3)},
    ),
    *([(math.nan, 0.0)] * 7, [("a", "b")] * 7, [(0.1, 0.2), None]),
]
ENCODER = [
    *(
        True,
        "good",
        [[0.5]] * 3,
        torch.full((12, 2), math.nan),
        torch.tensor(1j),
        {1: None},
        {"a": (1, 2, 3)},
    ),
    *(
        [(math.nan, 0.0)] * 7,
        [("a", "b")] * 7,
        {name: [1] for name in ("input_ids", "attention_mask", "labels")},
    ),
    (torch.zeros(4, dtype=torch.int64), torch.zeros(4), torch.zeros(4)),
]
REAL = [
    *(True, 3, "x", ["a", 3], (None, None), torch.tensor(1.0), torch.tensor(1j), NAN),
    *(torch.zeros(4, 4).bool(), torch.zeros(3).long(), torch.full((4, 5), math.nan)),
    *([torch.zeros(2, 3)] * 4, (torch.zeros(2, 3), None), (torch.zeros(2, 3), (NAN, NAN)), -0.5),
]
SHAPED = {
    "00_start_here": START,
    "01_attention_as_a_lookup": LOOKUP,
    "02_one_head_or_many": HEADS,
    "03_keys_queries_values": MATRICES,
    "04_build_a_transformer": TRANSFORMER,
    "05_mini_transformer_lab": LAB,
    "06_span_corruption": SPANS,
    "07_pretrain_finetune_evaluate": TRAINING,
    "09_the_synthesizer_and_its_relatives": RELATIVES,
    "11_a_real_language_model": REAL,
    "12_kernels": KERNELS,
    "10_fine_tune_an_encoder": ENCODER,
    "08_what_does_the_model_know": KNOWLEDGE,
}
