"""Answer key of one_look_at_test."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="one_look_at_test",
    model_answer=(
        "Each validation accuracy is the true one plus noise, some 0.6 to 1.7 points with 872 sentences. The winner of "
        "eighteen is partly the best setting and partly the luckiest, so its own validation accuracy promises too much, and the "
        "more runs one tries, the more. The test sentences took no part in the choice, so the accuracy there is as likely too "
        "high as too low. That lasts for one look: whoever goes back to change something because of the test figure, and looks "
        "again, has chosen by it, and it is a second validation split from then on. And with 1,821 sentences, a difference of "
        "half a point between two settings is within one standard error, so it is no reason to prefer either."
    ),
    rubric=(
        (1.0, "The winner's validation accuracy is biased upwards, as the largest of many noisy numbers"),
        (0.5, "The test accuracy is unbiased because nothing was chosen by it, and stops being so once something is"),
        (0.5, "Says how much a difference is worth: names a standard error or an interval for n sentences"),
    ),
    misconceptions=(
        "The model has learned the validation sentences (it was never trained on them; only the choice has seen them).",
        "Test accuracy is always lower (it may come out higher; what is biased is the winner's validation figure).",
        "Looking is harmless as long as one does not train on the test split (choosing by it is enough).",
        "A larger test split makes a second look harmless (it makes the noise smaller, not the choice undone).",
    ),
)
