"""Exercise where_knowledge_comes_from (written): why a pretrained model can answer at all."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="where_knowledge_comes_from",
    title="Where the right answers come from",
    order=17,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="ours, after CS224n A5 3(a)",
    hints=(
        (
            "Nobody finetuned this model on birthplaces. In what kind of sentence has it met Mozart and"
            " Salzburg?"
        ),
        (
            "Compare regions, or famous and less famous people, in your table. What would you expect, if"
            " what counts is how often the fact was in the text?"
        ),
        (
            "Take one right answer, one answer that is another place of the person, and one about an"
            " invented person. Which of them needs a stored fact, which a stored association, and which"
            " neither?"
        ),
    ),
)
