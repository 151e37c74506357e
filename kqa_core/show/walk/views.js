// The picture of each step, and what the arrow keys choose in it. After parts.js.

// What left and right, and up and down, choose in the picture of a step.
const KEYS = {
  characters: ["position", null], prediction: ["position", null], probabilities: ["position", null], stream: ["position", null], lens: ["position", null],
  heads: ["channel", "key"], logits: ["key", "position"], mask: ["key", "position"], weights: ["key", "position"],
}; // elsewhere: the channel and the position

const keysOf = (step) => KEYS[step] || ["channel", "position"];

// How many of each there are to choose from.
function countOf(p, name, step) {
  if (name !== "channel") return p.T;
  return step === "mlp" ? p.get("hidden", 0, 0).length : step === "qkv" || step === "heads" ? p.C / p.heads : p.C;
}

function viewOf(w) {
  const { p, at } = w, { layer: l, head: h, position: i, key: j } = at;
  const stream = (n) => (t) => p.get("stream", n, t), here = spoken(p.tokens[i]);
  const one = (name, ...places) => p.get(name, ...places, i);
  const all = `all ${p.T} tokens, one row each`;
  const summed = (names, before, added, n) => () => [strip(w, names[0], before), strip(w, `+ ${names[1]}`, added), strip(w, `= ${names[2]}`, stream(n)(i)), matrix(w, `${names[2]}: ${all}`, stream(n))];
  const normed = (n, name, ...places) => () => [strip(w, "x, from the residual stream", stream(n)(i)), strip(w, "LayerNorm(x)", one(name, ...places)), matrix(w, `LayerNorm(x): ${all}`, (t) => p.get(name, ...places, t))];
  const logit = (a, b) => p.get("logits", l, h, a)[b];
  const product = () => p.get("query", l, h, i).map((x, c) => x * p.get("key", l, h, j)[c]);
  const views = {
    characters: () => [codes(w)],
    embedding: () => [strip(w, `the vector of ${here}`, one("embedding")), matrix(w, `the vectors of ${all}`, (t) => p.get("embedding", t))],
    position: p.has("position")
      ? summed(["embedding of the character", `vector of position ${i}`, "x, the start of the residual stream"], one("embedding"), one("position"), 0)
      : () => [strip(w, "x, the start of the residual stream", stream(0)(i)), matrix(w, `x: ${all}`, stream(0))],
    norm_1: normed(2 * l, "norm_1", l),
    qkv: () => [
      ...(p.has("query_before") ? ["query", "key"].map((name) => strip(w, `${name} before the rotation`, one(`${name}_before`, l, h))) : []),
      ...["query", "key", "value"].map((name) => strip(w, `${name}${p.has(`${name}_before`) ? ", rotated" : ""}`, one(name, l, h))),
      beside(w, ["query", "key", "value"].map((name) => (part) => matrix(part, `${{ query: "Q", key: "K", value: "V" }[name]}: all ${p.T} tokens`, (t) => p.get(name, l, h, t), { tall: 220 }))),
    ],
    logits: () => [
      table(w, "Logits. Each row is a query, each column a key. Blue: below 0, orange: above 0", logit),
      ...[[`query of token ${i} ${here}`, p.get("query", l, h, i)], [`key of token ${j} ${spoken(p.tokens[j])}`, p.get("key", l, h, j)], ["their product, channel by channel", product()]]
        .map(([label, values]) => strip({ ...w, at: { ...at, channel: Infinity } }, label, values, { limit: Infinity, high: 14 })),
    ],
    mask: () => [table(w, "Logits after the mask. What may not be read is hatched", (a, b) => (p.may(l, a, b) ? logit(a, b) : null))],
    weights: () => [
      table(w, "Weights. Each row is a query and sums to 1. Dark blue: 0, yellow: 1, hatched: masked", (a, b) => (p.may(l, a, b) ? p.get("weights", l, h, a)[b] : null), "weights"),
      rowOfWeights(w, `the row of token ${i} ${here}`),
    ],
    heads: () => [
      rowOfWeights(w, `weights of token ${i} ${here}`),
      beside(w, [["values v[i]", (t) => p.get("value", l, h, t)], ["weight times value", (t) => p.get("value", l, h, t).map((x) => x * p.get("weights", l, h, i)[t])]]
        .map(([label, vector]) => (part) => matrix(part, label, vector, { named: "key", most: largest(p.get("value", l, h)) }))),
      strip(w, `sum of the rows on the right: output of head ${h}`, one("heads", l, h)),
    ],
    merge: () => [
      strip(w, `outputs of ${p.heads} heads, side by side`, one("merged", l), { heads: p.heads }),
      strip(w, "after the projection W_O: the output of attention", one("attention", l)),
      matrix(w, `output of attention: ${all}`, (t) => p.get("attention", l, t)),
    ],
    add_1: summed(["x, before", "output of attention", "x, after"], stream(2 * l)(i), one("attention", l), 2 * l + 1),
    norm_2: normed(2 * l + 1, "norm_2", l),
    mlp: () => {
      const hidden = one("hidden", l), rows = hidden.length % p.C ? 1 : hidden.length / p.C, none = { limit: Infinity };
      const quiet = { ...w, at: { ...at, channel: Infinity } };
      return [
        strip(quiet, "LayerNorm(x), the input", one("norm_2", l), none),
        strip(w, `${hidden.length} hidden units after GELU, in ${rows} row${rows > 1 ? "s" : ""}`, hidden, { rows, high: 16 }),
        strip(quiet, "output of the MLP", one("mlp", l), none),
        matrix(quiet, `output of the MLP: ${all}`, (t) => p.get("mlp", l, t)),
      ];
    },
    add_2: summed(["x, before", "output of the MLP", "x, after"], stream(2 * l + 1)(i), one("mlp", l), 2 * l + 2),
    norm: normed(p.points - 1, "norm"),
    prediction: () => [candidates(w, `the largest logits for the character after token ${i} ${here}`, one("prediction"), exact)],
    probabilities: () => [candidates(w, `the likeliest characters after token ${i} ${here}, at temperature ${at.temperature.toFixed(1)}`, softmax(one("prediction"), at.temperature), fixed)],
    stream: () => [growth(w)],
    lens: () => [lensTable(w), note(w, `The five likeliest characters after token ${i} ${here}, from each point of the model:`), lensTops(w)],
  };
  return stack(views[at.step]());
}

