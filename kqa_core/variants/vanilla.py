"""The Transformer's own attention, with learned positions: the model of the assignment's parts (c) to (f)."""

from kqa_core.attention import CausalSelfAttention
from kqa_core.variants import Variant

VARIANT = Variant(attention=CausalSelfAttention, summary="softmax(Q Kᵀ / √d_head) V, learned positions")
