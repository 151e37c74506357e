// The walk's numbers, and what is said of a step: the same facts as facts.py, for every selection. After kit.js.
//
// A selection `at` is {step, layer, head, position, key, channel, temperature}.

class Passage {
  // `kind`: the sizes T, C, H, G, hs, F, V of the model, and its words: unit (what a token is called), norm; and rotated.
  constructor(arrays, tokens, ids, names, kind) {
    Object.assign(this, { tokens, ids, names, kind, tables: {}, ...kind });
    for (const [name, { shape, data }] of Object.entries(arrays))
      this.tables[name] = { shape, numbers: new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)) };
    [this.layers, this.heads] = this.tables.weights.shape;
    [this.points, , this.shown] = this.tables.stream.shape; // points of the stream: 2 L + 1; channels of a vector that are here
    this.post = this.has("sum_1"); // the norms stand in the stream
    this.masks = this.tables.allowed.numbers.includes(0);
    this.predicts = this.has("top_ids");
    this.words = tokens.some((token) => token.length > 1); // tokens need more room than characters
    this.every = this.predicts ? (this.points - 1) / (this.tables.lens_ids.shape[0] - 1) : 1; // points between two of the lens
  }
  has(name) { return name in this.tables; }
  // The numbers at these leading indices: a row, a matrix, or the whole array. Heads that share keys and values give the same ones.
  // A vector that was cut brings its length and its norm.
  get(name, ...places) {
    const { shape, numbers } = this.tables[name], size = shape.slice(places.length).reduce((all, n) => all * n, 1);
    if (name === "key" || name === "value" || name === "key_before") places = [places[0], Math.floor((places[1] * this.G) / this.H), ...places.slice(2)];
    const start = places.reduce((sum, place, n) => sum * shape[n] + place, 0) * size, found = numbers.subarray(start, start + size);
    if (this.has(`${name}_norm`) && places.length === shape.length - 1) found.cut = { norm: this.get(`${name}_norm`, ...places)[0], of: name.startsWith("hidden") ? this.F : this.C };
    return found;
  }
  // The outputs of all heads of token i, side by side.
  merged(l, i) {
    if (this.has("merged")) return this.get("merged", l, i);
    return Float32Array.from(Array.from({ length: this.heads }, (_, h) => Array.from(this.get("heads", l, h, i))).flat());
  }
  may(layer, i, j) { return this.get("allowed", layer, i)[j] > 0; }
  // What the block before point n of the stream added to it, for token i.
  added(n, i) { return this.get(n % 2 ? "attention" : "mlp", (n - 1) >> 1, i); }
  // The likeliest tokens after token i as [number, probability], as point n of the stream gives them; of the points that the lens has.
  lens(n, i) {
    const chances = this.get("lens_chances", n / this.every, i);
    return Array.from(this.get("lens_ids", n / this.every, i), (id, k) => [id, chances[k]]);
  }
  // The likeliest tokens after token i as [number, logit], and the one that follows in the text.
  tops(i) {
    const ids = this.get("top_ids", i), logits = this.get("top_logits", i), last = ids.length - 1;
    const all = Array.from(ids, (id, k) => [id, logits[k]]);
    return { best: all.slice(0, last), after: ids[last] < 0 ? null : all[last] };
  }
  // The probability of a logit after token i. The temperature is one of the slider's.
  chance(i, logit, temperature) {
    const tenths = Math.floor(temperature * 10 + 0.5);
    return Math.exp((logit - this.get("top_logits", i)[0]) / (tenths / 10) - this.get("log_sums", i)[tenths - 1]);
  }
}

const norm = (vector) => (vector.cut ? vector.cut.norm : Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)));
const best = (row) => row.reduce((top, x, n) => (x > row[top] ? n : top), 0);
const dot = (a, b) => a.reduce((sum, x, n) => sum + x * b[n], 0);
// The points of the stream that the lens has: all, or those after each layer.
const lensPoints = (p) => Array.from({ length: (p.points - 1) / p.every + 1 }, (_, k) => k * p.every);
const pointName = (n) => (n === 0 ? "the embedding" : `${n % 2 ? "the attention" : "the MLP"} of layer ${(n - 1) >> 1}`);

