// The text with what the model expects after each character, and the map of the model. After parts.js.

const BRIEF = {
  characters: "characters", embedding: "token embedding", position: "+ position", norm_0: "NORM", norm_1: "NORM", qkv: "Q, K, V", logits: "scores Q Kᵀ / √d", mask: "mask",
  weights: "weights (softmax)", heads: "weights × V", merge: "heads merged, W_O", add_1: "+ attention", norm_2: "NORM", mlp: "MLP", add_2: "+ MLP",
  norm: "final NORM", prediction: "logits", probabilities: "probabilities", stream: "stream as it grew", lens: "prediction so far (lens)",
}; // of each step, in the map
const ROW = 23, LOW = 17, HEAD = 24; // heights; LOW of the closed layers where there are many
const brief = (p, step) => (step === "characters" ? `${p.unit}s` : BRIEF[step].replace("NORM", p.norm));

// The text in cells: each token, and under it the one that the model expects next, framed where it is right.
function textOf(w) {
  const { p, look, at } = w, wide = p.words ? 76 : clamp(Math.floor(w.width / p.T), 15, 26), high = p.predicts ? 58 : 34, columns = Math.max(1, Math.floor(w.width / wide));
  return {
    tall: Math.ceil(p.T / columns) * high + 4,
    paint(ctx, y) {
      p.tokens.forEach((token, n) => {
        const x = (n % columns) * wide, top = y + 5 + Math.floor(n / columns) * high, middle = x + wide / 2;
        ctx.fillStyle = look.cell;
        ctx.fillRect(x + 1, top, wide - 2, 22);
        write(ctx, look, visible(token), middle, top + 11, { align: "center", font: `bold ${look.mono}`, most: wide - 2 });
        if (n === at.position) frame(ctx, x + 2, top + 1, wide - 4, 20, w.preview);
        if (!p.predicts) return;
        const expected = p.get("top_ids", n)[0], right = expected === p.ids[n + 1];
        write(ctx, look, visible(p.names[expected]), middle, top + 36, { align: "center", font: look.mono, colour: right ? look.ink : look.quiet, most: wide - 2 });
        ctx.strokeStyle = look.ink;
        ctx.lineWidth = 1;
        if (right) ctx.strokeRect(x + 2.5, top + 26.5, wide - 5, 19);
      });
    },
    hit(x, y) {
      const n = Math.floor(y / high) * columns + Math.floor(x / wide);
      return x < columns * wide && n >= 0 && n < p.T ? { position: n } : null;
    },
  };
}

// The rows of the map: every step, but of the layers only the open one's.
function rowsOf(p, steps, at) {
  const inside = steps.filter((step) => step.in_layer), first = steps.indexOf(inside[0]);
  const outside = (some) => some.map(({ name }) => ({ step: name }));
  const layers = Array.from({ length: p.layers }, (_, layer) => [{ layer, title: true }, ...(layer === at.layer ? inside.map(({ name }) => ({ step: name, layer })) : [])]);
  return [...outside(steps.slice(0, first)), ...layers.flat(), ...outside(steps.slice(first + inside.length))];
}

// Which point of the residual stream there is after a row of the map; −1 before the stream begins.
function pointAfter(p, row) {
  if (row.title) return 2 * row.layer; // what goes into the layer
  if (row.layer === undefined) return ["characters", "embedding"].includes(row.step) ? -1 : ["position", "norm_0"].includes(row.step) ? 0 : p.points - 1;
  const [first, second] = p.post ? [["norm_1", "mlp", "add_2"], "norm_2"] : [["add_1", "norm_2", "mlp"], "add_2"];
  return 2 * row.layer + (row.step === second ? 2 : first.includes(row.step) ? 1 : 0);
}

