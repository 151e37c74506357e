// The parts that a step's picture is put together from. After facts.js.
//
// A part is {tall, paint(ctx, y), hit(x, y)}: its height in pixels, how it is drawn with its top at y, and what a place in it selects.
// `w` is what is being drawn: {p: the numbers, at: the selection, width, look}.

const LINE = 20; // the height of a line of text
const marginOf = (p) => (p.words ? 76 : 20); // the margin for tokens
const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);

function write(ctx, look, text, x, y, { align = "left", font = look.small, colour = look.ink, most } = {}) {
  ctx.font = font;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.fillText(text, x, y, most);
}

// The colour of a number that may be below zero, as its share of the largest.
const signed = (look, share) => look.paper.map((from, c) => from + Math.min(1, Math.abs(share)) * ((share < 0 ? look.minus : look.plus)[c] - from));

// A picture of columns × rows pixels; where `colour(row, column)` gives nothing, it stays clear.
function image(columns, rows, colour) {
  const made = document.createElement("canvas");
  [made.width, made.height] = [columns, rows];
  const pixels = new ImageData(columns, rows);
  for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) {
    const found = colour(y, x);
    if (found) pixels.data.set([...found, 255], 4 * (y * columns + x));
  }
  made.getContext("2d").putImageData(pixels, 0, 0);
  return made;
}

function note(w, text) {
  return { tall: LINE, paint: (ctx, y) => write(ctx, w.look, text, 0, y + LINE / 2, { colour: w.look.quiet, most: w.width }) };
}

// One vector as a row of cells (or several rows of equal length), with its name, its norm and its scale.
function strip(w, label, values, { rows = 1, high = 20, heads = 0, limit = values.length } = {}) {
  const { look } = w, LEFT = marginOf(w.p), columns = values.length / rows, most = largest(values), step = Math.min(26, (w.width - LEFT - 4) / columns);
  const name = values.cut && values.cut.of > values.length ? `${label}; the first ${values.length} of ${values.cut.of} channels` : label;
  const side = step * columns, chosen = Math.min(w.at.channel, limit - 1);
  return {
    tall: LINE + rows * high + (heads ? 26 : 12),
    paint(ctx, y) {
      write(ctx, look, name, 0, y + LINE / 2, { most: w.width - 140 });
      write(ctx, look, `norm ${fixed(norm(values))} · ±${exact(most)}`, w.width, y + LINE / 2, { align: "right", colour: look.quiet });
      const top = y + LINE;
      write(ctx, look, visible(w.p.tokens[w.at.position]), LEFT / 2 - 4, top + (rows * high) / 2, { align: "center", font: look.mono, most: LEFT - 8 });
      ctx.drawImage(image(columns, rows, (r, c) => signed(look, values[r * columns + c] / most)), LEFT, top, side, rows * high);
      ctx.strokeStyle = look.line;
      ctx.lineWidth = 1;
      ctx.strokeRect(LEFT - 0.5, top - 0.5, side + 1, rows * high + 1);
      for (let h = 0; h < heads; h++) {
        const wide = side / heads;
        if (h) { ctx.fillStyle = look.ink; ctx.fillRect(LEFT + h * wide - 1, top - 3, 2, high + 6); }
        write(ctx, look, `head ${h}`, LEFT + (h + 0.5) * wide, top + high + 10, { align: "center", colour: look.quiet, most: wide });
      }
      if (chosen < values.length) frame(ctx, LEFT + (chosen % columns) * step, top + Math.floor(chosen / columns) * high, Math.max(2, step), high, w.preview);
    },
    hit(x, y) {
      const column = Math.floor((x - LEFT) / step), row = Math.floor((y - LINE) / high);
      return column >= 0 && column < columns && row >= 0 && row < rows ? { channel: row * columns + column } : null;
    },
  };
}