function facts(p, at) {
  const { step, layer: l, head: h, position: i, key: j, temperature } = at, say = (n) => spoken(p.names[n]);
  const found = { i, token: spoken(p.tokens[i]), j, other: spoken(p.tokens[j]) };
  const norms = (vectors) => Object.entries(vectors).forEach(([name, vector]) => { found[name] = fixed(norm(vector)); });
  const stream = (n) => p.get("stream", n, i);
  const row = p.get("weights", l, h, i), k = best(row);
  Object.assign(found, { n: p.get("allowed", l, i).reduce((sum, x) => sum + x, 0), k, largest: spoken(p.tokens[k]), b: fixed(row[k]), a: fixed(row[j]) });
  const logit = fixed(p.get("logits", l, h, i)[j]);
  const told = {
    characters: () => { found.id = p.ids[i]; },
    embedding: () => norms({ a: p.get("embedding", i) }),
    position: () => norms({ a: p.has("position") ? p.get("position", i) : [0], b: p.post ? p.get("sum_0", i) : stream(0) }),
    norm_0: () => norms({ a: p.get("sum_0", i), b: stream(0) }),
    norm_1: () => norms(p.post ? { a: p.get("sum_1", l, i), b: stream(2 * l + 1) } : { a: stream(2 * l), b: p.get("norm_1", l, i) }),
    qkv: () => norms({ a: p.get("query", l, h, i), b: p.get("key", l, h, i), c: p.get("value", l, h, i) }),
    logits: () => { found.a = logit; },
    mask: () => { found.kept = p.may(l, i, j) ? `kept: ${logit}` : "replaced by −∞"; },
    heads: () => norms({ a: p.get("heads", l, h, i) }),
    merge: () => norms({ a: p.get("attention", l, i) }),
    add_1: () => norms({ a: p.get("attention", l, i), b: stream(2 * l), c: p.post ? p.get("sum_1", l, i) : stream(2 * l + 1) }),
    norm_2: () => norms(p.post ? { a: p.get("sum_2", l, i), b: stream(2 * l + 2) } : { a: stream(2 * l + 1), b: p.get("norm_2", l, i) }),
    mlp: () => { norms({ a: p.get("mlp", l, i) }); found.n = p.get("above", l)[i]; },
    add_2: () => norms({ a: p.get("mlp", l, i), b: stream(2 * l + 1), c: p.post ? p.get("sum_2", l, i) : stream(2 * l + 2) }),
    norm: () => norms({ a: stream(p.points - 1), b: p.get("norm", i) }),
    prediction: () => { const [id, logit] = p.tops(i).best[0]; Object.assign(found, { a: fixed(logit), best: say(id) }); },
    probabilities: () => {
      const { best: [[top, logit]], after } = p.tops(i), chance = (x) => fixed(p.chance(i, x, temperature));
      const then = after ? `The text continues with ${spoken(p.tokens[i + 1])}, which has probability ${chance(after[1])}.` : "The text ends here.";
      Object.assign(found, { t: temperature.toFixed(1), best: say(top), a: chance(logit), then });
    },
    stream: () => {
      const added = Array.from({ length: p.points - 1 }, (_, n) => norm(p.added(n + 1, i)));
      norms({ a: stream(0), b: stream(p.points - 1) });
      Object.assign(found, { c: fixed(Math.max(...added)), what: pointName(1 + best(added)) });
    },
    lens: () => {
      const tops = lensPoints(p).map((n) => p.lens(n, i)[0][0]), last = tops[tops.length - 1];
      const since = tops.length - [...tops].reverse().findIndex((top, n, all) => n + 1 === all.length || all[n + 1] !== last) - 1;
      Object.assign(found, { first: say(tops[0]), best: say(last), what: pointName(since * p.every) });
    },
  };
  told[step]?.();
  return found;
}

function sentenceOf(p, at, step) {
  const where = step.by_head ? `Layer ${at.layer}, head ${at.head}. ` : step.in_layer ? `Layer ${at.layer}. ` : "";
  const found = facts(p, at);
  return `${where}${step.title}. ${step.says.replace(/\{(\w+)\}/g, (_, name) => found[name])}`;
}

