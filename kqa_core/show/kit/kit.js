// What every widget's module begins with: the look, canvas, keys, and when to draw. One file of the module, no module of its own:
// `kqa_core.show.kit.widget` puts the parts of a widget together into one ES module without imports.

// Stops of cividis as place, red, green, blue (two hex digits each), with straight lines between them: within 1/255 of matplotlib's.
const CIVIDIS = ("0000224e1300306f15003170170132711c123570221e3a6f2b2b406d3436466c4245506c54565c6d6b6b6d727e7b7a78" +
  "938f8a78a49f9775b3aea371c0bcae6ccdc9b965dbd9c55ce8e7d150f3f3db42fbfde334fcfee434fffee838")
  .match(/.{8}/g).map((hex) => [0, 2, 4, 6].map((at) => parseInt(hex.slice(at, at + 2), 16)));
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const fixed = (x) => (x === -Infinity ? "−∞" : x.toFixed(2).replace("-", "−").replace("−0.00", "0.00"));
const exact = (x) => (x && Math.abs(x) < 0.1 ? x.toPrecision(2).replaceAll("-", "−") : fixed(x)); // of what has no fixed scale
const visible = (token) => ({ " ": "␣", "\n": "⏎", "\t": "⇥", "": "∅" })[token] || token;
const spoken = (token) => ({ " ": "space", "\n": "line feed", "\t": "tab", "": "nothing" })[token] || `“${token}”`;

function node(name, parent, attributes = {}, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return parent.appendChild(made);
}

function cividis(weight) {
  const place = 255 * clamp(weight, 0, 1), next = Math.max(1, CIVIDIS.findIndex(([at]) => at >= place));
  const [from, ...low] = CIVIDIS[next - 1], [to, ...high] = CIVIDIS[next];
  return low.map((start, c) => start + ((place - from) / (to - from)) * (high[c] - start));
}

function rgb(colour) {
  const hex = colour.trim().slice(1);
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// Relative luminance (WCAG 2.2) of red, green, blue from 0 to 255, and the ink that can be read on it.
function luminance(colour) {
  const [r, g, b] = colour.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const inkOn = (colour) => (luminance(colour) > 0.179 ? "#000000" : "#ffffff");

// A canvas at the width it has in the page and the height asked for, in device pixels; its context counts CSS pixels.
function surface(canvas, height, look) {
  const dense = window.devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  canvas.style.height = `${height}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(dense, dense);
  ctx.imageSmoothingEnabled = false;
  ctx.fillStyle = look.ink;
  ctx.font = look.small;
  ctx.textBaseline = "middle";
  return ctx;
}

function hatch(ctx, x, y, width, height, look) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  ctx.fillStyle = look.soft;
  ctx.fillRect(x, y, width, height);
  ctx.strokeStyle = look.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let d = -height; d < width; d += 5) { ctx.moveTo(x + d, y + height); ctx.lineTo(x + d + height, y); }
  ctx.stroke();
  ctx.restore();
}

// A frame seen on any colour: white within dark; dashed while it is only a preview.
function frame(ctx, x, y, w, h, preview) {
  ctx.save();
  for (const [width, colour] of [[4, "#000000"], [2, "#ffffff"]]) {
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    if (width === 2 && preview) ctx.setLineDash([4, 4]);
    ctx.strokeRect(x - 2, y - 2, w + 4, h + 4); // outside, so that what it frames is seen
  }
  ctx.restore();
}

// The colours and type of the notebook or page around `root`, as canvas wants them.
function lookOf(root) {
  const style = getComputedStyle(root), get = (name) => style.getPropertyValue("--kqa-" + name).trim();
  const size = get("small"), back = get("paper");
  return { ink: get("ink"), quiet: get("quiet"), soft: get("soft"), line: get("line"), focus: get("focus"), bar: get("focus"), back,
    paper: rgb(back), minus: rgb(get("minus")), plus: rgb(get("plus")), minusInk: get("minus"), plusInk: get("plus"), bothInk: get("both"),
    wrong: get("wrong"), cell: get("cell"), mark: get("mark"), onMark: inkOn(rgb(get("mark"))),
    small: `${size} ${get("font")}`, mono: `${size} ${get("mono")}` };
}

// Keys pressed on `element` are ours: neither the notebook (where "b" would insert a cell) nor the page gets them. `onKey(event)`
// returns true for a key that it used.
function takeKeys(element, onKey) {
  element.tabIndex = 0;
  element.dataset.lmSuppressShortcuts = "true";
  element.addEventListener("keydown", (event) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    if (onKey(event)) event.preventDefault();
  });
}

// Which way a key goes: one place for an arrow, to the end for Home, End, Page Up and Page Down.
const across = (event) => ({ ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 })[event.key] || 0;
const down = (event) => ({ ArrowUp: -1, ArrowDown: 1, PageUp: -1e6, PageDown: 1e6 })[event.key] || 0;

// Calls `draw(look)` once per frame whenever it may look different: a value changed, another size, light or dark. Returns
// `later`, to call when something else changed, and `end`, for when the widget goes.
function keepDrawn(root, model, names, draw) {
  let waiting = 0;
  const now = () => {
    waiting = 0;
    if (root.isConnected && root.clientWidth) draw(lookOf(root)); // not in the page yet: the observer of its size draws
  };
  const later = () => { waiting ||= requestAnimationFrame(now); };
  const changes = names.map((name) => "change:" + name);
  changes.forEach((name) => model.on(name, later));
  const size = new ResizeObserver(later), theme = new MutationObserver(later), dark = matchMedia("(prefers-color-scheme: dark)");
  size.observe(root);
  for (const watched of [document.documentElement, document.body]) theme.observe(watched, { attributes: true });
  dark.addEventListener("change", later);
  later();
  const end = () => {
    changes.forEach((name) => model.off(name, later));
    size.disconnect();
    theme.disconnect();
    dark.removeEventListener("change", later);
    cancelAnimationFrame(waiting);
  };
  return { later, end };
}

// What a widget begins with: the sentence on top, which a screen reader reads out whenever it changes.
function begin(el, kind, label, lines) {
  const root = node("div", el, { class: `kqa kqa-${kind}`, role: "group", "aria-label": label });
  const said = node("p", root, { class: "kqa-said", role: "status", "aria-live": "polite" });
  said.style.minHeight = `${1.2 + 1.6 * lines}em`;
  return { root, say: (text) => { if (said.textContent !== text) said.textContent = text; } };
}

function button(parent, text, onClick) {
  const made = node("button", parent, { type: "button", class: "kqa-button" }, text);
  takeKeys(made, () => false);
  made.addEventListener("click", onClick);
  return made;
}

// Whether a number has been typed that may be used, also between two steps.
const fits = ({ value, validity }) => value !== "" && !validity.badInput && !validity.rangeUnderflow && !validity.rangeOverflow;

// A number with its name: a slider and a box that say the same. `follow(value)` brings both to a value, but not the one in hand.
function number(parent, label, { min, max, step }, onInput) {
  const row = node("span", parent, { class: "kqa-number" }, label), limits = { min, max, step };
  const inputs = ["range", "number"].map((type) => node("input", row, { type, ...limits, "aria-label": type === "range" ? label : `${label}, as a number` }));
  for (const input of inputs) {
    takeKeys(input, () => false); // the arrows are the input's own
    input.addEventListener("input", () => { if (fits(input)) onInput(Number(input.value)); });
  }
  return (value) => inputs.forEach((input) => { if (Number(input.value) !== value || input.value === "") input.value = value; });
}
