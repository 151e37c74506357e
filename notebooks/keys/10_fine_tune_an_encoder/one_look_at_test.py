"""Answer key of one_look_at_test."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="one_look_at_test",
    model_answer=(
        "Each validation accuracy is the true one plus noise, with a standard error of about half a point"
        " near 97.5 % of 872 sentences. The winner of 26 runs is partly the best setting and partly the"
        " luckiest, so its own validation accuracy is probably too high, and the more runs one tries, the"
        " more. The test sentences took no part in the choice, so the accuracy on them is as likely too high"
        " as too low. This holds for one look: if I change something because of the test accuracy and look"
        " again, I have chosen by it, and the test split has become a second validation split. McNemar's test"
        " uses only the sentences on which the two models differ. Its p-value says how often coins would fall"
        " that unevenly, so a small one says that these two trained models differ on such sentences. It says"
        " nothing about other seeds or fewer labels. And the setting was chosen for the pretrained encoder,"
        " so the other one may be better at another setting: for a fair comparison, search for both, and"
        " train each several times."
    ),
    rubric=(
        (0.5, "The winner's validation accuracy is biased upwards, as the largest of many noisy numbers"),
        (
            0.5,
            (
                "The test accuracy is unbiased because nothing was chosen by it, and stops being so once"
                " something is"
            ),
        ),
        (
            0.5,
            (
                "McNemar: interprets your own p-value correctly, from the sentences on which the two models"
                " differ"
            ),
        ),
        (0.5, "Limits: two trained models, one seed, and a setting that was chosen for one of them"),
    ),
    misconceptions=(
        (
            "The model has learned the validation sentences (it was not trained on them; only the choice has"
            " used them)."
        ),
        (
            "Test accuracy is always lower (it may be higher; the winner's validation accuracy is what is"
            " biased)."
        ),
        "Looking is harmless as long as one does not train on the test split (choosing by it is enough).",
        (
            "Overlapping intervals show that the two are equal (they ignore that both answered the same"
            " sentences)."
        ),
    ),
)
