"""Answer key of what_it_is_worth. The numbers are those of the student's own runs, so the rubric asks how they are used."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="what_it_is_worth",
    model_answer="""
    (With the numbers of our machine; yours differ a little.)

    *Setup.* Two Transformers that differ in one thing: the layer that mixes positions is causal attention in one, and my
    Synthesizer in the other. Same text, same batches, same number of steps, same seeds. The check with the course's own layer
    shows that my layer is the one that was trained.

    *Result.* On the street stories attention answers all or nearly all of the 200 questions with every seed, and my Synthesizer
    about 160 to 180. For each seed, the questions that only attention answers are tens, and those that only the Synthesizer
    answers are none or one or two, so McNemar's p is far below 0.001. Over three seeds the paired t-test on the numbers of right
    answers says the same. On the birthplaces the difference has the same sign.

    *Explanation.* A story has many words, and only the states matter. Attention can look for them wherever they are. The
    Synthesizer cannot look for them, but it has a way around it: a value can be zero for all words that are no states, and the
    weights can be larger for later places. That is enough for most stories. It fails where the order of two states cannot be
    told from their places well enough.

    *Limits.* The models are small and were trained for about a minute; the stories have a fixed form, which helps weights that
    depend on places. McNemar's test is about these questions and these two models, the t-test about seeds. Neither says how the
    two compare on longer text or with more training.
    """,
    rubric=(
        (0.5, "States what differs between the two models and what is the same, and how it was checked that the layer is active"),
        (
            1.0,
            "Uses the paired tests correctly: counts of questions that only one model answers, p of McNemar, and the seeds (or "
            "one p for each seed); does not argue with overlapping intervals",
        ),
        (
            1.0,
            "Explains the difference by where the weights come from, and explains also why the Synthesizer is far above a guess",
        ),
        (0.5, "Names a limit: few seeds, short training, small models, stories of a fixed form, one text"),
    ),
    misconceptions=(
        "The two 95 % intervals overlap, so there is no difference",
        "The Synthesizer cannot look anything up, so its right answers are luck",
        "McNemar's test with many questions makes several seeds unnecessary: it says nothing about other seeds",
        "A p-value below 0.001 means that the difference is large",
    ),
)
