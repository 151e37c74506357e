"""Answer key of encoder_or_decoder."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="encoder_or_decoder",
    model_answer="""
    In an encoder every position may attend to the whole text. In a decoder position t may attend to positions
    0 to t. The decoder needs the causal mask because its targets are in its input: position t must predict
    token t + 1, and could otherwise copy it. In return, one pass gives a prediction at every position, and
    what was computed for a prefix stays valid when the text grows. Another task for an encoder is to decide
    what "bank" means in a given sentence. Another task for a decoder is to write the rest of a story. The
    memory needs no causal mask, because the whole source exists before the first target token. It needs a
    padding mask as soon as a batch has sources of different lengths.
    """,
    rubric=(
        (0.5, "Encoder: every position attends to all; decoder: position t attends to positions up to t"),
        (
            0.5,
            (
                "The mask is needed because the target of t is the input of t + 1; gain: every position"
                " predicts in one pass"
            ),
        ),
        (0.5, "A fitting task for each: understanding a given text, writing a new one"),
        (
            0.5,
            (
                "No causal mask on the memory because the source is complete; a padding mask for sources of"
                " different lengths"
            ),
        ),
    ),
    misconceptions=(
        (
            "Without the mask the model would only be slower: in fact its loss would fall to near 0, and it"
            " would write nonsense"
        ),
        "The decoder cannot attend to position t itself: it can, and only t + 1 is hidden",
        "An encoder has no attention, or a decoder no embeddings",
    ),
)