// The vectors of all tokens, one a row, with the chosen token's framed.
function matrix(w, label, vector, { most, tall = 240, named = "position" } = {}) {
  const { p, look, at } = w, { T } = p, LEFT = marginOf(p), rows = Array.from({ length: T }, (_, n) => vector(n)), columns = rows[0].length;
  const high = clamp(Math.floor(tall / T), 2, p.words ? 15 : 11), step = Math.min(26, (w.width - LEFT - 4) / columns), scale = most || Math.max(...rows.map(largest));
  return {
    tall: LINE + T * high + 12,
    paint(ctx, y) {
      write(ctx, look, label, 0, y + LINE / 2, { colour: look.quiet, most: w.width });
      const top = y + LINE;
      ctx.drawImage(image(columns, T, (r, c) => signed(look, rows[r][c] / scale)), LEFT, top, step * columns, T * high);
      rows.forEach((_, n) => {
        if (high >= (p.words ? 13 : 9) || n === at[named]) write(ctx, look, visible(p.tokens[n]), LEFT / 2 - 4, top + (n + 0.5) * high, { align: "center", font: n === at[named] ? `bold ${look.mono}` : look.mono, most: LEFT - 4 });
      });
      frame(ctx, LEFT, top + at[named] * high, step * columns, high, w.preview);
    },
    hit(x, y) {
      const row = Math.floor((y - LINE) / high), channel = Math.floor((x - LEFT) / step);
      return row >= 0 && row < T && channel >= 0 && channel < columns ? { [named]: row, channel } : null;
    },
  };
}

// A text that runs upwards from (x, y).
function upright(ctx, look, text, x, y, options) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(-Math.PI / 2);
  write(ctx, look, text, 0, 0, options);
  ctx.restore();
}

// A table of tokens × tokens: `number(i, j)` is drawn as a weight or as a signed number; without a number, the cell is hatched.
function table(w, label, number, kind) {
  const { p, look, at } = w, { T } = p, LEFT = marginOf(p), step = Math.min(24, (w.width - LEFT - 4) / T, 460 / T), side = step * T, top = LINE + LEFT;
  let most = 1e-9;
  if (kind !== "weights") for (let i = 0; i < T; i++) for (let j = 0; j < T; j++) most = Math.max(most, Math.abs(number(i, j) ?? 0));
  const every = [1, 5, 10, 20, 50].find((n) => n * step >= (n === 1 ? 9 : 26));
  return {
    tall: top + side + 12,
    paint(ctx, y) {
      write(ctx, look, label, 0, y + LINE / 2, { colour: look.quiet, most: w.width });
      hatch(ctx, LEFT, y + top, side, side, look);
      const colour = (i, j) => { const x = number(i, j); return x === null ? null : kind === "weights" ? cividis(x) : signed(look, x / most); };
      ctx.drawImage(image(T, T, colour), LEFT, y + top, side, side);
      for (let n = 0; n < T; n++) for (const [row, chosen] of [[true, n === at.position], [false, n === at.key]]) {
        if (!chosen && n % every) continue;
        const look_ = { align: "center", font: chosen ? `bold ${look.mono}` : look.mono, colour: chosen ? look.ink : look.quiet, most: p.words ? LEFT - 8 : Math.max(step, 14) };
        const text = every === 1 || chosen ? visible(p.tokens[n]) : n;
        if (!p.words) write(ctx, look, text, row ? 7 : LEFT + (n + 0.5) * step, row ? y + top + (n + 0.5) * step : y + top - 9, look_);
        else if (row) write(ctx, look, text, LEFT - 6, y + top + (n + 0.5) * step, { ...look_, align: "right" });
        else upright(ctx, look, text, LEFT + (n + 0.5) * step, y + top - 6, { ...look_, align: "left" });
      }
      frame(ctx, LEFT, y + top + at.position * step, side, step, w.preview);
      frame(ctx, LEFT + at.key * step, y + top + at.position * step, step, step, w.preview);
      if (kind !== "weights" && side + LEFT + 90 < w.width) write(ctx, look, `±${exact(most)}`, LEFT + side + 12, y + top + 8, { colour: look.quiet });
    },
    hit(x, y) {
      const key = Math.floor((x - LEFT) / step), position = Math.floor((y - top) / step);
      return key >= 0 && key < T && position >= 0 && position < T ? { key, position } : null;
    },
  };
}