// The calculation of one number of the step, written out with the numbers of this text.
function calculation(p, at) {
  const { step, layer: l, head: h, position: i, key: j, temperature } = at;
  const { hs } = p, c = Math.min(at.channel, p.shown - 1), d = Math.min(at.channel, hs - 1);
  const v = (x) => (Math.abs(x) < 1e7 ? x.toFixed(3) : x.toExponential(3)).replace("-", "−").replace("−0.000", "0.000");
  const factor = (x) => (x < 0 ? `(${v(x)})` : v(x));
  const plus = (a, b, sum) => `Channel ${c}: ${v(a[c])} + ${factor(b[c])} = ${v(sum[c])}.`;
  const normed = (x, name, out, ...places) => {
    const [mean, size] = p.get(`${name}_statistics`, ...places, i), trained = (n) => p.get(`${name}_parameters`, ...places, n)[c];
    if (p.norm === "RMSNorm") return `Channel ${c}: ${v(x[c])} / ${v(size)} · ${factor(trained(0))} = ${v(out[c])}.`;
    return `Channel ${c}: (${v(x[c])} − ${factor(mean)}) / ${v(size)} · ${factor(trained(0))} + ${factor(trained(1))} = ${v(out[c])}.`;
  };
  const stream = (n) => p.get("stream", n, i), may = p.may(l, i, j), logit = p.get("logits", l, h, i)[j], weight = p.get("weights", l, h, i);
  const told = {
    characters: () => `${visible(p.tokens[i])} → ${p.ids[i]}`,
    embedding: () => `Channel ${c}: ${v(p.get("embedding", i)[c])}, from row ${p.ids[i]} of the table, column ${c}.`,
    position: () => (p.has("position") ? plus(p.get("embedding", i), p.get("position", i), p.post ? p.get("sum_0", i) : stream(0)) : `Channel ${c}: ${v(stream(0)[c])}, as in the embedding.`),
    norm_0: () => normed(p.get("sum_0", i), "norm_0", stream(0)),
    norm_1: () => (p.post ? normed(p.get("sum_1", l, i), "norm_1", stream(2 * l + 1), l) : normed(stream(2 * l), "norm_1", p.get("norm_1", l, i), l)),
    qkv: () => `Channel ${d} of head ${h}: query ${v(p.get("query", l, h, i)[d])}, key ${v(p.get("key", l, h, i)[d])}, value ${v(p.get("value", l, h, i)[d])}.`,
    logits: () => `q[${i}] · k[${j}] / √${hs} = ${v(dot(p.get("query", l, h, i), p.get("key", l, h, j)))} / ${v(Math.sqrt(hs))} = ${v(logit)}.`,
    mask: () => (may ? `Token ${j} does not come after token ${i}, so ${v(logit)} stays.` : `${j > i ? `Token ${j} comes after token ${i}` : `Token ${i} may not attend to token ${j} in this model`}: ${v(logit)} becomes −∞.`),
    weights: () => {
      if (!may) return `exp(−∞) = 0, so the weight is 0.`;
      const logits = p.get("logits", l, h, i), sum = logits.reduce((all, x, n) => all + (p.may(l, i, n) ? Math.exp(x) : 0), 0);
      return `exp(${v(logit)}) / Σ exp = ${v(Math.exp(logit))} / ${v(sum)} = ${v(weight[j])}. The row sums to ${v(weight.reduce((all, x) => all + x, 0))}.`;
    },
    heads: () => `Channel ${d}: token ${j} adds ${v(weight[j])} · ${factor(p.get("value", l, h, j)[d])} = ${v(weight[j] * p.get("value", l, h, j)[d])}; the sum over all tokens is ${v(p.get("heads", l, h, i)[d])}.`,
    merge: () => `Channel ${c} is channel ${c % hs} of head ${Math.floor(c / hs)}: ${v(p.merged(l, i)[c])}. After W_O, channel ${c} is ${v(p.get("attention", l, i)[c])}.`,
    add_1: () => plus(stream(2 * l), p.get("attention", l, i), p.post ? p.get("sum_1", l, i) : stream(2 * l + 1)),
    norm_2: () => (p.post ? normed(p.get("sum_2", l, i), "norm_2", stream(2 * l + 2), l) : normed(stream(2 * l + 1), "norm_2", p.get("norm_2", l, i), l)),
    mlp: () => {
      const before = p.get("hidden_before", l, i), unit = Math.min(at.channel, before.length - 1), out = v(p.get("hidden", l, i)[unit]);
      if (p.has("hidden_up")) return `Hidden unit ${unit}: SiLU(${v(before[unit])}) · ${factor(p.get("hidden_up", l, i)[unit])} = ${out}.`;
      return `Hidden unit ${unit}: GELU(${v(before[unit])}) = ${out}.`;
    },
    add_2: () => plus(stream(2 * l + 1), p.get("mlp", l, i), p.post ? p.get("sum_2", l, i) : stream(2 * l + 2)),
    norm: () => normed(stream(p.points - 1), "norm", p.get("norm", i)),
    prediction: () => "Each logit is the dot product of the normed vector with one column of W_head.",
    probabilities: () => {
      const [top, logit] = p.tops(i).best[0], power = Math.exp(logit / temperature), chance = p.chance(i, logit, temperature);
      return `${visible(p.names[top])}: exp(${v(logit)} / ${temperature.toFixed(1)}) / Σ exp = ${v(power)} / ${v(power / chance)} = ${v(chance)}.`;
    },
    stream: () => "Norms of sums are not sums of norms: an addition may also point against the stream and shorten it.",
    lens: () => `Each cell: the likeliest next ${p.unit} at this point of the model. Brighter means a higher probability.`,
  };
  return told[step]();
}
