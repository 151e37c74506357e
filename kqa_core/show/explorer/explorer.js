// The attention explorer's view, drawn on canvas, the same in a notebook and in an exported page. After kit.js and explorer_numbers.js.
//
// State (synchronised with Python): tokens, panes (one per model: sizes, weights as bytes, queries and keys as float32), and what is
// chosen: at (layer and head of each pane), pair (query and key token), stage (0 dot product … 3 softmax). What the mouse hovers
// over is a preview: kept here, never sent. Everything that is seen is also said, in one sentence that a screen reader reads out.

const GAP = 4; // between thumbnails
const TALLEST = 600; // all thumbnails together, so that many layers fit on a screen

function render({ model, el }) {
  const tokens = model.get("tokens"), T = tokens.length;
  const attentions = model.get("panes").map((pane) => new Attention(pane, T));
  const root = node("div", el, { class: "kqa kqa-explorer", role: "group", "aria-label": "Attention explorer" });
  const said = node("p", root, { class: "kqa-said", role: "status", "aria-live": "polite" });
  said.style.minHeight = `${1.2 + 3 * attentions.length}em`;
  const panes = node("div", root, { class: "kqa-panes" });
  const views = attentions.map((attention, number) => view(attention, number));
  const legend = node("p", root, { class: "kqa-quiet" }, "Weights 0");
  node("span", legend, { class: "kqa-key kqa-ramp" }).style.background =
    `linear-gradient(90deg, ${CIVIDIS.map(([at, ...colour]) => `rgb(${colour}) ${at / 2.55}%`).join()})`;
  legend.append("1");
  if (attentions.some((each) => each.allowed.includes(0))) {
    legend.append(" · ");
    node("span", legend, { class: "kqa-key kqa-hatch" });
    legend.append("may not be read");
  }
  if (attentions.some((each) => each.query)) {
    legend.append(" · before the softmax:");
    node("span", legend, { class: "kqa-key" }).style.background = "var(--kqa-minus)";
    legend.append("below 0");
    node("span", legend, { class: "kqa-key" }).style.background = "var(--kqa-plus)";
    legend.append("above 0");
  }
  node("p", root, { class: "kqa-quiet" }, "Hover to look, click to keep. With the keyboard: Tab to a picture, then the arrow keys, Home and End.");

  let look = {}, hover = null; // hover: {number, head: [l, h]} or {number, pair: [i, j]}

  const shown = (number) => (hover && hover.number === number && hover.head) || model.get("at")[number];
  const pair = () => (hover && hover.pair) || model.get("pair");
  const keep = (name, value) => { model.set(name, value); model.save_changes(); later(); };
  const choose = (number, place) => keep("at", model.get("at").map((old, each) => (each === number ? place : old)));

  // One model: its name and four pictures, each with the keys and the mouse that work on it.
  function view(attention, number) {
    const fit = node("div", panes, { class: "kqa-fit" }), pane = node("div", fit, { class: "kqa-pane" });
    const { layers, heads, name } = attention, alone = isAlone(attention);
    if (alone) pane.classList.add("kqa-alone");
    node("p", pane, {}, alone ? `${name}: ${T} tokens` : `${name}: ${layers} ${layers > 1 ? "layers" : "layer"} × ${heads} ${heads > 1 ? "heads" : "head"}, ${T} tokens`);
    const made = { pane };
    const add = (key, caption, label, onKey, onPoint) => {
      const figure = node("figure", pane, { style: `grid-area:${key}`, class: key === "head" ? "kqa-large" : "" });
      made[key + "Caption"] = node("figcaption", figure, {}, caption);
      const canvas = (made[key] = node("canvas", figure, { role: onKey ? "application" : "img", "aria-label": label }));
      canvas.dataset.part = key;
      if (!onKey) return;
      takeKeys(canvas, (event) => {
        const dx = across(event), dy = down(event);
        if (!dx && !dy) return false;
        hover = null;
        onKey(dx, dy);
        return true;
      });
      const at = (event) => { const box = canvas.getBoundingClientRect(); return onPoint(event.clientX - box.left, event.clientY - box.top); };
      canvas.addEventListener("pointermove", (event) => { hover = at(event) && { number, ...at(event) }; later(); });
      canvas.addEventListener("pointerleave", () => { hover = null; later(); });
      canvas.addEventListener("click", (event) => {
        const hit = at(event);
        if (hit?.head) choose(number, hit.head);
        if (hit?.pair) keep("pair", hit.pair);
        if (hit?.stage !== undefined) keep("stage", hit.stage);
      });
    };
    const within = (x, y, grid) => x >= 0 && y >= 0 && x < grid.columns && y < grid.rows;
    if (!alone) add("heads", "All heads: rows are layers, columns are heads", `All heads of ${name}. Arrow keys choose layer and head.`,
      (dx, dy) => { const [l, h] = model.get("at")[number]; choose(number, [clamp(l + dy, 0, layers - 1), clamp(h + dx, 0, heads - 1)]); },
      (px, py) => {
        const { left, top, step } = made.headsGrid, x = Math.floor((px - left) / step), y = Math.floor((py - top) / step);
        return within(x, y, { columns: heads, rows: layers }) ? { head: [y, x] } : null;
      });
    add("head", "", `One head of ${name}. Up and down choose the query, left and right the key it reads.`,
      (dx, dy) => { const [i, j] = model.get("pair"); keep("pair", [clamp(i + dy, 0, T - 1), clamp(j + dx, 0, T - 1)]); },
      (px, py) => {
        const { left, top, step } = made.headGrid, x = Math.floor((px - left) / step), y = Math.floor((py - top) / step);
        return within(x, y, { columns: T, rows: T }) ? { pair: [y, x] } : null;
      });
    if (attention.query) {
      add("stages", "From dot product to weight, in four stages", `Stages of ${name}. Left and right choose which one the large picture shows.`,
        (dx) => keep("stage", clamp(model.get("stage") + dx, 0, 3)),
        (px, py) => {
          const { top, side, step } = made.stagesGrid, x = Math.floor(px / step);
          return x >= 0 && x < 4 && px - x * step < side && py > top - 20 && py < top + side ? { stage: x } : null;
        });
      add("channels", "", "", null);
    } else if (!alone) {
      const note = node("p", pane, { class: "kqa-quiet", style: "grid-area:stages; font-weight:400" });
      note.textContent = "These are weights alone: without queries and keys there are no stages and no channels to show.";
    }
    return made;
  }

  function kept(made, attention, stage, l, h, side) {
    const name = [stage, l, h, side].join();
    made.pictures ||= new Map();
    if (made.pictures.size > 400) made.pictures.clear();
    if (!made.pictures.has(name)) made.pictures.set(name, picture(attention, stage, l, h, side, look));
    return made.pictures.get(name);
  }

  function drawHeads(made, attention, number) {
    const { layers, heads } = attention, left = 18, top = 18, width = made.heads.clientWidth;
    const step = clamp(Math.floor(Math.min((width - left) / heads, TALLEST / layers)), 14, 104), side = step - GAP;
    made.headsGrid = { left, top, step };
    const ctx = surface(made.heads, top + layers * step, look);
    const [kl, kh] = model.get("at")[number], [l, h] = shown(number), dense = window.devicePixelRatio || 1;
    ctx.textAlign = "center";
    for (let x = 0; x < heads; x++) { ctx.fillStyle = x === h ? look.ink : look.quiet; ctx.fillText(x, left + x * step + side / 2, 8); }
    for (let y = 0; y < layers; y++) {
      ctx.fillStyle = y === l ? look.ink : look.quiet;
      ctx.fillText(y, 7, top + y * step + side / 2);
      for (let x = 0; x < heads; x++) {
        ctx.fillStyle = look.soft;
        ctx.fillRect(left + x * step, top + y * step, side, side);
        ctx.drawImage(kept(made, attention, 3, y, x, Math.round(side * dense)), left + x * step, top + y * step, side, side);
      }
    }
    frame(ctx, left + kh * step, top + kl * step, side, side);
    if (l !== kl || h !== kh) frame(ctx, left + h * step, top + l * step, side, side, true);
  }

  function drawHead(made, attention, number) {
    const [l, h] = shown(number), [i, j] = pair(), stage = attention.query ? model.get("stage") : 3;
    const names = tokens.map(visible), width = made.head.clientWidth;
    const measure = made.head.getContext("2d");
    measure.font = look.mono;
    const widest = Math.min(84, Math.max(...names.map((name) => measure.measureText(name).width)));
    const left = Math.max(28, widest + 8), top = widest > 14 ? widest + 10 : 22;
    const step = Math.min(56, (width - left - 54) / T), side = step * T;
    made.headGrid = { left, top, step };
    const ctx = surface(made.head, top + side + 52, look);
    const spread = attention.margin("spread", l, h), received = attention.margin("received", l, h);
    const widestRow = Math.max(...spread), mostRead = Math.max(...received);
    made.headCaption.textContent = `${placeOf(attention, l, h)}: ${stage === 3 ? "weights" : STAGES[stage]}. A row is a query, a column is a key.` +
      (stage === 3 ? ` Right: how many tokens a row spreads over, at most ${widestRow.toFixed(1)}. Below: column sums, at most ${fixed(mostRead)}.` : "");
    hatch(ctx, left, top, side, side, look);
    ctx.drawImage(kept(made, attention, stage, l, h, T), left, top, side, side);
    if (step > 14) {
      ctx.strokeStyle = look.back;
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (let n = 1; n < T; n++) { ctx.moveTo(left + n * step, top); ctx.lineTo(left + n * step, top + side); ctx.moveTo(left, top + n * step); ctx.lineTo(left + side, top + n * step); }
      ctx.stroke();
    }
    // the tokens: all where there is room, else a number now and then; the chosen two always
    const every = [1, 5, 10, 20, 50, 100, 1e9].find((n) => n * step >= (n === 1 ? 9.5 : 30));
    const label = (n, row) => {
      const chosen = n === (row ? i : j);
      if (!chosen && (n % every || Math.abs(n - (row ? i : j)) * step < 12)) return;
      ctx.font = chosen ? `bold ${look.mono}` : look.mono;
      ctx.fillStyle = chosen ? look.ink : look.quiet;
      ctx.save();
      ctx.translate(row ? left - 6 : left + (n + 0.5) * step, row ? top + (n + 0.5) * step : top - (widest > 14 ? 4 : 9));
      if (!row && widest > 14) ctx.rotate(-Math.PI / 2);
      ctx.textAlign = row ? "right" : widest > 14 ? "left" : "center";
      ctx.fillText(every === 1 || chosen ? names[n] : n, 0, 0, Math.max(widest, 20));
      ctx.restore();
    };
    for (let n = 0; n < T; n++) { label(n, true); label(n, false); }
    if (stage === 3) {
      const bar = Math.max(1, step - (step > 4 ? 1.5 : 0));
      for (let n = 0; n < T; n++) {
        ctx.fillStyle = n === i ? look.ink : look.bar;
        ctx.fillRect(left + side + 6, top + n * step, Math.max(1, (46 * spread[n]) / widestRow), bar);
        ctx.fillStyle = n === j ? look.ink : look.bar;
        ctx.fillRect(left + n * step, top + side + 6, bar, Math.max(1, (42 * received[n]) / mostRead));
      }
    }
    frame(ctx, left, top + i * step, side, step, hover?.pair);
    frame(ctx, left + j * step, top, step, side, hover?.pair);
  }

  function drawStages(made, attention, number) {
    const [l, h] = shown(number), [i, j] = pair(), chosen = model.get("stage"), width = made.stages.clientWidth;
    const arrow = 16, step = Math.min(160, (width + arrow) / 4), side = step - arrow, top = 22;
    made.stagesGrid = { top, side, step };
    const ctx = surface(made.stages, top + side + 42, look);
    const text = (what, x, y, font = look.small, colour = look.ink) => { ctx.font = font; ctx.fillStyle = colour; ctx.textAlign = "center"; ctx.fillText(what, x, y, side + 14); };
    STAGES.forEach((name, stage) => {
      const x = stage * step, cell = side / T, { most } = attention.table(stage, l, h);
      text(name, x + side / 2, 10, stage === chosen ? `bold ${look.small}` : look.small);
      hatch(ctx, x, top, side, side, look);
      ctx.drawImage(kept(made, attention, stage, l, h, T), x, top, side, side);
      frame(ctx, x + j * cell, top + i * cell, Math.max(3, cell), Math.max(3, cell), hover?.pair);
      if (stage === chosen) { ctx.strokeStyle = look.focus; ctx.lineWidth = 3; ctx.strokeRect(x + 1.5, top + 1.5, side - 3, side - 3); }
      text((stage === 3 ? fixed : exact)(attention.value(stage, l, h, i, j)), x + side / 2, top + side + 14, `bold ${look.mono}`);
      text(stage === 3 ? "0 … 1" : `±${exact(most)}`, x + side / 2, top + side + 32, look.small, look.quiet);
      if (stage < 3) text("→", x + side + arrow / 2, top + side / 2, look.small, look.quiet);
    });
  }

  function drawChannels(made, attention, number) {
    const [l, h] = shown(number), [i, j] = pair(), { channels } = attention, tall = 44, width = made.channels.clientWidth;
    const ctx = surface(made.channels, 3 * (tall + 22), look);
    const rows = [[attention.query_name, "minus", (c) => attention.channel(attention.query, l, h, i, c)],
      [attention.key_name, "plus", (c) => attention.channel(attention.key, l, h, j, c)],
      ["product", "both", (c) => rows[0][2](c) * rows[1][2](c)]];
    const step = Math.min(18, width / channels);
    rows.forEach(([name, colour, number], row) => {
      const numbers = Array.from({ length: channels }, (_, c) => number(c)), most = Math.max(...numbers.map(Math.abs), 1e-9);
      const y = row * (tall + 22), middle = y + 18 + tall / 2;
      ctx.fillStyle = look.ink;
      ctx.fillText(row < 2 ? `${name}: token ${row ? j : i} ${visible(tokens[row ? j : i])}` : `product, sum ${exact(attention.dot(l, h, i, j))}`, 0, y + 8);
      ctx.fillStyle = look.quiet;
      ctx.textAlign = "right";
      ctx.fillText(`±${exact(most)}`, width, y + 8);
      ctx.textAlign = "left";
      ctx.fillRect(0, middle - 0.5, step * channels, 1);
      ctx.fillStyle = look[colour + "Ink"];
      numbers.forEach((value, c) => ctx.fillRect(c * step + 1, middle, Math.max(1, step - 2), (-value / most) * (tall / 2)));
    });
    made.channelsCaption.textContent = `q·k channel by channel (${channels}), layer ${l}, head ${h}`;
    const products = Array.from({ length: channels }, (_, c) => rows[2][2](c)), top = products.reduce((best, p, c) => (Math.abs(p) > Math.abs(products[best]) ? c : best), 0);
    made.channels.setAttribute("aria-label", `Channel by channel: the products of query and key sum to ${exact(attention.dot(l, h, i, j))}; channel ${top} adds most, ${exact(products[top])}.`);
  }

  function sentence(attention, number) {
    const [l, h] = shown(number), [i, j] = pair(), place = placeOf(attention, l, h), of = attentions.length > 1 && place !== attention.name ? `${attention.name}, ${place.toLowerCase()}` : place;
    const at = (n) => (tokens[n] === String(n) ? `token ${n}` : `token ${n} ${spoken(tokens[n])}`), read = attention.may(l, i, j);
    const attends = read ? `${at(i)} attends ${fixed(attention.weight(l, h, i, j))} to ${at(j)}` : `${at(i)} may not read ${at(j)}`;
    const row = attention.row(l, h, i), best = row.indexOf(Math.max(...row));
    const most = best === j ? "its most" : `most to ${at(best)} (${fixed(row[best])})`;
    const [spread, sum, received] = [["spread", i], ["sums", i], ["received", j]].map(([name, at]) => attention.margin(name, l, h)[at]);
    const sums = `It spreads over ${spread.toFixed(1)} tokens; its row sums to ${fixed(sum)}, the column of token ${j} to ${fixed(received)}.`;
    const v = (stage) => exact(attention.value(stage, l, h, i, j));
    const steps = attention.query && read ? ` Dot product ${v(0)}, times ${attention.scale[l].toPrecision(3)} is ${v(1)}${attention.bias ? `, with what the mask adds ${v(2)}` : ""}.` : "";
    return `${of}: ${attends}, ${most}. ${sums}${steps}`;
  }

  const { later, end } = keepDrawn(root, model, ["at", "pair", "stage"], (seen) => {
    if (seen.back !== look.back) views.forEach((made) => (made.pictures = undefined)); // light or dark: colours between differ
    look = seen;
    attentions.forEach((attention, number) => {
      const made = views[number];
      if (made.heads) drawHeads(made, attention, number);
      drawHead(made, attention, number);
      if (attention.query) { drawStages(made, attention, number); drawChannels(made, attention, number); }
    });
    const text = (hover && (hover.head || hover.pair) ? "Preview. " : "") + attentions.map(sentence).join("\n");
    if (said.textContent !== text) said.textContent = text;
  });
  return end;
}
