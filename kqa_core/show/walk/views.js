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
  return step === "mlp" ? p.get("hidden", 0, 0).length : step === "qkv" || step === "heads" ? p.hs : p.shown;
}

function viewOf(w) {
  const { p, at } = w, { layer: l, head: h, position: i, key: j } = at;
  const stream = (n) => (t) => p.get("stream", n, t), here = spoken(p.tokens[i]);
  const one = (name, ...places) => p.get(name, ...places, i);
  const all = `all ${p.T} tokens, one row each${p.shown < p.C ? `, the first ${p.shown} of ${p.C} channels` : ""}`;
  const summed = (names, before, added, sum) => () => [strip(w, names[0], before), strip(w, `+ ${names[1]}`, added), strip(w, `= ${names[2]}`, sum(i)), matrix(w, `${names[2]}: ${all}`, sum)];
  const sumOf = (name, n, ...places) => (p.post ? (t) => p.get(name, ...places, t) : stream(n));
  const normed = (n, name, ...places) => () => [strip(w, "x, from the residual stream", stream(n)(i)), strip(w, `${p.norm}(x)`, one(name, ...places)), matrix(w, `${p.norm}(x): ${all}`, (t) => p.get(name, ...places, t))];
  const inStream = (name, n, ...places) => () => [strip(w, "x, the sum", one(name, ...places)), strip(w, `${p.norm}(x), the stream from here on`, stream(n)(i)), matrix(w, `${p.norm}(x): ${all}`, stream(n))];
  const logit = (a, b) => p.get("logits", l, h, a)[b];
  const product = () => p.get("query", l, h, i).map((x, c) => x * p.get("key", l, h, j)[c]);
  const views = {
    characters: () => [codes(w)],
    embedding: () => [strip(w, `the vector of ${here}`, one("embedding")), matrix(w, `the vectors of ${all}`, (t) => p.get("embedding", t))],
    position: p.has("position")
      ? summed([`embedding of the ${p.unit}`, `vector of position ${i}`, p.post ? "x, the sum" : "x, the start of the residual stream"], one("embedding"), one("position"), sumOf("sum_0", 0))
      : () => [strip(w, "x, the start of the residual stream", stream(0)(i)), matrix(w, `x: ${all}`, stream(0))],
    norm_0: inStream("sum_0", 0),
    norm_1: p.post ? inStream("sum_1", 2 * l + 1, l) : normed(2 * l, "norm_1", l),
    qkv: () => [
      ...(p.has("query_before") ? ["query", "key"].map((name) => strip(w, `${name} before the rotation`, one(`${name}_before`, l, h))) : []),
      ...["query", "key", "value"].map((name) => strip(w, `${name}${p.rotated && name !== "value" ? ", rotated" : ""}`, one(name, l, h))),
      beside(w, ["query", "key", "value"].map((name) => (part) => matrix(part, `${{ query: "Q", key: "K", value: "V" }[name]}: all ${p.T} tokens`, (t) => p.get(name, l, h, t), { tall: 220 }))),
    ],
    logits: () => [
      table(w, "Logits. Each row is a query, each column a key. Blue: below 0, orange: above 0", logit),
      ...[[`query of token ${i} ${here}`, p.get("query", l, h, i)], [`key of token ${j} ${spoken(p.tokens[j])}`, p.get("key", l, h, j)], ["their product, channel by channel", product()]]
        .map(([label, values]) => strip({ ...w, at: { ...at, channel: Infinity } }, label, values, { limit: Infinity, high: 14 })),
    ],
    mask: () => [table(w, "Logits after the mask. What may not be read is hatched", (a, b) => (p.may(l, a, b) ? logit(a, b) : null))],
    weights: () => [
      table(w, `Weights. Each row is a query and sums to 1. Dark blue: 0, yellow: 1${p.masks ? ", hatched: masked" : ""}`, (a, b) => (p.may(l, a, b) ? p.get("weights", l, h, a)[b] : null), "weights"),
      rowOfWeights(w, `the row of token ${i} ${here}`),
    ],
    heads: () => [
      rowOfWeights(w, `weights of token ${i} ${here}`),
      beside(w, [["values v[i]", (t) => p.get("value", l, h, t)], ["weight times value", (t) => p.get("value", l, h, t).map((x) => x * p.get("weights", l, h, i)[t])]]
        .map(([label, vector]) => (part) => matrix(part, label, vector, { named: "key", most: largest(p.get("value", l, h)) }))),
      strip(w, `sum of the rows on the right: output of head ${h}`, one("heads", l, h)),
    ],
    merge: () => [
      strip({ ...w, at: { ...at, channel: Math.min(at.channel, p.shown - 1) } }, `outputs of ${p.heads} heads, side by side: ${p.C} channels`, p.merged(l, i), { heads: p.heads }),
      strip(w, "after the projection W_O: the output of attention", one("attention", l)),
      matrix(w, `output of attention: ${all}`, (t) => p.get("attention", l, t)),
    ],
    add_1: summed(["x, before", "output of attention", "x, after"], stream(2 * l)(i), one("attention", l), sumOf("sum_1", 2 * l + 1, l)),
    norm_2: p.post ? inStream("sum_2", 2 * l + 2, l) : normed(2 * l + 1, "norm_2", l),
    mlp: () => {
      const hidden = one("hidden", l), rows = hidden.cut || hidden.length % p.C ? 1 : hidden.length / p.C, none = { limit: Infinity };
      const quiet = { ...w, at: { ...at, channel: Infinity } }, units = `${p.F} hidden units`;
      const before = p.has("hidden_up")
        ? [strip(w, `W_gate x, ${p.F} gates`, one("hidden_before", l), { high: 16 }), strip(w, "W_up x", one("hidden_up", l), { high: 16 }), strip(w, `SiLU(W_gate x) · W_up x, ${units}`, hidden, { high: 16 })]
        : [strip(w, `${units} after GELU${rows > 1 ? `, in ${rows} rows` : ""}`, hidden, { rows, high: 16 })];
      return [
        strip(quiet, p.post ? "x, the input" : `${p.norm}(x), the input`, p.post ? stream(2 * l + 1)(i) : one("norm_2", l), none),
        ...before,
        strip(quiet, "output of the MLP", one("mlp", l), none),
        matrix(quiet, `output of the MLP: ${all}`, (t) => p.get("mlp", l, t)),
      ];
    },
    add_2: summed(["x, before", "output of the MLP", "x, after"], stream(2 * l + 1)(i), one("mlp", l), sumOf("sum_2", 2 * l + 2, l)),
    norm: normed(p.points - 1, "norm"),
    prediction: () => [candidates(w, `the largest logits for the ${p.unit} after token ${i} ${here}`, (logit) => logit, exact)],
    probabilities: () => [candidates(w, `the likeliest ${p.unit}s after token ${i} ${here}, at temperature ${at.temperature.toFixed(1)}`, (logit) => p.chance(i, logit, at.temperature), fixed)],
    stream: () => [growth(w)],
    lens: () => [lensTable(w), note(w, `The five likeliest ${p.unit}s after token ${i} ${here}, from each point of the model:`), lensTops(w)],
  };
  return stack(views[at.step]());
}

