"""Answer key of what_it_is_worth. The numbers are those of the student's own runs,
so the rubric asks how they are used.
"""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="what_it_is_worth",
    model_answer=r"""
    (With the numbers of our machine; yours differ a little.)

    *Setup.* Two Transformers that differ in one thing: the layer that mixes positions is causal attention in
    one, and my Synthesizer in the other. Same text, same batches in the same order, same number of steps,
    same seeds. With equal weights, my model and the course's own Synthesizer gave the same logits, so my
    layer is the one that was trained.

    *Result.* On the look-up task attention is right on all 200 rows with every seed, my Synthesizer on 64 to
    70. For each seed, 130 or more rows are answered by attention only and none by my layer only, so McNemar's
    p is far below 0.001. The paired t-test over three seeds gives $p < 0.001$. On the birthplaces my own
    short run has the same direction (38 against 24 of 100, $p = 0.04$). But it is one seed, and on another
    machine the same run gave 34 against 28 with $p = 0.4$. The recorded runs, with five seeds and twice as
    many steps, show the difference over seeds ($p = 0.007$). The two models of the course, trained for
    longer, have 63 and 49 of 100, and McNemar's $p$ is 0.02.

    *Explanation.* The look-up needs the pair with the letter that is asked for, and it is at another place in
    every row. Queries and keys find it wherever it is. In my first layer, the weights of the last position
    depend only on the letter that is asked for and on the places. They do not follow the pair when it moves,
    so my layer sees an average of all pairs. From an average the model can tell which values occur often, and
    answer one of these. That is better than a uniform guess (33 rows), and not quite as good as always
    answering the most frequent value (about 79). For the birthplaces the layer has to collect the letters of
    a name. In a question the name always begins at the same place, so weights that depend on places are of
    some use there.

    *Limits.* The models are small and were trained for seconds. McNemar's test is about these questions and
    these two models, the t-test about seeds. Neither says how the two compare on longer text or with more
    training. The recorded runs on the original data are a better guide to that: by the assignment's recipe,
    attention answers 24.4 % and the Synthesizer 10.1 % (three seeds, $p = 0.009$), as in the published
    results.
    """,
    rubric=(
        (
            0.5,
            (
                "States what differs between the two models and what is the same, and how it was checked that"
                " the layer is active"
            ),
        ),
        (
            1.0,
            (
                "Uses the paired tests correctly: counts of questions that only one model answers, p of"
                " McNemar, and the seeds (or one p for each seed); does not argue with overlapping intervals"
            ),
        ),
        (
            1.0,
            (
                "Explains the difference by where the weights come from, and what the Synthesizer does"
                " instead (frequent values)"
            ),
        ),
        (
            0.5,
            "Names a limit: few seeds, short training, small models, one text, or a task made for looking up",
        ),
    ),
    misconceptions=(
        "The two 95 % intervals overlap, so there is no difference",
        "The Synthesizer cannot look anything up, so its right answers are luck",
        (
            "McNemar's test with many questions makes several seeds unnecessary: it says nothing about other"
            " seeds"
        ),
        "A p-value below 0.001 means that the difference is large",
    ),
)
