"""Answer key of encoder_or_decoder."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="encoder_or_decoder",
    model_answer="""
    An encoder's positions read the whole text, a decoder's only what is not later. The decoder must be blind to the future
    because its targets stand there: position t is to say character t + 1, and could copy it. In return one pass gives a
    prediction at every position, and what has been computed for a prefix stays right when the text grows. An encoder suits a
    text that is there already (which sense has "bank" here?), a decoder one that is to be written; cross-attention joins them
    where one text is turned into another. The memory needs no causal mask: all of the source is there before the first
    character is written.
    """,
    rubric=(
        (0.5, "Encoder: every position reads all; decoder: position t reads positions up to t"),
        (0.5, "The mask is needed because the target of t is the input of t + 1, which could be copied"),
        (0.5, "A fitting use of each: understanding a given text, writing a new one"),
        (0.5, "Why no causal mask on the memory: the source is known as a whole before writing begins"),
    ),
    misconceptions=(
        "Without the mask the model would be slower: it would train fast, to a loss near 0, and write nonsense",
        "The decoder cannot read position t itself: it can, what it must not see is t + 1",
        "An encoder has no attention, or a decoder no embeddings",
    ),
)