// The chosen row of weights as bars over the characters of the text.
function rowOfWeights(w, label) {
  const { p, look, at } = w, { T } = p, LEFT = marginOf(p), weights = p.get("weights", at.layer, at.head, at.position), step = Math.min(24, (w.width - LEFT - 4) / T), high = 60;
  return {
    tall: LINE + high + (p.words ? LEFT : 26),
    paint(ctx, y) {
      write(ctx, look, label, 0, y + LINE / 2, { most: w.width });
      const bottom = y + LINE + high;
      weights.forEach((weight, n) => {
        const x = LEFT + n * step;
        if (!p.may(at.layer, at.position, n)) hatch(ctx, x, bottom - high, step - 1, high, look);
        ctx.fillStyle = look.bar;
        ctx.fillRect(x, bottom - weight * high, Math.max(1, step - 2), weight * high);
        if (step < 9 && n !== at.key) return;
        const font = n === at.key ? `bold ${look.mono}` : look.mono;
        if (p.words) upright(ctx, look, visible(p.tokens[n]), x + step / 2, bottom + 5, { align: "right", font, most: LEFT - 12 });
        else write(ctx, look, visible(p.tokens[n]), x + step / 2, bottom + 9, { align: "center", font, most: Math.max(step, 14) });
      });
      ctx.fillStyle = look.line;
      ctx.fillRect(LEFT, bottom, step * T, 1);
      frame(ctx, LEFT + at.key * step, bottom - high, step - 1, high, w.preview);
      write(ctx, look, "1", LEFT - 8, bottom - high + 4, { align: "center", colour: look.quiet });
      write(ctx, look, "0", LEFT - 8, bottom - 4, { align: "center", colour: look.quiet });
    },
    hit(x, y) {
      const key = Math.floor((x - LEFT) / step);
      return key >= 0 && key < T && y > LINE ? { key } : null;
    },
  };
}

// The likeliest tokens as bars of `number(logit)`; the one that follows in the text is marked.
function candidates(w, label, number, text) {
  const { p, look } = w, { best: tops, after } = p.tops(w.at.position), high = 24, left = p.words ? 110 : 40;
  const rows = !after || tops.some(([id]) => id === after[0]) ? tops : [...tops.slice(0, -1), after], numbers = rows.map(([, logit]) => number(logit));
  const most = text === fixed ? 1 : largest(numbers), wide = w.width - 210 - left;
  return {
    tall: LINE + rows.length * high + 8,
    paint(ctx, y) {
      write(ctx, look, label, 0, y + LINE / 2, { most: w.width });
      rows.forEach(([id], row) => {
        const middle = y + LINE + (row + 0.5) * high, x = numbers[row], long = Math.max(1, (wide * Math.abs(x)) / most), next = after && id === after[0];
        write(ctx, look, visible(p.names[id]), left / 2, middle, { align: "center", font: `bold ${look.mono}`, most: left - 8 });
        ctx.fillStyle = x < 0 ? look.minusInk : next ? look.plusInk : look.bar;
        ctx.fillRect(left, middle - 8, long, 16);
        write(ctx, look, `${text(x)}${next ? "  ← the next one in the text" : ""}`, left + 8 + long, middle);
      });
    },
  };
}

// Parts one under the other.
function stack(parts) {
  const tops = [];
  const tall = parts.reduce((sum, part) => { tops.push(sum); return sum + part.tall; }, 0);
  return {
    tall,
    paint: (ctx, y) => parts.forEach((part, n) => part.paint(ctx, y + tops[n])),
    hit(x, y) { const n = tops.findLastIndex((top) => top <= y); return parts[n]?.hit?.(x, y - tops[n]) || null; },
  };
}

// Parts side by side, each made for its share of the width.
function beside(w, makers, gap = 16) {
  const width = (w.width - gap * (makers.length - 1)) / makers.length, parts = makers.map((make) => make({ ...w, width }));
  return {
    tall: Math.max(...parts.map((part) => part.tall)),
    paint: (ctx, y) => parts.forEach((part, n) => { ctx.save(); ctx.translate(n * (width + gap), 0); part.paint(ctx, y); ctx.restore(); }),
    hit(x, y) { const n = Math.floor(x / (width + gap)); return parts[n]?.hit?.(x - n * (width + gap), y) || null; },
  };
}
