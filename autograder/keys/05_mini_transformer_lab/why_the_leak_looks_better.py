"""Answer key of why_the_leak_looks_better."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_the_leak_looks_better",
    model_answer=(
        "The norm of a head over the whole row is a number to which every position contributes, later ones too, and it scales "
        "what every position hands on. So position t is told something about the words that are still to come. It is only one "
        "number a head and layer, but training finds use for it: a head can be large where a certain kind of word is in the row. "
        "Train and dev are both read as whole rows, with the future in the machine, so both look better, and a split into train "
        "and dev cannot show it: it is not overfitting. Word by word the future is not there yet, and the gain is gone, "
        "or turned into a loss. The causal repair is as good as the plain model and no better: "
        "all of the gain was the leak. The collapse on a single sentence is another thing. It came with norms taken over "
        "the whole batch and divided by nothing: they are √(rows · positions) large, and one short sentence makes them several "
        "times smaller than any that was trained with. The same rows read in batches of other sizes tell the two apart: the leak "
        "does not mind, the raw norm does."
    ),
    rubric=(
        (
            1.0,
            "Names the way of the leak: norms over the whole row hold later positions, reach position t, and training uses them",
        ),
        (
            1.0,
            "Says why dev does not show it (read as whole rows too) and what does: word by word, a probe, or the causal repair",
        ),
        (1.0, "Tells the collapse apart: the size of the norm depends on batch and length; the experiment is another batch size"),
    ),
    misconceptions=(
        "The re-weighted model overfits (its dev loss is better too; and a leak is no overfitting).",
        "A right mask makes a model causal (everything that mixes positions must be causal, statistics too).",
        "The single sentence collapses because the leak is missing there (read whole, the sentence still leaks its own future).",
        "Small differences need no cause (over seeds, paired, this one is far outside of chance).",
    ),
)