// The characters with their numbers.
function codes(w) {
  const { p, look, at } = w, wide = p.words ? 78 : 46, high = 54, columns = Math.max(1, Math.floor(w.width / wide));
  return {
    tall: Math.ceil(p.T / columns) * high + 8,
    paint(ctx, y) {
      p.tokens.forEach((token, n) => {
        const x = (n % columns) * wide, top = y + 4 + Math.floor(n / columns) * high;
        ctx.fillStyle = look.cell;
        ctx.fillRect(x + 2, top, wide - 4, high - 8);
        write(ctx, look, visible(token), x + wide / 2, top + 14, { align: "center", font: `bold ${look.mono}`, most: wide - 8 });
        write(ctx, look, p.ids[n], x + wide / 2, top + 34, { align: "center", colour: look.quiet });
        if (n === at.position) frame(ctx, x + 3, top + 1, wide - 6, high - 10, w.preview);
      });
    },
    hit(x, y) {
      const n = Math.floor(y / high) * columns + Math.floor(x / wide);
      return x < columns * wide && n >= 0 && n < p.T ? { position: n } : null;
    },
  };
}

// Norms along the residual stream: of the stream at each point, and of what was added to reach it. Many points have one line each.
function growth(w) {
  const { p, look, at } = w, i = at.position, dense = p.points > 20, high = dense ? 20 : 46, left = 150, wide = w.width - left - (dense ? 130 : 60);
  const stream = Array.from({ length: p.points }, (_, n) => norm(p.get("stream", n, i)));
  const added = stream.map((_, n) => (n ? norm(p.added(n, i)) : 0)), most = Math.max(...stream, ...added);
  return {
    tall: p.points * high + 8,
    paint(ctx, y) {
      const bar = (size, colour, top, tall) => { ctx.fillStyle = colour; ctx.fillRect(left, top, Math.max(1, (wide * size) / most), tall); return left + Math.max(1, (wide * size) / most) + 6; };
      stream.forEach((size, n) => {
        const top = y + n * high, from = p.has("position") ? "embedding + position" : "embedding";
        write(ctx, look, n ? `+ ${pointName(n)}` : from, left - 10, top + (dense ? 10 : 20), { align: "right", most: left - 12 });
        if (dense) {
          if (n) bar(added[n], look.plusInk, top + 2, 6);
          bar(size, look.bar, top + 9, 9);
          write(ctx, look, fixed(size), w.width - 74, top + 10, { align: "right" });
          if (n) write(ctx, look, `+ ${fixed(added[n])}`, w.width, top + 10, { align: "right", colour: look.quiet });
          return;
        }
        if (n) write(ctx, look, `adds ${fixed(added[n])}`, bar(added[n], look.plusInk, top + 2, 14), top + 9, { colour: look.quiet });
        write(ctx, look, fixed(size), bar(size, look.bar, top + 19, 18), top + 28);
      });
    },
  };
}

