"""Exercise is_it_active: a test that shows whether a model really computes its variant."""

from __future__ import annotations

import random
from collections.abc import Collection

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import truth

Case = tuple[str, str, bool]  # variant, what the model really computes, whether it arrives in training mode


ROUNDED = "honest, rounded once more"
HONEST = ("honest", "honest with a mask beside it", "honest in a class of another name", ROUNDED)
PRETENDING = (
    *(
        "vanilla under its name",
        "vanilla in a class of its name",
        "vanilla in a subclass",
        "vanilla with its parameters",
    ),
    *("first layer only", "last layer only", "lacks a bias", "middle layer vanilla"),
)
# of RoPE; a wide limit does not see them
FAINT = ("first layer only, faint", "last layer only, faint")
PIECES = "in pieces"
DRESS = {
    "honest with a mask beside it": "spare",
    ROUNDED: "rounded",
    "lacks a bias": "lacking",
    PIECES: "pieces",
    "vanilla under its name": "bare",
    "honest in a class of another name": "renamed",
    "vanilla in a class of its name": "class",
    "vanilla in a subclass": "subclass",
    "vanilla with its parameters": "parts",
    **dict.fromkeys(FAINT, "faint"),
}


MODELS = "kqa_core.experiments.small_models"
CHANGES_MODEL = (
    "Your verdicts are right, but your function changes the weights of `model`, which is still needed. Change"
    " those of `reference`, or of a copy."
)

TOO_WIDE = (
    "your function returns True for a model in which one layer computes something else and changes the logits"
    f" only a little; it should return False. {POSSIBLE}Not all logits of the two models are compared, or not"
    " closely enough: differences above 1e-3 count."
)


def built(variant: str, what: str) -> tuple[str, tuple[str, ...], str]:
    """The arguments of `suspect` for this case: its variant, the attention of its layers, and `dress`."""
    if what == "middle layer vanilla":
        return variant, (variant, "vanilla", variant), "library"
    vanilla = (what.startswith(("vanilla", other)) for other in ("last layer only", "first layer only"))
    first, last = ("vanilla" if plain else variant for plain in vanilla)
    return variant, (first, last), DRESS.get(what, "library")


def call(case: Case, rng: random.Random) -> tuple[object, ...]:
    """The arguments for one suspect."""
    variant, what, training = case
    making = built(variant, what)
    suspect = Build(f"{MODELS}:suspect", (*making, rng.getrandbits(30), training))
    return suspect, Build(f"{MODELS}:trusted", (variant, rng.getrandbits(30), len(making[1])))


def is_active(case: Case) -> bool:
    """Whether every layer of the suspect computes the variant."""
    return case[1] in HONEST


KINDS = {
    "honest": "an ordinary model of the variant",
    "honest with a mask beside it": "a model of the variant with parts that it does not use",
    "honest in a class of another name": "a model of the variant in a class of another name",
    ROUNDED: (
        "a model of the variant whose logits differ from the reference's by rounding, by less than 1e-4"
    ),
    "lacks a bias": "a model that lacks a parameter of the reference, a bias",
    PIECES: "a model that reads rows in pieces of four positions, which only longer rows show",
    "vanilla under its name": "a vanilla model whose setting names the variant",
    "vanilla in a class of its name": "a vanilla model in a class with the variant's name",
    "vanilla in a subclass": "a vanilla model in a class that inherits from the variant's",
    "vanilla with its parameters": "a vanilla model that has the variant's parameters and does not use them",
    "first layer only": "a model whose last layer is vanilla",
    "last layer only": "a model whose first layer is vanilla",
    "middle layer vanilla": "a model of three layers whose middle one is vanilla",
    FAINT[0]: "a model whose last layer is vanilla and changes the logits a little",
    FAINT[1]: "a model whose first layer is vanilla and changes the logits a little",
}
SUSPECTS: tuple[Case, ...] = (
    *((variant, what, False) for variant in ("rope", "synthesizer") for what in (*HONEST, *PRETENDING)),
    *((variant, "honest", True) for variant in ("rope", "synthesizer")),
    *(("rope", what, False) for what in (*FAINT, PIECES)),
)


def every_kind(answer: Answer, rng: random.Random, known: Collection[Case] = ()) -> None:
    """Raise NotYet unless the answer is right about every kind of suspect but `known`, in random order."""
    cases = [case for case in rng.sample(SUSPECTS, len(SUSPECTS)) if case not in known]
    values = answer.map([call(case, rng) for case in cases])
    wrong = [
        case
        for case, value in zip(cases, values, strict=True)
        if truth(value, "the verdict") is not is_active(case)
    ]
    if wrong and all(what in FAINT for _, what, _ in wrong):
        raise NotYet(TOO_WIDE)
    if wrong:
        variant, what, training = wrong[0]
        said = (
            f"your function is right about {len(cases) - len(wrong)} of {len(cases)} models. It is wrong"
            f" about {KINDS[what]}"
        )
        raise NotYet(
            f"{said}{', which arrives in training mode' if training else ''} ({variant}): it returns"
            f" {not is_active(wrong[0])}, and should return {is_active(wrong[0])}"
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Seven suspects: four that compute their variant, three that are vanilla.
    Then whether a suspect keeps its weights.
    """
    cases: list[Case] = [
        ("rope", "honest", False),
        ("rope", "vanilla under its name", False),
        ("synthesizer", "vanilla in a class of its name", False),
        ("rope", "vanilla in a subclass", False),
        ("synthesizer", "honest", False),
        ("rope", "honest in a class of another name", False),
        ("rope", "honest", True),
    ]
    values = answer.map([call(case, rng) for case in cases])
    for case, value in zip(cases, values, strict=True):
        said, active = truth(value, "the verdict"), is_active(case)
        name = {"rope": "RoPE", "synthesizer": "Synthesizer"}[case[0]]
        dressed = ", in a class of another name" * (case[1] == "honest in a class of another name")
        expect(
            said is active,
            (
                f"one model computes {name} in every layer{' and arrives in training mode' * case[2]}"
                f"{dressed}, but your function returns False"
                if active
                else (
                    f"one model says that it is a {name} but computes vanilla attention; your function"
                    " returns True"
                )
            ),
        )
    every_kind(answer, rng, cases)
    number, reference = rng.getrandbits(40), Build(f"{MODELS}:trusted", ("rope", rng.getrandbits(30)))
    answer(Build(f"{MODELS}:lent", (number, *built("rope", "honest"), rng.getrandbits(30))), reference)
    try:
        answer(Build(f"{MODELS}:unchanged", (number,)), reference)
    except AnswerRaised:
        raise NotYet(CHANGES_MODEL) from None
    return right("your test goes by what a model computes")


EXERCISE = Exercise(
    id="is_it_active",
    title="Test whether a variant is active",
    order=11,
    points=4,
    difficulty=4,
    importance=4,
    minutes=30,
    source="CS224n A5 2(g), a control",
    hints=(
        (
            "Names, settings and parameters can all be there and do nothing. Go back to f and g in the worked"
            " smaller case: what made their outputs comparable?"
        ),
        (
            "Two models with the same weights, the same input and the same mathematics give the same logits."
            " Copy the suspect's weights into the model that you trust, put both into evaluation mode, and"
            " compare. Is one token enough as input?"
        ),
        (
            "Take from model.state_dict() the entries that reference.state_dict() has; if one is missing,"
            " the answer is False. Load them into reference, draw torch.randint tokens (2,"
            " block_size), compare both logits with allclose."
        ),
    ),
    check=check,
)
