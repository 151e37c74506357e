"""Answer key of my_report."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="my_report",
    model_answer=(
        "Example. Question: does one head of 48 components do worse than three heads of 16? Both models have"
        " two layers, learned positions, 120 steps on the same stories, seeds 0, 1 and 2; only the number of"
        " heads differs. Result on short (losses, one head and three heads): 0.0045 and 0.0086, 0.0088 and"
        " 0.0103, 0.0070 and 0.0415. The differences are −0.0041, −0.0015 and −0.0345; their mean is −0.0134,"
        " their standard deviation 0.0183 and their standard error 0.0106, so t = −1.3. The limit is 4.30:"
        " not shown to differ. On long: 3.29 and 3.73, 3.59 and 2.84, 2.32 and 3.44. The differences −0.43,"
        " 0.75 and −1.12 have the mean −0.27 and the standard deviation 0.94, so t = −0.5: not shown to"
        " differ. The prediction was right on short. Both models solve short stories almost perfectly, so the"
        " measure cannot show a gain: there is nothing left to improve. To find out whether heads matter, I"
        " would take a harder task, for example stories about two animals, where the head must also compare"
        " names. Limits: three seeds find only large differences; the text is small and artificial; one"
        " training length and one number of steps; a slower model might have caught up later. With five"
        " seeds, the limit of t would be 2.78 and not 4.30."
    ),
    rubric=(
        (
            1.5,
            (
                "Setup that can be repeated: one change, what is kept equal, seeds, text, steps, and a"
                " motivation"
            ),
        ),
        (
            2.0,
            (
                "Result with the pairs, mean difference, standard error, t and limit, one computed by hand,"
                " and a correct verdict"
            ),
        ),
        (
            1.5,
            (
                "Analysis: compares with the prediction, gives an explanation and an experiment that would"
                " test it"
            ),
        ),
        (1.0, "Limits: few seeds, one text and size, and does not read 'not shown to differ' as 'equal'"),
    ),
    misconceptions=(
        "Not shown to differ means that the change has no effect.",
        "Choosing the best of the three seeds as the result.",
        "Testing many variants or columns and reporting only the one that differs.",
    ),
)
