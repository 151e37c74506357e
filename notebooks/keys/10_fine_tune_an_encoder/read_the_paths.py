"""Answer key of read_the_paths."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_paths",
    model_answer=(
        "SGD multiplies the gradient by one rate. In the steep direction the gradient is a hundred times"
        " larger, so the path first jumps across the valley and back, and then crawls along its floor: the"
        " rate has to stay below 2/100 for the steep direction, and that is small for the flat one. Adagrad"
        " and AdamW divide each number's step by the size of that number's own gradients, so both directions"
        " get steps of about the same length and the path is the diagonal. At the end they differ: Adagrad's"
        " sum grows, so its steps shrink; AdamW averages, so it keeps its speed, runs past the minimum and"
        " comes back. In the valley turned by 45 degrees, both numbers have gradients of about the same size,"
        " so there is nothing to even out: Adagrad and AdamW behave like SGD with another rate. SGD does not"
        " depend on the angle at all, because it treats all directions alike. So rates of their own help"
        " where single numbers have gradients of different sizes, as the vectors of rare and common words do."
    ),
    rubric=(
        (0.5, "SGD: one rate, limited by the steep direction (2/100), so it crawls in the flat one"),
        (
            0.5,
            (
                "Adagrad and AdamW: each number's step is divided by the size of its own gradients, hence the"
                " diagonal"
            ),
        ),
        (0.5, "The end of the path: Adagrad's steps shrink, AdamW runs past the minimum and returns"),
        (0.5, "The turned valley: the scaling is by number, so it does not help there; SGD is unchanged"),
    ),
    misconceptions=(
        "Adam always finds the shortest path (only if the valley's axes are those of the numbers).",
        (
            "AdamW runs past the minimum because its rate is too large for the steep direction (its steps are"
            " as long in both)."
        ),
        "A larger rate would make SGD as fast (above 2/100 it diverges in the steep direction).",
    ),
)
