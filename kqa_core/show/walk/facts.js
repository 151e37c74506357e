// The walk's numbers, and what is said of a step: the same facts as facts.py, for every selection. After kit.js.
//
// A selection `at` is {step, layer, head, position, key, channel, temperature}.

class Passage {
  constructor(arrays, tokens, names) {
    Object.assign(this, { tokens, names, tables: {} });
    for (const [name, { shape, data }] of Object.entries(arrays))
      this.tables[name] = { shape, numbers: new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)) };
    [this.layers, this.heads, this.T] = this.tables.weights.shape;
    this.C = this.tables.stream.shape[2];
    this.points = this.tables.stream.shape[0]; // of the residual stream: 2 L + 1
  }
  has(name) { return name in this.tables; }
  // The numbers at these leading indices: a row, a matrix, or the whole array.
  get(name, ...places) {
    const { shape, numbers } = this.tables[name], size = shape.slice(places.length).reduce((all, n) => all * n, 1);
    const start = places.reduce((sum, place, n) => sum * shape[n] + place, 0) * size;
    return numbers.subarray(start, start + size);
  }
  may(layer, i, j) { return this.get("allowed", layer, i)[j] > 0; }
  // What the block before point n of the stream added to it, for token i.
  added(n, i) { return this.get(n % 2 ? "attention" : "mlp", (n - 1) >> 1, i); }
  // Probabilities (V) of the character after token i, as point n of the stream gives them.
  lens(n, i) { return softmax(this.get("lens", n, i)); }
}

const norm = (vector) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
const best = (row) => row.reduce((top, x, n) => (x > row[top] ? n : top), 0);
const dot = (a, b) => a.reduce((sum, x, n) => sum + x * b[n], 0);
const pointName = (n) => (n === 0 ? "the embedding" : `${n % 2 ? "the attention" : "the MLP"} of layer ${(n - 1) >> 1}`);

function softmax(logits, temperature = 1) {
  const most = logits.reduce((top, x) => Math.max(top, x), -Infinity);
  const powers = Array.from(logits, (x) => Math.exp((x - most) / temperature)), sum = powers.reduce((all, x) => all + x, 0);
  return powers.map((x) => x / sum);
}

