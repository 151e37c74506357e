"""`kqa pretrain|finetune|evaluate VARIANT CORPUS …`: the original assignment's commands, its flags spelled as there.

Every command of its handout works with `kqa` in place of `python src/run.py`. What `kqa` adds is optional, and
`kqa variants` says what there is to choose from.

Flags of the model's shape (`--positions`, `--fusion`, and those of single variants) are for a new model; its checkpoint keeps
them. Where a checkpoint is read they may be given again, as the handout of 2023 does, and must then say what it says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kqa_core.model.variant_registry import variant_names

if TYPE_CHECKING:
    from kqa_core.model.config import GPTConfig
    from kqa_core.training.loop import Run

Variant = Annotated[str, typer.Argument(help=f"{', '.join(variant_names())}; `kqa variants` says what each computes")]
Corpus = Annotated[Path, typer.Argument(help="the pretraining corpus (wiki.txt); its characters are the vocabulary")]
Writing = Annotated[Path, typer.Option("--writing_params_path", help="where the trained model goes (a directory)")]
RecipeName = Annotated[str, typer.Option("--recipe", help="assignment (to the letter), best, or small (for the small world)")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="another seed is another run")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="in place of the recipe's")]
Steps = Annotated[int | None, typer.Option("--steps", help="in place of the recipe's")]
SaveSeconds = Annotated[
    float, typer.Option("--save_seconds", help="how often the state is saved that a killed run continues from")
]
Device = Annotated[str, typer.Option("--device", help="auto (a GPU where torch finds one), cpu or cuda")]
Positions = Annotated[
    str | None, typer.Option("--positions", help="learned, sinusoidal, rotary or none [default: rotary for rope, else learned]")
]
Fusion = Annotated[
    str | None,
    typer.Option(
        "--fusion", help="heads put together: concat, shuffle, shift, norm-reweight, norm-reweight-causal [default: concat]"
    ),
]
BottleneckDim = Annotated[
    int | None, typer.Option("--bottleneck_dim", help="perceiver: rows between the down and the up projection [default: 32]")
]
LinformerRank = Annotated[
    int | None, typer.Option("--linformer_rank", help="linformer: rows that keys and values are mixed down to [default: 32]")
]
BigbirdWindow = Annotated[
    int | None, typer.Option("--bigbird_window", help="bigbird: positions read up to one's own [default: 16]")
]
BigbirdGlobal = Annotated[int | None, typer.Option("--bigbird_global", help="bigbird: first positions, read by all [default: 4]")]
BigbirdRandom = Annotated[
    int | None, typer.Option("--bigbird_random", help="bigbird: further positions read, drawn once [default: 4]")
]
SynthesizerRank = Annotated[
    int | None, typer.Option("--synthesizer_rank", help="factorised_random_synthesizer: k of R₁ R₂ᵀ [default: 8]")
]
SynthesizerFixed = Annotated[
    bool | None,
    typer.Option("--synthesizer_fixed/--synthesizer_trained", help="random Synthesizers: R as drawn [default: trained]"),
]

SHAPE = (  # the flags above, which `_shape_given` reads all at once
    *("positions", "fusion", "bottleneck_dim", "linformer_rank", "bigbird_window", "bigbird_global", "bigbird_random"),
    *("synthesizer_rank", "synthesizer_fixed"),
)


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.command("pretrain")(pretrain)
    app.command("finetune")(finetune)
    app.command("evaluate")(evaluate)
    app.command("variants")(variants)


def pretrain(
    context: typer.Context,
    variant: Variant,
    corpus: Corpus,
    writing_params_path: Writing,
    finetune_corpus_path: Annotated[
        Path | None, typer.Option("--finetune_corpus_path", help="train questions to mix in (recipes best and small)")
    ] = None,
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
    device: Device = "auto",
    positions: Positions = None,
    fusion: Fusion = None,
    bottleneck_dim: BottleneckDim = None,
    linformer_rank: LinformerRank = None,
    bigbird_window: BigbirdWindow = None,
    bigbird_global: BigbirdGlobal = None,
    bigbird_random: BigbirdRandom = None,
    synthesizer_rank: SynthesizerRank = None,
    synthesizer_fixed: SynthesizerFixed = None,
) -> None:
    """Teach a new model the documents of a corpus. Killed and started again, it goes on where it was.
    Several processes: torchrun --standalone --nproc-per-node=2 -m kqa_core.cli pretrain … (docs/training.md).

    Example: kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params
    """
    from kqa_core.training.runs import prepare_pretrain

    shape = _shape_given(context)
    _check_model_writable(writing_params_path)
    length = {"epochs": epochs, "steps": steps}
    run = prepare_pretrain(variant, corpus, finetune_corpus_path, recipe=recipe, seed=seed, **length, device=device)
    run = reshaped(run, shape)
    _report(run.train(writing_params_path, save_seconds=save_seconds), writing_params_path)


def finetune(
    context: typer.Context,
    variant: Variant,
    corpus: Corpus,
    finetune_corpus_path: Annotated[
        Path, typer.Option("--finetune_corpus_path", help="questions with answers (birth_places_train.tsv)")
    ],
    writing_params_path: Writing,
    reading_params_path: Annotated[
        Path | None, typer.Option("--reading_params_path", help="a pretrained model; without it, a new one is trained")
    ] = None,
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
    device: Device = "auto",
    positions: Positions = None,
    fusion: Fusion = None,
    bottleneck_dim: BottleneckDim = None,
    linformer_rank: LinformerRank = None,
    bigbird_window: BigbirdWindow = None,
    bigbird_global: BigbirdGlobal = None,
    bigbird_random: BigbirdRandom = None,
    synthesizer_rank: SynthesizerRank = None,
    synthesizer_fixed: SynthesizerFixed = None,
) -> None:
    """Teach a model to answer questions. Killed and started again, it goes on where it was.

    Example: kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params
    --writing_params_path vanilla.finetune.params --finetune_corpus_path birth_places_train.tsv
    """
    from kqa_core.training.runs import prepare_finetune

    shape = _shape_given(context)
    _check_model_writable(writing_params_path)
    reading, length = reading_params_path, {"epochs": epochs, "steps": steps}
    run = prepare_finetune(variant, corpus, finetune_corpus_path, reading, recipe=recipe, seed=seed, **length, device=device)
    if reading is None:
        run = reshaped(run, shape)
    else:
        _check_shape(reading, run.model.config, shape)
    _report(run.train(writing_params_path, save_seconds=save_seconds), writing_params_path)


def evaluate(
    context: typer.Context,
    variant: Variant,
    corpus: Corpus,
    reading_params_path: Annotated[Path, typer.Option("--reading_params_path", help="the model to ask")],
    eval_corpus_path: Annotated[
        Path, typer.Option("--eval_corpus_path", help="questions, with answers (birth_dev.tsv) or without")
    ],
    outputs_path: Annotated[
        Path | None, typer.Option("--outputs_path", help="where the answers go, one a line [default: nowhere]")
    ] = None,
    device: Device = "auto",
    positions: Positions = None,
    fusion: Fusion = None,
    bottleneck_dim: BottleneckDim = None,
    linformer_rank: LinformerRank = None,
    bigbird_window: BigbirdWindow = None,
    bigbird_global: BigbirdGlobal = None,
    bigbird_random: BigbirdRandom = None,
    synthesizer_rank: SynthesizerRank = None,
    synthesizer_fixed: SynthesizerFixed = None,
) -> None:
    """Ask a model every question of a file, write its answers, and say how many are right.

    Example: kqa evaluate vanilla wiki.txt --reading_params_path vanilla.finetune.params
    --eval_corpus_path birth_dev.tsv --outputs_path vanilla.pretrain.dev.predictions
    """
    from kqa_core.evaluation import evaluate as evaluation
    from kqa_core.files import check_writable, write_together
    from kqa_core.hardware import find_device
    from kqa_core.model.variant_registry import find_variant
    from kqa_core.text.birthplaces import read_pairs, read_text
    from kqa_core.text.vocabulary import Vocabulary
    from kqa_core.training.distributed import speaks
    from kqa_core.training.runs import load_for

    shape = _shape_given(context)
    find_variant(variant)
    place = find_device(device)
    if not speaks():
        return  # the first process asks; there is nothing to share out
    if outputs_path is not None:
        check_writable(outputs_path)
    vocabulary = Vocabulary.from_text(read_text(corpus))
    pairs = read_pairs(eval_corpus_path)
    model = load_for(reading_params_path, variant, vocabulary, corpus).model
    _check_shape(reading_params_path, model.config, shape)
    result = evaluation.evaluate(model.to(place), vocabulary, pairs)
    if outputs_path is not None:
        lines = [answer.replace("\n", " ") for answer in result.predictions]  # one line a question, whatever the model wrote
        write_together(outputs_path.parent, {outputs_path.name: "".join(f"{line}\n" for line in lines)})
    if result.total:
        print(result)
    elif outputs_path is not None:
        print(f"Predictions written to {outputs_path}; no targets provided")
    else:
        print("\n".join(result.predictions))


def variants() -> None:
    """Say what the attention of each variant computes.

    Example: kqa variants
    """
    from kqa_core.model.variant_registry import find_variant

    names = variant_names()
    wide = max(len(name) for name in names)
    for name in names:
        print(f"{name:{wide}}  {find_variant(name).summary}")


def reshaped(run: Run, shape: dict[str, object]) -> Run:
    """The same run of a new model whose config differs in `shape` (fields of GPTConfig). Raises UserError for what cannot be."""
    from dataclasses import asdict, replace

    import torch

    from kqa_core.model.gpt import GPT
    from kqa_core.training.loop import uses_bfloat16

    if not shape:
        return run
    config = replace(run.model.config, **shape)  # type: ignore[arg-type]  # GPTConfig checks what it is given
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(run.seed)
        model = GPT(config)
    description = run.description | {"config": asdict(config), "bfloat16": uses_bfloat16(config, run.device)}
    return replace(run, model=model, description=description)


def _shape_given(context: typer.Context) -> dict[str, object]:
    """The fields of GPTConfig that flags of this command were given for."""
    return {name: context.params[name] for name in SHAPE if context.params[name] is not None}


def _check_shape(path: Path, config: GPTConfig, shape: dict[str, object]) -> None:
    """Raise UserError where a flag says otherwise than the checkpoint at `path`."""
    from dataclasses import replace

    from kqa_core.errors import UserError
    from kqa_core.model.positions import positions_of

    for name, value in shape.items():
        holds: object = getattr(config, name)
        asked = value
        if name == "positions":
            holds, asked = positions_of(config), positions_of(replace(config, positions=str(value)))
        if holds != asked:
            raise UserError(f"{path}: holds a model with {name} {holds}, not {asked}: leave --{name} out, or give another path")


def _check_model_writable(path: Path) -> None:
    """Raise UserError now where the model, or the state of a run under way, could not be written."""
    from kqa_core.model import checkpoint
    from kqa_core.training.loop import resume_path

    checkpoint.check_writable(path)
    checkpoint.check_writable(resume_path(path))


def _report(done: object, path: Path) -> None:
    from kqa_core.progress import remaining
    from kqa_core.training.distributed import speaks
    from kqa_core.training.runs import Trained

    if not speaks():
        return
    assert isinstance(done, Trained)
    resumed = f" (taken up at step {done.resumed_at})" if done.resumed_at else ""
    size = f"{done.model.config.variant}, {done.model.count_parameters():,} parameters"
    print(f"{path}: {size}, {len(done.losses):,} steps{resumed}, loss {done.losses[-1]:.3f}, {remaining(done.seconds)}")
