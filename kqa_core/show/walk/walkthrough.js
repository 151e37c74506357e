// The walk through one forward pass: the text, the map of the model, and one step with its numbers and its lines of code.
// After facts.js, parts.js, views.js and map.js.
//
// State (synchronised with Python): tokens (of the text) and ids (their numbers), names (of tokens, by number), kind (sizes and words of
// the model), steps (their texts and lines of code), arrays (all numbers), and the selection: step, layer, head, position, key, channel, temperature. A place under the mouse is a preview, and is never sent.

const SELECTION = ["step", "layer", "head", "position", "key", "channel", "temperature"];

function render({ model, el }) {
  const steps = model.get("steps"), p = new Passage(...["arrays", "tokens", "ids", "names", "kind"].map((name) => model.get(name)));
  const { root, say } = begin(el, "walk", "A walk through one forward pass", 2);
  const inside = steps.filter((step) => step.in_layer), first = steps.indexOf(inside[0]), outside = steps.filter((step) => !step.in_layer);
  const order = [...outside.slice(0, first).map(({ name }) => [name]), ...Array.from({ length: p.layers }, (_, l) => inside.map(({ name }) => [name, l])).flat(),
    ...outside.slice(first).map(({ name }) => [name])];
  let hover = null;
  const kept = () => Object.fromEntries(SELECTION.map((name) => [name, model.get(name)]));
  const stepOf = (name) => steps.find((step) => step.name === name);
  const placeOf = ({ step, layer }) => order.findIndex(([name, l]) => name === step && (l === undefined || l === layer));
  function select(change) {
    hover = null;
    for (const [name, value] of Object.entries(change)) if (value !== undefined) model.set(name, value);
    model.save_changes();
    later();
  }
  function go(by) {
    const [step, layer] = order[clamp(placeOf(kept()) + by, 0, order.length - 1)];
    select({ step, layer });
  }

  const texts = part(root, "text", "", "The text. Left and right choose a token.", ["position", null], () => textOf);
  const bar = node("div", root, { class: "kqa-row" });
  const back = button(bar, "◂ back", () => go(-1)), next = button(bar, "next step ▸", () => go(1));
  next.classList.add("kqa-main");
  const numbers = {};
  for (const [name, limits] of [["layer", { min: 0, max: p.layers - 1, step: 1 }], ["head", { min: 0, max: p.heads - 1, step: 1 }], ["temperature", { min: 0.1, max: 3, step: 0.1 }]])
    numbers[name] = { follow: number(bar, name, limits, (value) => select({ [name]: value })), row: bar.lastChild };
  const fit = node("div", root, { class: "kqa-fit" }), panes = node("div", fit, { class: `kqa-walk-panes${p.words ? " kqa-walk-words" : ""}` });
  const map = part(panes, "map", "The model: click a step. The blue band is the residual stream of the chosen token, as wide as its norm; ⊕ adds to it." + (p.predicts ? " On the right: what the model would predict if it stopped there." : ""), "Map of the model. Up and down go to the step before and after, left and right to the layer before and after.", null, () => (w) => mapOf(w, steps));
  const detail = node("div", panes, { class: "kqa-walk-step" });
  const title = node("p", detail, { class: "kqa-walk-title" }), about = node("p", detail), formula = node("p", detail, { class: "kqa-quiet kqa-mono" });
  const picture = part(detail, "picture", "", "", null, () => viewOf);
  const work = node("p", detail, { class: "kqa-work kqa-mono", "aria-live": "polite" });
  const heading = node("p", detail, { class: "kqa-quiet" }, "The lines of code that compute it:");
  const code = node("pre", detail, { class: "kqa-code" });
  node("p", root, { class: "kqa-quiet" }, "Hover to look, click to keep. With the keyboard: Tab to a picture, then the arrow keys, Home and End. In vectors, blue is below 0 and orange above 0.");

  // A canvas with its caption, its keys (what left and right, up and down choose; null: asked each time) and its mouse.
  function part(parent, name, caption, label, fixedKeys, maker) {
    const figure = node("figure", parent), heading = node("figcaption", figure, {}, caption);
    const canvas = node("canvas", figure, { role: "application", "aria-label": label });
    canvas.dataset.part = name;
    const made = { canvas, heading, maker, view: null };
    takeKeys(canvas, (event) => {
      const dx = across(event), dy = down(event), at = kept();
      if (!dx && !dy) return false;
      if (name === "map") {
        if (dy || Math.abs(dx) > 1) go(Math.abs(dy) > 1 ? dy : dy || dx);
        else if (stepOf(at.step).in_layer) select({ layer: clamp(at.layer + dx, 0, p.layers - 1) });
        return true;
      }
      const [horizontal, vertical] = fixedKeys || keysOf(at.step), chosen = dx ? horizontal : vertical;
      if (chosen) { const last = countOf(p, chosen, at.step) - 1; select({ [chosen]: clamp(Math.min(at[chosen], last) + (dx || dy), 0, last) }); }
      return true;
    });
    const hitOf = (event) => { const box = canvas.getBoundingClientRect(); return made.view?.hit?.(event.clientX - box.left, event.clientY - box.top); };
    if (name === "picture") {
      canvas.addEventListener("pointermove", (event) => { hover = hitOf(event); later(); });
      canvas.addEventListener("pointerleave", () => { hover = null; later(); });
    }
    canvas.addEventListener("click", (event) => { const hit = hitOf(event); if (hit) select({ step: hit.step, layer: hit.layer, position: hit.position, key: hit.key, channel: hit.channel }); });
    return made;
  }

  function paint(made, at, look, preview) {
    made.view = made.maker()({ p, at, look, preview, width: made.canvas.clientWidth });
    made.view.paint(surface(made.canvas, made.view.tall, look), 0);
  }

  const { later, end } = keepDrawn(root, model, SELECTION, (look) => {
    const at = { ...kept(), ...hover }, step = stepOf(at.step), number_ = placeOf(at);
    texts.heading.textContent = `The text${p.predicts ? `, and under each ${p.unit} the one that the model expects next (framed where it is right)` : ""}. Click a ${p.unit} to follow it.`;
    title.textContent = `Step ${number_ + 1} of ${order.length}: ${step.title}`;
    about.textContent = step.about;
    formula.textContent = step.formula;
    back.disabled = number_ === 0;
    next.disabled = number_ === order.length - 1;
    for (const [name, shown] of [["layer", step.in_layer], ["head", step.by_head], ["temperature", at.step === "probabilities"]]) {
      numbers[name].follow(at[name]);
      numbers[name].row.hidden = !shown;
    }
    const [horizontal, vertical] = keysOf(at.step);
    picture.canvas.setAttribute("aria-label", `${step.title}. Left and right choose the ${horizontal}${vertical ? `, up and down the ${vertical}` : ""}.`);
    work.textContent = calculation(p, at);
    const lines = step.code.map(({ file, line, of, text }, n, all) => `${all[n - 1]?.of === of ? "" : `# ${file}, in ${of}\n`}${line}  ${text}`).join("\n");
    if (code.textContent !== lines) code.textContent = lines;
    heading.hidden = code.hidden = !lines;
    paint(texts, kept(), look);
    paint(map, kept(), look);
    paint(picture, at, look, Boolean(hover));
    say((hover ? "Preview. " : "") + sentenceOf(p, at, step));
  });
  return end;
}
