"""The walk through one forward pass in a real browser, in an exported page without a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from lab_server import CHROMIUM
from pages import SCHEMES, said, screenshot
from playwright.sync_api import expect
from portions import portion

from kqa_core.experiments.pretrained import shipped_model
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.pretrained.llama import Llama, LlamaConfig
from kqa_core.show import walkthrough
from kqa_core.show.walk import facts, numbers
from kqa_core.show.walk.facts import order
from kqa_core.text.vocabulary import Vocabulary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]
TEXT = "Ada was born in Tal.⁇"
WALK = Path(facts.__file__).parent
SOURCES = sorted([*WALK.rglob("*.py"), *WALK.rglob("*.js")])
L, H, T = 2, 3, len(TEXT)
PARTS = ("text", "map", "picture")
COLOURS = """canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 4).join());
  return seen.size;
}"""
# The largest distance of a pixel from grey, in a square of the canvas.
TINT = """(canvas, [x, y, side]) => {
  const data = canvas.getContext("2d").getImageData(x, y, side, side).data;
  let most = 0;
  for (let at = 0; at < data.length; at += 4) {
    const colour = [...data.slice(at, at + 3)];
    most = Math.max(most, Math.max(...colour) - Math.min(...colour));
  }
  return most;
}"""

FOCUSED = "(at => at.dataset.part || at.getAttribute('aria-label') || at.innerText)(document.activeElement)"


def made(**options):
    vocabulary = Vocabulary.from_text(TEXT.replace("⁇", ""))
    torch.manual_seed(1)
    model = GPT(GPTConfig(len(vocabulary), block_size=24, n_layer=L, n_head=H, d_model=24, **options))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return walkthrough(model, TEXT, vocabulary)


def press(page, part, keys):
    page.locator(f"canvas[data-part={part}]").focus()
    for key in keys.split():
        page.keyboard.press(key)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("step", ["weights", "probabilities"])
def test_axe_finds_nothing_and_nothing_sticks_out(opened, scheme, step):
    from axe_playwright_python.sync_playwright import Axe

    page = opened(made().show(step), scheme)
    assert [page.eval_on_selector(f"canvas[data-part={part}]", COLOURS) > 3 for part in PARTS] == [True] * 3
    assert page.evaluate("document.querySelectorAll('#widget, #widget *').length") <= 50
    for width in (1100, 380):
        page.set_viewport_size({"width": width, "height": 900})
        said(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_shipped_model_is_walked_through(opened, scheme):
    walk = walkthrough(shipped_model("small.vanilla.finetune"), "Where was Radina Novarov born?⁇Vodice").show(
        position=30
    )
    for name, step, selected in (("", "weights", {"layer": 1, "head": 2, "key": 21}), ("lens_", "lens", {})):
        page = opened(walk.show(step, **selected), scheme)
        assert said(page) == walk.sentence
        screenshot(page, f"walkthrough_{name}{scheme}", full_page=True)


def real_form(kind):
    """A random model of the form of SmolLM2 or of a BERT, with words as tokens, whose vectors are cut."""
    tokenizers, transformers = pytest.importorskip("tokenizers"), pytest.importorskip("transformers")
    words = ["[UNK]", "[CLS]", "[SEP]", "the", "animal", "was", "tired"]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    torch.manual_seed(3)
    if kind == "llama":
        model = Llama(LlamaConfig(len(words), 1, 24, 30, 4, 2, 10_000.0, 1e-5, 32))
    else:
        sizes = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 30}
        model = transformers.BertModel(transformers.BertConfig(vocab_size=len(words), **sizes))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return walkthrough(model, "the animal was tired", tokenizer)


@pytest.mark.parametrize("kind", ["llama", "bert"])
def test_a_model_of_another_form_is_walked_through_and_each_step_says_what_python_says(
    opened, monkeypatch, kind
):
    monkeypatch.setattr(numbers, "WIDEST", 20)
    monkeypatch.setattr(numbers, "SHOWN", 8)
    walk = real_form(kind).show(layer=0, head=3, position=2, key=1)
    page = opened(walk, "dark" if kind == "bert" else "light")
    forward = page.get_by_role("button", name="next step")
    steps = order(walk.steps, 1)
    for number, (step, _) in enumerate(steps):
        assert said(page) == walk.show(step).sentence
        work = page.locator(".kqa-work").inner_text()
        assert work and not re.search("NaN|undefined|null|Infinity", work), work
        assert page.eval_on_selector("canvas[data-part=picture]", COLOURS) > 3
        if number + 1 < len(steps):
            forward.click()
    expect(forward).to_be_disabled()
    assert {"mask", "lens"} & {step for step, _ in steps} == ({"mask", "lens"} if kind == "llama" else set())
    page.set_viewport_size({"width": 380, "height": 900})
    said(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


@pytest.mark.parametrize(
    "positions",
    [
        "learned",
        *(pytest.param(name, marks=pytest.mark.nightly) for name in ("sinusoidal", "rotary", "none")),
    ],
)
def test_next_leads_through_every_step_and_each_says_what_python_says(opened, positions):
    walk = made(positions=positions)
    page = opened(walk)
    forward, back = page.get_by_role("button", name="next step"), page.get_by_role("button", name="back")
    expect(back).to_be_disabled()
    for number, (step, layer) in enumerate(order(walk.steps, L)):
        described = next(one for one in walk.steps if one["name"] == step)
        assert said(page) == walk.show(step, **({"layer": layer} if described["in_layer"] else {})).sentence
        assert (
            page.locator(".kqa-walk-title").inner_text()
            == f"Step {number + 1} of {3 + 11 * L + 5}: {described['title']}"
        )
        work, code = page.locator(".kqa-work").inner_text(), page.locator(".kqa-code").inner_text()
        assert work and not re.search("NaN|undefined|null|Infinity", work + code), work
        for line in described["code"]:
            assert re.search(rf"^{line['line']} +{re.escape(line['text'])}$", code, re.M)
            assert f"# {line['file']}, in {line['of']}" in code
        if number + 1 < len(order(walk.steps, L)):
            forward.click()
    expect(forward).to_be_disabled()
    back.click()
    assert said(page) == walk.show("stream").sentence


def test_every_place_says_what_python_says(opened, tmp_path):
    walk = made()
    page = opened(walk)
    drawn = torch.Generator().manual_seed(0)
    for step in portion([one["name"] for one in walk.steps], 6, *SOURCES):
        layer, head, position, key = (int(torch.randint(n, (1,), generator=drawn)) for n in (L, H, T, T))
        walk.show(step, layer=layer, head=head, position=position, key=key, temperature=0.6).to_html(
            tmp_path / "page.html"
        )
        page.reload()
        expect(page.locator(".kqa-said")).to_have_text(walk.sentence)


def test_the_calculation_shows_the_models_numbers(opened):
    walk = made().show("weights", layer=1, head=2, position=9, key=4)
    page = opened(walk)

    def numbers():
        said(page)
        return [
            float(n.replace("−", "-"))
            for n in re.findall(r"−?\d+\.\d+", page.locator(".kqa-work").inner_text())
        ]

    logit, weight = (walk.numbers(name, layer=1)[2, 9] for name in ("logits", "weights"))
    shown = numbers()
    assert (shown[0], shown[3], shown[4]) == pytest.approx((logit[4], weight[4], 1), abs=0.0006)
    press(page, "map", "ArrowUp ArrowUp")
    query, key = (walk.numbers(name, layer=1)[2] for name in ("query", "key"))
    assert numbers() == pytest.approx([query[9] @ key[4], 8**0.5, logit[4]], abs=0.0006)
    press(page, "map", " ".join(["ArrowDown"] * 5))  # the attention is added
    press(page, "picture", "ArrowRight ArrowRight")
    before, added, after = (
        walk.numbers("stream")[2, 9],
        walk.numbers("attention")[1, 9],
        walk.numbers("stream")[3, 9],
    )
    assert numbers() == pytest.approx([before[2], added[2], after[2]], abs=0.0006)
    assert page.locator(".kqa-work").inner_text().startswith("Channel 2: ")


def test_everything_is_reached_from_the_keyboard_and_no_key_leaks(opened):
    page = opened(made().show("weights", layer=0, position=8, key=3))
    page.evaluate("window.leaked = []; document.addEventListener('keydown', (e) => leaked.push(e.key))")
    reached = []
    for _ in range(9):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED))
        assert page.evaluate("document.activeElement.dataset.lmSuppressShortcuts") == "true"
        for key in ("b", "a", "x"):
            page.keyboard.press(key)
    assert reached == [
        "text", "◂ back", "next step ▸", "layer", "layer, as a number", "head",
        "head, as a number", "map", "picture",
    ]  # fmt: skip
    press(page, "picture", "ArrowRight ArrowUp")
    assert said(page).startswith("Layer 0, head 0. Attention weights: softmax. Token 7 space gives weight ")
    assert "to token 4 “w”. " in said(page)
    press(page, "text", "End")
    press(page, "map", "ArrowRight ArrowDown")
    assert said(page).startswith(
        "Layer 1, head 0. Weighted sum of values. The weighted sum of 21 values for token 20 “⁇”"
    )
    press(page, "map", "End")
    assert said(page).startswith("Looking back: the prediction after each block")
    press(page, "map", "Home")
    assert said(page).startswith("Characters become numbers. ")
    expect(page.get_by_label("head", exact=True)).to_be_hidden()
    assert page.evaluate("leaked.filter((key) => key !== 'Tab')") == []


def test_clicks_choose_steps_tokens_and_pairs(opened):
    walk = made().show("weights", layer=1)
    page = opened(walk)
    page.locator("canvas[data-part=text]").click(position={"x": 26 * 5.5, "y": 15})
    assert "Token 5 “a” gives weight" in said(page)
    picture, start = page.locator("canvas[data-part=picture]"), said(page)
    step = (460 / T) if 460 / T < 24 else 24
    cell = {"x": 20 + 2.5 * step, "y": 40 + 7.5 * step}
    picture.hover(position=cell)
    assert said(page).startswith(
        "Preview. Layer 1, head 0. Attention weights: softmax. Token 7 space gives weight "
    )
    page.mouse.move(2, 2)
    assert said(page) == start
    picture.click(position=cell)
    page.mouse.move(2, 2)
    assert said(page) == walk.show(position=7, key=2).sentence
    page.locator("canvas[data-part=map]").click(position={"x": 100, "y": 24 + 23 * 3.5})  # layer 0, closed
    assert said(page) == walk.show(layer=0).sentence
    page.locator("canvas[data-part=map]").click(position={"x": 100, "y": 24 + 23 * 1.5})
    assert said(page) == walk.show("embedding").sentence


def test_the_temperature_changes_the_prediction(opened):
    walk = made().show("probabilities", position=5)
    page = opened(walk)
    page.get_by_label("temperature", exact=True).focus()
    page.keyboard.press("Home")
    assert said(page) == walk.show(temperature=0.1).sentence
    page.get_by_label("temperature, as a number").fill("2.5")
    assert said(page) == walk.show(temperature=2.5).sentence


def test_masked_places_are_hatched_grey_and_others_are_not(opened):
    page = opened(made().show("weights"))
    picture, step = page.locator("canvas[data-part=picture]"), int(min(460 / T, 24))
    place = [20 + 15 * step + 3, 40 + 4 * step + 3, 3 * step]
    assert picture.evaluate(TINT, place) < 20
    assert picture.evaluate(TINT, [20 + 3 * step, 40 + 12 * step, 3 * step]) > 40


def test_light_and_dark_follow_the_reader(opened):
    page = opened(made().show("qkv"))
    look = """[getComputedStyle(document.querySelector('.kqa-walk')).backgroundColor,
        ...[...document.querySelectorAll('canvas')].map((each) => each.toDataURL())]"""
    light = page.evaluate(look)
    page.emulate_media(color_scheme="dark")
    said(page)
    assert all(now != before for now, before in zip(page.evaluate(look), light, strict=True))
    # a light notebook on a dark machine stays light
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    said(page)
    assert page.evaluate(look) == light


def test_without_a_script_the_still_stands_there(chromium, tmp_path):
    walk = made().show("weights")
    walk.to_html(tmp_path / "page.html")
    context = chromium.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("noscript img").get_attribute("alt") == walk.sentence
    context.close()
