"""The examples in docstrings: they run, and every public function that can have a short one has it."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import pkgutil
from pathlib import Path

import pytest

import kqa_core
from kqa_core.model import variant_registry

NAMES = [module.name for module in pkgutil.walk_packages(kqa_core.__path__, "kqa_core.")]
SHOWN = {  # packages without examples
    "kqa_core.check": "the functions need an exercise of a notebook, and every notebook calls them",
    "kqa_core.downloads": "they need a network",
    "kqa_core.pretrained": "they read models that are downloaded",
    "kqa_core.show": "figures and widgets: the notebooks show each of them",
}
FILES, MINUTES = "reads files", "takes seconds or minutes"
EXEMPT = {
    "kqa_core.encoder": {
        "BagOfWords": "`fit` makes one",
        "PromptClassifier": FILES, "SentimentClassifier": FILES, "cached_run": FILES, "fill_mask": FILES,
        "fine_tune": MINUTES, "from_pretrained": FILES, "load_encoder": FILES, "raters_agreement": FILES,
        "encoder_source": FILES, "read_grid": FILES, "read_lexicon": FILES, "read_movie_reviews": FILES,
        "read_sentiment": FILES, "recorded_reviews": FILES, "recorded_verdicts": FILES,
        "reinitialise": FILES, "score": FILES,
    },
    "kqa_core.experiments": {
        "Row": "`lab_model` has an example with it", "answers_right": MINUTES, "few_people_corpus": MINUTES,
        "kept_training": FILES,
        "lab_text": MINUTES, "ladder_step": FILES, "measure_street": MINUTES,
        "of_row": FILES, "race_table": MINUTES, "read_ladder": FILES,
        "recorded_clozes": FILES, "recorded_exposures": FILES, "recorded_few": FILES,
        "recorded_lab": FILES, "recorded_own": FILES,
        "recorded_race": FILES, "recorded_reader": FILES, "shipped_model": FILES, "suspect": MINUTES,
        "train_few": MINUTES,
        "train_lab": MINUTES, "train_row": MINUTES, "train_street": MINUTES, "WatchedTraining": MINUTES,
    },
    "kqa_core.kernels": {
        "corrupt_batch": "as `kqa_core.text.corrupt_batch`, which has one",
        "with_constant_keys": "a step of `synthesized_attention`, which has one",
    },
    "kqa_core.text": {
        "Corpus": FILES, "World": "`make_world` has an example with it",
        "corrupt_rows": "a step of `corrupt_batch`, which has one", "generated_pairs": "needs a corpus",
        "read_corpus": FILES, "read_pairs": FILES, "runs": FILES, "shipped": FILES,
    },
    "kqa_core.training": {"SalientBatches": "needs a corpus", "load_for": FILES},
}  # fmt: skip


def public(package: str) -> dict[str, object]:
    """The functions and classes that a package exports."""
    module = importlib.import_module(package)
    values = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return {
        name: value for name, value in values.items() if inspect.isfunction(value) or inspect.isclass(value)
    }


def test_every_public_function_has_an_example_or_a_reason_why_not() -> None:
    packages = [name for name in NAMES if name.count(".") == 1 and public(name) and name not in SHOWN]
    assert len(packages) >= 7
    for package in packages:
        without = {
            name for name, value in public(package).items() if ">>>" not in (inspect.getdoc(value) or "")
        }
        assert without == set(EXEMPT.get(package, {})), package


def test_no_public_function_has_the_name_of_a_module() -> None:
    """Python would put the module in the function's place as soon as somebody imports the module."""
    for package in (name for name in NAMES if name.count(".") == 1):
        assert not set(NAMES) & {f"{package}.{name}" for name in public(package)}


def with_examples() -> list[str]:
    """The modules whose docstrings have examples; found in the sources, so that collecting imports none."""
    modules = []
    for name in NAMES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        if "\n    >>> " in Path(spec.origin).read_text(encoding="utf-8"):
            modules.append(name)
    return modules


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_give_what_they_show(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variant_registry, "_registered", {})  # one of them registers a variant
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0
