"""Answer key of read_the_curves."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_curves",
    model_answer=(
        "The numbers are those of one machine. After epoch 2 the validation loss is lowest (0.31), and the validation accuracy "
        "is highest too (89 %), so epoch 2 is the best one. From there on the training loss still falls, to almost 0 after "
        "epoch 10, while the validation loss rises to about 1 and the accuracy falls to 76 %. The two losses go in opposite "
        "directions: this is overfitting. Eighty of the 400 labels are wrong. What holds for all sentences is learned in the "
        "first two epochs; what is left after that are mostly the wrong labels, and they can only be memorised, one by one. A "
        "model that does this is confident, and wrong on new sentences that resemble them. With correct labels the loss on "
        "validation also rises, but the accuracy falls by only a few points, because most sentences stay on the right side and "
        "only the mistakes become more confident."
    ),
    rubric=(
        (0.5, "Names the best epoch with the numbers of the own run"),
        (0.5, "Sees overfitting where training and validation loss go in opposite directions"),
        (0.5, "Explains that the wrong labels can only be memorised, and why this hurts on new sentences"),
        (0.5, "Correct labels: the loss rises more than the accuracy falls, because mistakes become more confident"),
    ),
    misconceptions=(
        "The last epoch is the best because its training loss is lowest (the training loss cannot show overfitting).",
        "A rising validation loss means that the accuracy falls (the loss also rises if wrong answers become more confident).",
        "The epoch of the lowest validation loss is a fair estimate for new sentences (it was chosen on these sentences).",
    ),
)