// The characters with their numbers.
function codes(w) {
  const { p, look, at } = w, wide = 46, high = 54, columns = Math.max(1, Math.floor(w.width / wide));
  return {
    tall: Math.ceil(p.T / columns) * high + 8,
    paint(ctx, y) {
      p.tokens.forEach((token, n) => {
        const x = (n % columns) * wide, top = y + 4 + Math.floor(n / columns) * high;
        ctx.fillStyle = look.cell;
        ctx.fillRect(x + 2, top, wide - 4, high - 8);
        write(ctx, look, visible(token), x + wide / 2, top + 14, { align: "center", font: `bold ${look.mono}` });
        write(ctx, look, p.names.indexOf(token), x + wide / 2, top + 34, { align: "center", colour: look.quiet });
        if (n === at.position) frame(ctx, x + 3, top + 1, wide - 6, high - 10, w.preview);
      });
    },
    hit(x, y) {
      const n = Math.floor(y / high) * columns + Math.floor(x / wide);
      return x < columns * wide && n >= 0 && n < p.T ? { position: n } : null;
    },
  };
}

// Norms along the residual stream: of the stream at each point, and of what was added to reach it.
function growth(w) {
  const { p, look, at } = w, i = at.position, high = 46, left = 150, wide = w.width - left - 60;
  const stream = Array.from({ length: p.points }, (_, n) => norm(p.get("stream", n, i)));
  const added = stream.map((_, n) => (n ? norm(p.added(n, i)) : 0)), most = Math.max(...stream, ...added);
  return {
    tall: p.points * high + 8,
    paint(ctx, y) {
      stream.forEach((size, n) => {
        const top = y + n * high;
        write(ctx, look, n ? `+ ${pointName(n)}` : "embedding + position", left - 10, top + 20, { align: "right", most: left - 12 });
        if (n) {
          const long = Math.max(1, (wide * added[n]) / most);
          ctx.fillStyle = look.plusInk;
          ctx.fillRect(left, top + 2, long, 14);
          write(ctx, look, `adds ${fixed(added[n])}`, left + long + 6, top + 9, { colour: look.quiet });
        }
        const long = Math.max(1, (wide * size) / most);
        ctx.fillStyle = look.bar;
        ctx.fillRect(left, top + 19, long, 18);
        write(ctx, look, fixed(size), left + long + 6, top + 28);
      });
    },
  };
}

