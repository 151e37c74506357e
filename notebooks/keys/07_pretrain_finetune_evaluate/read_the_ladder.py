"""Answer key of read_the_ladder."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_ladder",
    model_answer=(
        "A good answer names the two largest steps of the sorted list with their points and both p-values,"
        " and says what the two tests answer: the t-test whether the method would win again with other seeds,"
        " McNemar's test whether these models differ on these questions. With one seed there is no t-test, so"
        " nothing is shown about other seeds; with three it is weak, and a large step may miss 5 %. It"
        " compares them with the prediction. Then it names a lever whose step on the ladder is small but"
        " whose absence from *best* costs much, or the other way round: the ladder measures a lever on top of"
        " the ones before it, the second table together with all others. If a lever needs another one that"
        " comes later, the ladder gives the later one the credit. Exposure alone is not enough: rows with"
        " salient spans mask a birthplace several times as often as span corruption, and accuracy rises"
        " little until optimizer and rate change. So the published models stay at 23 % for two reasons: a"
        " birthplace is rarely masked as a whole among thousands of other targets, and the training (its"
        " rate, its optimizer, a first question only at the very end) turns little of what it sees into"
        " answers to questions."
    ),
    rubric=(
        (
            0.75,
            (
                "The two largest steps, with their p-values and the number of seeds read correctly, compared"
                " with the prediction"
            ),
        ),
        (
            0.75,
            (
                "A lever with different stories in ladder and leave-one-out, explained by the levers that it"
                " needs"
            ),
        ),
        (0.75, "Exposure is not enough: two rows as evidence"),
        (
            0.75,
            (
                "Two reasons for 23 %: few targets on the fact, and training that stores it badly or cannot"
                " reach it"
            ),
        ),
    ),
    misconceptions=(
        "The last lever of the ladder is the most important one (it gets the credit for all that it needs).",
        "p = 0.08 over three seeds shows that there is no difference (three seeds are few).",
        "More exposures always mean higher accuracy.",
    ),
)
