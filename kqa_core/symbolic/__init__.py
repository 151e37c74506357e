"""Attention with symbols: keys, queries and weights as sympy expressions, and their limits as β grows.

Weights, outputs and limits are exact, so a check can compare expressions and not only numbers. The other
modules of this folder decide limits and find out whether two expressions are equal.
"""

from kqa_core.symbolic.attention import (
    BETA,
    attention_weights,
    orthonormal_frame,
    self_attention,
    self_attention_weights,
    standard_basis,
)

__all__ = [
    "BETA", "attention_weights", "orthonormal_frame", "self_attention", "self_attention_weights",
    "standard_basis",
]  # fmt: skip