// The likeliest next character at each point of the stream (rows), after each token (columns).
function lensTable(w) {
  const { p, look, at } = w, left = 130, high = 24, step = clamp(Math.floor((w.width - left) / p.T), 17, 26);
  const count = Math.min(p.T, Math.floor((w.width - left) / step)), start = clamp(at.position - (count >> 1), 0, p.T - count);
  return {
    tall: 26 + (p.points + 1) * high + 14,
    paint(ctx, y) {
      for (let column = 0; column < count; column++) {
        const t = start + column, x = left + column * step, chosen = t === at.position;
        write(ctx, look, visible(p.tokens[t]), x + step / 2, y + 14, { align: "center", font: chosen ? `bold ${look.mono}` : look.mono, most: step });
        for (let n = 0; n < p.points; n++) {
          const chances = p.lens(n, t), top = best(chances), colour = cividis(chances[top]), place = y + 26 + n * high;
          ctx.fillStyle = `rgb(${colour.map(Math.round)})`;
          ctx.fillRect(x, place, step - 1, high - 1);
          write(ctx, look, visible(p.names[top]), x + step / 2, place + high / 2, { align: "center", font: look.mono, colour: inkOn(colour), most: step });
        }
        if (t + 1 < p.T) write(ctx, look, visible(p.tokens[t + 1]), x + step / 2, y + 28 + (p.points + 0.5) * high, { align: "center", font: `bold ${look.mono}`, most: step });
        if (chosen) frame(ctx, x, y + 26, step - 1, p.points * high - 1, w.preview);
      }
      write(ctx, look, "after the token", left - 8, y + 14, { align: "right", colour: look.quiet });
      for (let n = 0; n < p.points; n++) write(ctx, look, pointName(n).replace("the ", ""), left - 8, y + 26 + (n + 0.5) * high, { align: "right", most: left - 10 });
      write(ctx, look, "next in the text", left - 8, y + 28 + (p.points + 0.5) * high, { align: "right", colour: look.quiet });
    },
    hit(x, y) {
      const column = Math.floor((x - left) / step);
      return column >= 0 && column < count ? { position: start + column } : null;
    },
  };
}

function lensTops(w) {
  const { p, look, at } = w, left = 130, high = 24, shown = 5, wide = (w.width - left) / shown;
  return {
    tall: p.points * high + 8,
    paint(ctx, y) {
      for (let n = 0; n < p.points; n++) {
        const chances = p.lens(n, at.position), order = Array.from(chances.keys()).sort((a, b) => chances[b] - chances[a]).slice(0, shown), middle = y + (n + 0.5) * high;
        write(ctx, look, pointName(n).replace("the ", ""), left - 8, middle, { align: "right", most: left - 10 });
        order.forEach((number, place) => {
          const x = left + place * wide;
          ctx.fillStyle = look.cell;
          ctx.fillRect(x, middle - 10, (wide - 6) * chances[number], 20);
          write(ctx, look, visible(p.names[number]), x + 4, middle, { font: `bold ${look.mono}` });
          write(ctx, look, fixed(chances[number]), x + 24, middle, { colour: look.quiet });
        });
      }
    },
  };
}