// The likeliest next token at each point of the stream (rows), after each token (columns).
function lensTable(w) {
  const { p, look, at } = w, points = lensPoints(p), left = 130, high = points.length > 20 ? 19 : 24, step = p.words ? clamp(Math.floor((w.width - left) / p.T), 62, 78) : clamp(Math.floor((w.width - left) / p.T), 17, 26);
  const count = Math.min(p.T, Math.floor((w.width - left) / step)), start = clamp(at.position - (count >> 1), 0, p.T - count), most = step - (p.words ? 4 : 0);
  return {
    tall: 26 + (points.length + 1) * high + 14,
    paint(ctx, y) {
      for (let column = 0; column < count; column++) {
        const t = start + column, x = left + column * step, chosen = t === at.position;
        write(ctx, look, visible(p.tokens[t]), x + step / 2, y + 14, { align: "center", font: chosen ? `bold ${look.mono}` : look.mono, most });
        points.forEach((n, row) => {
          const [[top, chance]] = p.lens(n, t), colour = cividis(chance), place = y + 26 + row * high;
          ctx.fillStyle = `rgb(${colour.map(Math.round)})`;
          ctx.fillRect(x, place, step - 1, high - 1);
          write(ctx, look, visible(p.names[top]), x + step / 2, place + high / 2, { align: "center", font: look.mono, colour: inkOn(colour), most });
        });
        if (t + 1 < p.T) write(ctx, look, visible(p.tokens[t + 1]), x + step / 2, y + 28 + (points.length + 0.5) * high, { align: "center", font: `bold ${look.mono}`, most });
        if (chosen) frame(ctx, x, y + 26, step - 1, points.length * high - 1, w.preview);
      }
      write(ctx, look, "after the token", left - 8, y + 14, { align: "right", colour: look.quiet });
      points.forEach((n, row) => write(ctx, look, pointName(n).replace("the ", ""), left - 8, y + 26 + (row + 0.5) * high, { align: "right", most: left - 10 }));
      write(ctx, look, "next in the text", left - 8, y + 28 + (points.length + 0.5) * high, { align: "right", colour: look.quiet });
    },
    hit(x, y) {
      const column = Math.floor((x - left) / step);
      return column >= 0 && column < count ? { position: start + column } : null;
    },
  };
}

function lensTops(w) {
  const { p, look, at } = w, points = lensPoints(p), left = 130, high = points.length > 20 ? 22 : 24, wide = (w.width - left) / 5;
  return {
    tall: points.length * high + 8,
    paint(ctx, y) {
      points.forEach((n, row) => {
        const middle = y + (row + 0.5) * high;
        write(ctx, look, pointName(n).replace("the ", ""), left - 8, middle, { align: "right", most: left - 10 });
        p.lens(n, at.position).forEach(([id, chance], place) => {
          const x = left + place * wide;
          ctx.fillStyle = look.cell;
          ctx.fillRect(x, middle - 10, (wide - 6) * chance, 20);
          write(ctx, look, visible(p.names[id]), x + 4, middle, { font: `bold ${look.mono}`, most: wide - 44 });
          if (p.words) write(ctx, look, fixed(chance), x + wide - 8, middle, { align: "right", colour: look.quiet });
          else write(ctx, look, fixed(chance), x + 24, middle, { colour: look.quiet });
        });
      });
    },
  };
}
