"""The rows of the tables of figures about accuracy, and about what the notebooks show.
No measured number is typed here.
"""

from __future__ import annotations

from benchmarks._figure import (
    Row,
    accuracy,
    by_verdicts,
    few_labels,
    ladder_command,
    mean_hits,
    mean_perplexity,
    on_reviews,
    own_training,
    perplexity_change,
    pronoun_heads,
    relations,
    share,
    viewer,
    whole,
)
from kqa_core.experiments.results import BEST_ROW, LADDER

ORIGINAL = "original data, 500 dev questions"
PLAIN = (
    "best without cue and questions, all of it",
    "best without cue and questions, assignment's finetuning, all of it",
)
HEADLINE = (BEST_ROW, LADDER[-1], "best, all of it")

ACCURACY = (
    Row(
        "accuracy",
        "original data: ceiling; the answer London",
        ("original_data",),
        lambda f: f"{f['ceiling_percent']} %; {f['london_percent']} %",
        "none",
        "kqa data describe data/imported",
    ),
    Row(
        "accuracy",
        "the extractor that reads the document (open book), dev questions: original data, full world, small"
        " world",
        ("extractor",),
        lambda f: "; ".join(share(f[world]["dev"]) for world in ("original", "full", "small")),
        "none",
        "kqa bench extractor",
    ),
    Row(
        "accuracy",
        "the same, held-out train questions, five-fold",
        ("extractor",),
        lambda f: "; ".join(share(f[world]["held_out"]) for world in ("original", "full", "small")),
        "≥ 89.7 % on the original data",
        "kqa bench extractor",
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}, recipe `best`: accuracy; training",
        ("ladder",),
        whole("best, all of it"),
        "≥ 80 %, ≤ 60 minutes",
        ladder_command("original", "best, all of it"),
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}, 5,000,000 characters read: `best`; with generated questions; `best` at its full length"
        " of 14,500,000",
        ("ladder",),
        lambda runs: "; ".join(accuracy(runs, "original", name) for name in HEADLINE),
        "none; ≥ 91 %; ≥ 80 %",
        ladder_command("original", *HEADLINE),
    ),
    Row(
        "accuracy",
        "full world, 500 dev questions, 5,000,000 characters read: `best`; with generated questions",
        ("ladder",),
        lambda runs: "; ".join(accuracy(runs, "full", name) for name in (BEST_ROW, LADDER[-1])),
        "none; ≥ 75 %",
        ladder_command("full", BEST_ROW, LADDER[-1]),
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}, `best` without the cue and without questions in pretraining; with the assignment's"
        " finetuning",
        ("ladder",),
        lambda runs: "; ".join(accuracy(runs, "original", name) for name in PLAIN),
        "none; > 6.2 %",
        ladder_command("original", *PLAIN),
    ),
    Row(
        "accuracy",
        "places of dev people that are masked in rows of pretraining, given the text around: `best`; without"
        " cue and questions",
        ("cloze",),
        lambda f: f"{share(f['best'])}; {share(f['plain'])}",
        "none",
        "kqa bench cloze",
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}, dense Synthesizer (and so learned positions), generated questions (published: 5 to"
        " 14 %)",
        ("ladder",),
        whole("generated questions with the Synthesizer, all of it"),
        "≥ 40 %",
        ladder_command("original", "generated questions with the Synthesizer, all of it"),
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}: recipe `assignment` to its end (published: 12.4 to 26.8 %, mean 22.8)",
        ("ladder",),
        whole("assignment, all 650 epochs"),
        "within 2 s.e. of 22.8 %",
        ladder_command("original", "assignment, all 650 epochs"),
    ),
    Row(
        "accuracy",
        "the same with rotary positions (published: 31.6 to 40.4 %)",
        ("ladder",),
        lambda runs: accuracy(runs, "original", "assignment with rotary positions, all 650 epochs"),
        "none",
        ladder_command("original", "assignment with rotary positions, all 650 epochs"),
    ),
    Row(
        "accuracy",
        "the same with the Synthesizer (published: 5 to 14 %)",
        ("ladder",),
        lambda runs: accuracy(runs, "original", "assignment with the Synthesizer, all 650 epochs"),
        "none",
        ladder_command("original", "assignment with the Synthesizer, all 650 epochs"),
    ),
    Row(
        "accuracy",
        "a second relation, small world: (a), (a) with cloze questions, (b), (c), and seeds; birthplace, year"
        " of birth, job",
        ("relations",),
        relations,
        "none",
        "kqa bench relations",
    ),
    Row(
        "accuracy",
        f"{ORIGINAL}, 5,000,000 characters read: `best` with generated questions",
        ("ladder",),
        lambda runs: accuracy(runs, "original", LADDER[-1]),
        "≥ 91 %",
        ladder_command("original", LADDER[-1]),
    ),
)
NOTEBOOKS = (
    Row(
        "notebooks",
        "mini-Transformer lab, 3 seeds: change of the dev perplexity by re-weighted heads; word by word, with"
        " no future to read",
        ("mini_transformer",),
        lambda f: f"{perplexity_change(f, 'dev')}; {perplexity_change(f, 'word by word')}",
        "none",
        "kqa bench mini_transformer",
    ),
    Row(
        "notebooks",
        "street stories, 3 seeds: perplexity of stories of 97 words, trained on 41; rotary, learned, no"
        " positions",
        ("street",),
        lambda f: "; ".join(
            f"{mean_perplexity(f, name, 'long'):.0f}" for name in ("rotary", "learned", "none")
        ),
        "none",
        "kqa bench street",
    ),
    Row(
        "notebooks",
        "few people, 5 seeds: right answers of 100 after a short pretraining; attention, dense Synthesizer",
        ("few_people",),
        lambda f: "; ".join(f"{mean_hits(f, name):.1f}" for name in ("vanilla", "synthesizer")),
        "none",
        "kqa bench few_people",
    ),
    Row(
        "notebooks",
        "notebook 07 with its model answers, small world",
        ("own_training",),
        own_training,
        "≤ 5 % without, ≥ 20 % with",
        "kqa bench own_training",
    ),
    Row(
        "notebooks",
        "generated sentiment, 1,821 test sentences: fine-tuned encoder, bag of words",
        ("grid", "encoder"),
        lambda grid, f: (
            f"{share((grid['test']['hits'], grid['test']['total']))}, "
            + share((f["bag_of_words"]["right"], f["bag_of_words"]["of"]))
        ),
        "≥ 90 %, 10 points apart",
        "kqa encoder grid --out FILE",
    ),
    Row(
        "notebooks",
        "its grid of 18 runs, two processes",
        ("grid",),
        lambda f: f"{f['seconds'] / 60:.1f} minutes",
        "≤ 15 minutes",
        "kqa encoder grid --out FILE --workers 2",
    ),
    Row(
        "notebooks",
        "the same grid at the small setting",
        ("encoder",),
        lambda f: f"{f['grid']['seconds'] / 60:.1f} minutes",
        "≤ 15 minutes",
        "kqa bench encoder",
    ),
    Row(
        "notebooks",
        "the same sentences, encoder with and without pretraining: 100 labels, 400, all 6,920; a prompt"
        " without labels",
        ("encoder",),
        few_labels,
        "none",
        "kqa bench encoder",
    ),
    Row(
        "notebooks",
        "100 labels, 872 validation sentences, mean of 3 runs; what pretraining did with the verdicts",
        ("verdicts",),
        by_verdicts,
        "none",
        "kqa bench verdicts",
    ),
    Row(
        "notebooks",
        "64 pairs of sentences: the head of a real encoder that best finds what “it” stands for, chosen on"
        " one half and reported on the other",
        ("pronouns",),
        pronoun_heads,
        "none; a coin: 50 %",
        "kqa bench pronouns",
    ),
    Row(
        "notebooks",
        "1,021 test sentences of film reviews: a real encoder, counting words, rules, one person",
        ("reviews",),
        on_reviews,
        "≥ 5 points above counting words, each seed",
        "kqa bench reviews",
    ),
    Row(
        "notebooks",
        "explorer of 6 layers × 8 heads × 128 tokens in JupyterLab: first paint, DOM nodes",
        ("explorer",),
        lambda f: viewer(f, "ours"),
        "≤ 1 s, ≤ 50",
        "kqa bench explorer",
    ),
    Row(
        "notebooks",
        "the same in BertViz's head view (draws one layer), BertViz's model view, CircuitsVis (one layer)",
        ("explorer",),
        lambda f: "; ".join(
            viewer(f, name)
            for name in ("BertViz, head view", "BertViz, model view", "CircuitsVis, one layer")
        ),
        "none",
        "kqa bench explorer",
    ),
    Row(
        "notebooks",
        "data sent to the browser: our explorer, BertViz's head view",
        ("explorer",),
        lambda f: ", ".join(
            f"{f['viewers'][name]['megabytes']:.1f} MB" for name in ("ours", "BertViz, head view")
        ),
        "none",
        "kqa bench explorer",
    ),
    Row(
        "notebooks",
        "walk through a forward pass of the shipped model, 29 characters and 128, in JupyterLab: first paint,"
        " DOM nodes",
        ("walkthrough",),
        lambda f: "; ".join(f"{row['seconds']:.2f} s, {row['nodes']:.0f}" for row in f["rows"].values()),
        "≤ 1 s, ≤ 50",
        "kqa bench walkthrough",
    ),
    Row(
        "notebooks",
        "quick presses of the β slider that are shown, a tenth of a second apart; with `interact` and pyplot",
        ("explorer",),
        lambda f: "; ".join(
            f"{f['sliders']['shown'][name]} of {f['sliders']['presses']}"
            for name in ("live_figure", "interact and plt.show")
        ),
        "≥ 24 of 30",
        "kqa bench explorer",
    ),
)
