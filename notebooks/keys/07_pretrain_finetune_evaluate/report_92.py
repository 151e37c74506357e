"""Answer key of report_92."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="report_92",
    model_answer=(
        "I would not sign it. Both models read the same documents, are finetuned on the same 2,000 train"
        " questions and asked the same 500 dev questions. But the published models were told nothing before"
        " finetuning. The model of 92 % was pretrained on questions about most dev people, with answers"
        " that an extractor took from the open documents. The Synthesizer reaches 92.3 % as well, so the"
        " cause is not attention. The extractor alone has 92.0 %: the row measures the"
        " extractor, whose answers a model can learn by heart. Beside 23 % belongs a row of (a): 24.4 ± 0.2 %"
        " for the same recipe, or 36.3 ± 4.1 % with rotary positions, where the best published result with"
        " them is 40 %. A sentence to sign: *An extractor with the document open answers 92.0 % of the"
        " questions, and a model pretrained on its questions answers 92.3 ± 0.1 % (three seeds) from its"
        " weights alone; without such questions and without a cue, the best of our recipes reaches"
        " 36.3 ± 4.1 %.* The experiment: ask the same models for another fact, such as the job, after"
        " finetuning on train questions about it. If (b) and (c) learned the text, they answer about as well"
        " as (a); if they learned one fact, they fall behind."
    ),
    rubric=(
        (0.5, "What is the same, and what differs: what each model is told before finetuning"),
        (0.5, "The Synthesizer and the reader's own 92.0 % show that the row measures the reader"),
        (0.5, "A number of (a) beside 23 %, with its ±"),
        (0.5, "An honest sentence, or an experiment on another fact with an expectation"),
    ),
    misconceptions=(
        "No dev answer was used, so the comparison is fair (the reader had the dev people's documents).",
        "92 % against 23 % shows that the recipe is four times as good (the two answer different questions).",
        "The ceiling is 95.8 %, so the model knows nearly all of the text (one fact of each person).",
    ),
)
