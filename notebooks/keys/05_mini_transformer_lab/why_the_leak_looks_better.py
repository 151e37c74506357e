"""Answer key of why_the_leak_looks_better."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_the_leak_looks_better",
    model_answer=(
        "The norm of a head over the whole row is a number to which every position contributes, later ones"
        " too, and the output of every position is multiplied by it. So position t gets information about the"
        " words that are still to come. It is only one number per head and layer, but in training, as in"
        " evaluation, the target words are in the input, at later positions. Gradient descent lowers the loss"
        " with whatever is available, and nothing forbids this way: suppose that a head becomes large if a"
        " certain word occurs in the row. Then its norm tells every earlier position that the word is still"
        " to come, and a larger probability for this word lowers the loss. Train and dev are both read as"
        " whole rows, with the future in the input, so both look better. A split into train and dev cannot"
        " show the leak, because it is not overfitting. Word by word, the future is not in the input, and the"
        " gain is gone. The causal repair is as good as the plain model and not better: all of the gain was"
        " the leak. The collapse of a single sentence has another cause. It came with a norm over the whole"
        " batch that nothing is divided by. Such norms grow with the square root of the number of words in"
        " the batch, and for one short sentence they are several times smaller than in training. The same"
        " rows in batches of other sizes decide it: the leak does not depend on the batch size, the raw norm"
        " does."
    ),
    rubric=(
        (
            1.0,
            "Names the path of the leak: norms over the row include later positions and reach position t",
        ),
        (
            1.0,
            (
                "Says why dev does not show it (whole rows too), and what does: word by word, a probe, or the"
                " repair"
            ),
        ),
        (
            1.0,
            (
                "Separates the collapse: the size of the norm depends on batch and length; the experiment is"
                " another batch size"
            ),
        ),
    ),
    misconceptions=(
        "The re-weighted model overfits (its dev loss is better too; a leak is not overfitting).",
        (
            "A correct mask makes a model causal (everything that mixes positions must be causal, statistics"
            " too)."
        ),
        (
            "The single sentence collapses because the leak is missing there (read whole, the sentence still"
            " leaks its own future)."
        ),
        "Small differences need no cause (over three seeds, paired, this one is far beyond chance).",
    ),
)