function facts(p, at) {
  const { step, layer: l, head: h, position: i, key: j, temperature } = at, say = (n) => spoken(p.names[n]);
  const found = { i, token: spoken(p.tokens[i]), j, other: spoken(p.tokens[j]) };
  const norms = (vectors) => Object.entries(vectors).forEach(([name, vector]) => { found[name] = fixed(norm(vector)); });
  const stream = (n) => p.get("stream", n, i);
  const row = p.get("weights", l, h, i), k = best(row);
  Object.assign(found, { n: p.get("allowed", l, i).reduce((sum, x) => sum + x, 0), k, largest: spoken(p.tokens[k]), b: fixed(row[k]), a: fixed(row[j]) });
  const logit = fixed(p.get("logits", l, h, i)[j]);
  const told = {
    characters: () => { found.id = p.names.indexOf(p.tokens[i]); },
    embedding: () => norms({ a: p.get("embedding", i) }),
    position: () => norms({ a: p.has("position") ? p.get("position", i) : [0], b: stream(0) }),
    norm_1: () => norms({ a: stream(2 * l), b: p.get("norm_1", l, i) }),
    qkv: () => norms({ a: p.get("query", l, h, i), b: p.get("key", l, h, i), c: p.get("value", l, h, i) }),
    logits: () => { found.a = logit; },
    mask: () => { found.kept = p.may(l, i, j) ? `kept: ${logit}` : "replaced by −∞"; },
    heads: () => norms({ a: p.get("heads", l, h, i) }),
    merge: () => norms({ a: p.get("attention", l, i) }),
    add_1: () => norms({ a: p.get("attention", l, i), b: stream(2 * l), c: stream(2 * l + 1) }),
    norm_2: () => norms({ a: stream(2 * l + 1), b: p.get("norm_2", l, i) }),
    mlp: () => { norms({ a: p.get("mlp", l, i) }); found.n = p.get("hidden_before", l, i).reduce((sum, x) => sum + (x > 0), 0); },
    add_2: () => norms({ a: p.get("mlp", l, i), b: stream(2 * l + 1), c: stream(2 * l + 2) }),
    norm: () => norms({ a: stream(p.points - 1), b: p.get("norm", i) }),
    prediction: () => { const logits = p.get("prediction", i), top = best(logits); Object.assign(found, { a: fixed(logits[top]), best: say(top) }); },
    probabilities: () => {
      const chances = softmax(p.get("prediction", i), temperature), top = best(chances), next = p.tokens[i + 1];
      const then = next === undefined ? "The text ends here."
        : `The text continues with ${spoken(next)}, which has probability ${fixed(chances[p.names.indexOf(next)])}.`;
      Object.assign(found, { t: temperature.toFixed(1), best: say(top), a: fixed(chances[top]), then });
    },
    stream: () => {
      const added = Array.from({ length: p.points - 1 }, (_, n) => norm(p.added(n + 1, i)));
      norms({ a: stream(0), b: stream(p.points - 1) });
      Object.assign(found, { c: fixed(Math.max(...added)), what: pointName(1 + best(added)) });
    },
    lens: () => {
      const tops = Array.from({ length: p.points }, (_, n) => best(p.get("lens", n, i))), last = tops[p.points - 1];
      const since = tops.length - [...tops].reverse().findIndex((top, n, all) => n + 1 === all.length || all[n + 1] !== last) - 1;
      Object.assign(found, { first: say(tops[0]), best: say(last), what: pointName(since) });
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
  const hs = p.C / p.heads, c = Math.min(at.channel, p.C - 1), d = Math.min(at.channel, hs - 1), v = (x) => x.toFixed(3).replace("-", "−").replace("−0.000", "0.000");
  const factor = (x) => (x < 0 ? `(${v(x)})` : v(x));
  const plus = (a, b, sum) => `Channel ${c}: ${v(a[c])} + ${factor(b[c])} = ${v(sum[c])}.`;
  const normed = (x, [gamma, beta], out) => {
    const mean = x.reduce((sum, y) => sum + y, 0) / x.length, sd = Math.sqrt(x.reduce((sum, y) => sum + (y - mean) ** 2, 0) / x.length + 1e-5);
    return `Channel ${c}: (${v(x[c])} − ${factor(mean)}) / ${v(sd)} · ${factor(gamma[c])} + ${factor(beta[c])} = ${v(out[c])}.`;
  };
  const pairOf = (name, l) => { const both = l === undefined ? p.get(name) : p.get(name, l); return [both.subarray(0, p.C), both.subarray(p.C)]; };
  const stream = (n) => p.get("stream", n, i), may = p.may(l, i, j), logit = p.get("logits", l, h, i)[j], weight = p.get("weights", l, h, i);
  const told = {
    characters: () => `${visible(p.tokens[i])} → ${p.names.indexOf(p.tokens[i])}`,
    embedding: () => `Channel ${c}: ${v(p.get("embedding", i)[c])}, from row ${p.names.indexOf(p.tokens[i])} of the table, column ${c}.`,
    position: () => (p.has("position") ? plus(p.get("embedding", i), p.get("position", i), stream(0)) : `Channel ${c}: ${v(stream(0)[c])}, as in the embedding.`),
    norm_1: () => normed(stream(2 * l), pairOf("norm_1_parameters", l), p.get("norm_1", l, i)),
    qkv: () => `Channel ${d} of head ${h}: query ${v(p.get("query", l, h, i)[d])}, key ${v(p.get("key", l, h, i)[d])}, value ${v(p.get("value", l, h, i)[d])}.`,
    logits: () => `q[${i}] · k[${j}] / √${hs} = ${v(dot(p.get("query", l, h, i), p.get("key", l, h, j)))} / ${v(Math.sqrt(hs))} = ${v(logit)}.`,
    mask: () => (may ? `Token ${j} does not come after token ${i}, so ${v(logit)} stays.` : `${j > i ? `Token ${j} comes after token ${i}` : `Token ${i} may not attend to token ${j} in this model`}: ${v(logit)} becomes −∞.`),
    weights: () => {
      if (!may) return `exp(−∞) = 0, so the weight is 0.`;
      const logits = p.get("logits", l, h, i), sum = logits.reduce((all, x, n) => all + (p.may(l, i, n) ? Math.exp(x) : 0), 0);
      return `exp(${v(logit)}) / Σ exp = ${v(Math.exp(logit))} / ${v(sum)} = ${v(weight[j])}. The row sums to ${v(weight.reduce((all, x) => all + x, 0))}.`;
    },
    heads: () => `Channel ${d}: token ${j} adds ${v(weight[j])} · ${factor(p.get("value", l, h, j)[d])} = ${v(weight[j] * p.get("value", l, h, j)[d])}; the sum over all tokens is ${v(p.get("heads", l, h, i)[d])}.`,
    merge: () => `Channel ${c} is channel ${c % hs} of head ${Math.floor(c / hs)}: ${v(p.get("merged", l, i)[c])}. After W_O, channel ${c} is ${v(p.get("attention", l, i)[c])}.`,
    add_1: () => plus(stream(2 * l), p.get("attention", l, i), stream(2 * l + 1)),
    norm_2: () => normed(stream(2 * l + 1), pairOf("norm_2_parameters", l), p.get("norm_2", l, i)),
    mlp: () => { const unit = at.channel; return `Hidden unit ${unit}: GELU(${v(p.get("hidden_before", l, i)[unit])}) = ${v(p.get("hidden", l, i)[unit])}.`; },
    add_2: () => plus(stream(2 * l + 1), p.get("mlp", l, i), stream(2 * l + 2)),
    norm: () => normed(stream(p.points - 1), pairOf("norm_parameters"), p.get("norm", i)),
    prediction: () => "Each logit is the dot product of the normed vector with one column of W_head.",
    probabilities: () => {
      const logits = p.get("prediction", i), top = best(logits), sum = logits.reduce((all, x) => all + Math.exp(x / temperature), 0);
      return `${visible(p.names[top])}: exp(${v(logits[top])} / ${temperature.toFixed(1)}) / Σ exp = ${v(Math.exp(logits[top] / temperature))} / ${v(sum)} = ${v(softmax(logits, temperature)[top])}.`;
    },
    stream: () => "Norms of sums are not sums of norms: an addition may also point against the stream and shorten it.",
    lens: () => "Each cell: the likeliest next character at this point of the model. Brighter means a higher probability.",
  };
  return told[step]();
}
