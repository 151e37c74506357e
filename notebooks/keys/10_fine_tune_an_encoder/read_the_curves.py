"""Answer key of read_the_curves."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_curves",
    model_answer=(
        "The numbers are from one run of the notebook. After epoch 3 the validation loss is lowest, 0.34,"
        " with an accuracy of 86 %, so epoch 3 is the best. From there on the training loss still falls, to"
        " 0.03 after epoch 10, while the validation loss rises to 0.88 and the accuracy falls to 77 %. The"
        " two losses go in opposite directions: this is overfitting. Eighty of the 400 labels are wrong. The"
        " rules that hold for all sentences are learned in the first epochs. The wrong labels follow no rule,"
        " so they can only be memorised, sentence by sentence, and the model then answers new sentences that"
        " resemble them wrongly and confidently. With correct labels, the validation loss also rises, from"
        " 0.21 after epoch 2 to 0.34, but the accuracy falls only from 93 % to 91 %. Most sentences stay on"
        " the right side; the model becomes more confident also where it is wrong, and the loss punishes"
        " confident mistakes."
    ),
    rubric=(
        (0.5, "Names the best epoch with the numbers of your own run"),
        (0.5, "Sees overfitting where training and validation loss go in opposite directions"),
        (0.5, "Explains that the wrong labels can only be memorised, and why this hurts on new sentences"),
        (
            0.5,
            (
                "Correct labels: the loss rises more than the accuracy falls, because mistakes become more"
                " confident"
            ),
        ),
    ),
    misconceptions=(
        (
            "The last epoch is the best because its training loss is lowest (the training loss cannot show"
            " overfitting)."
        ),
        (
            "A rising validation loss means that the accuracy falls (the loss also rises if wrong answers"
            " become more confident)."
        ),
        (
            "The epoch of the lowest validation loss is a fair estimate for new sentences (it was chosen on"
            " these sentences)."
        ),
    ),
)