function mapOf(w, steps) {
  const { p, look, at } = w, rows = rowsOf(p, steps, at), i = at.position, middle = 26;
  const norms = Array.from({ length: p.points }, (_, n) => norm(p.get("stream", n, i))), most = Math.max(...norms);
  const half = (n) => 2 + (18 * norms[n]) / most;
  const current = (row) => row.step === at.step && (row.layer === undefined || row.layer === at.layer);
  const branches = p.post ? { qkv: "add_1", mlp: "add_2" } : { norm_1: "add_1", norm_2: "add_2" }; // from where the stream is read to where something is added
  const tall = (row) => (p.layers > 12 && row.title && row.layer !== at.layer ? LOW : ROW);
  const tops = [HEAD]; // of the rows, and where they end
  rows.forEach((row, n) => tops.push(tops[n] + tall(row)));
  const place = (name) => tops[rows.findIndex((row) => row.step === name)] + ROW / 2;
  // After which rows the stream has grown, so that what it would predict now is shown; a closed layer shows what comes out of it.
  const grown = (row) => {
    const point = row.title ? (row.layer === at.layer ? null : 2 * row.layer + 2) : ["position", "add_1", "add_2"].includes(row.step) ? pointAfter(p, row) : null;
    return p.predicts && point !== null && point % p.every === 0 ? point : null;
  };
  const room = p.words ? 112 : 70, guess = p.predicts ? w.width - room - 4 : w.width;
  return {
    tall: tops[rows.length] + 6,
    paint(ctx, y) {
      for (const [text, x, align] of [["stream", middle, "center"], ["step", 58, "left"], ...(p.predicts ? [["guess so far", w.width, "right"]] : [])]) write(ctx, look, text, x, y + 9, { align, colour: look.quiet });
      rows.forEach((row, n) => { // the stream, as wide as its norm
        const top = y + tops[n], high = tall(row), point = row.title && row.layer !== at.layer ? 2 * row.layer + 2 : pointAfter(p, row);
        if (point < 0 || ["probabilities", "prediction", "stream", "lens"].includes(row.step)) return;
        const last = row.step === "norm" ? high / 2 : high;
        ctx.fillStyle = look.bar;
        ctx.fillRect(middle - half(point), top + (row.step === "position" ? ROW / 2 : 0), 2 * half(point), row.step === "position" ? ROW / 2 : last);
      });
      ctx.strokeStyle = look.quiet;
      ctx.lineWidth = 1.5;
      for (const [from, to] of Object.entries(branches)) if (rows.some((row) => row.step === from)) {
        const [start, stop] = [y + place(from), y + place(to)];
        ctx.beginPath();
        ctx.moveTo(middle, start);
        ctx.lineTo(52, start);
        ctx.lineTo(52, stop);
        ctx.lineTo(middle + 8, stop);
        ctx.stroke();
      }
      rows.forEach((row, n) => {
        const top = y + tops[n], high = tall(row), centre = top + high / 2, chosen = current(row), wide = guess - 8 - 58;
        if (row.title) {
          const open = row.layer === at.layer;
          write(ctx, look, `${open ? "▾" : "▸"} layer ${row.layer}`, 58, centre, { font: `bold ${look.small}` });
        } else {
          ctx.fillStyle = chosen ? look.mark : look.cell;
          ctx.fillRect(58, top + 2, wide, ROW - 4);
          write(ctx, look, brief(p, row.step), 64, centre, { font: chosen ? `bold ${look.small}` : look.small, colour: chosen ? look.onMark : look.ink, most: wide - 10 });
        }
        if (["position", "add_1", "add_2"].includes(row.step)) plusSign(ctx, middle, centre, look);
        const point = grown(row);
        if (point !== null) {
          const [[top_, chance]] = p.lens(point, i), colour = cividis(chance), cell = room - 44;
          ctx.fillStyle = `rgb(${colour.map(Math.round)})`;
          ctx.fillRect(w.width - room, top + 1, cell, high - 2);
          write(ctx, look, visible(p.names[top_]), w.width - room + cell / 2, centre, { align: "center", font: `bold ${look.mono}`, colour: inkOn(colour), most: cell - 4 });
          write(ctx, look, fixed(chance), w.width - 6, centre, { align: "right" });
        }
        if (chosen) frame(ctx, 59, top + 3, wide - 2, ROW - 6, w.preview);
      });
    },
    hit(x, y) {
      const row = rows[tops.findIndex((top, n) => top <= y && y < tops[n + 1])];
      if (!row) return null;
      if (!row.title) return row;
      return steps.find((step) => step.name === at.step).in_layer ? { layer: row.layer } : { layer: row.layer, step: p.post ? "qkv" : "norm_1" };
    },
  };
}

function plusSign(ctx, x, y, look) {
  ctx.fillStyle = look.back;
  ctx.strokeStyle = look.ink;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(x, y, 7, 0, 7);
  ctx.fill();
  ctx.moveTo(x - 4, y);
  ctx.lineTo(x + 4, y);
  ctx.moveTo(x, y - 4);
  ctx.lineTo(x, y + 4);
  ctx.stroke();
}
