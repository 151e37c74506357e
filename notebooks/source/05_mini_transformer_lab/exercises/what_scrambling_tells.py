"""Exercise what_scrambling_tells (written): what the results on scrambled sentences say about a model."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="what_scrambling_tells",
    title="What scrambled sentences show",
    order=2,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "The words are the same. How would a model that only knows how common each word is do on the"
            " scrambled sentence?"
        ),
        (
            "Compare three numbers: the scrambled perplexity, the normal one, and the number of words, which"
            " is the perplexity of a uniform guess. For the model without positions: which word does it still"
            " know to be the current one, and what does it know about the words before?"
        ),
        (
            "Part 1: both have the same words, so only order can make the rise. Part 2: a uniform guess has"
            ' 695, so the model gives the right words much less than 1/695. Part 3: after "born", a model'
            ' that knows only the current word expects "in". What comes after "born" in a scrambled line? And'
            " what does the causal mask tell a deep model about order?"
        ),
    ),
)
