// The stepper of span corruption: one line of text on its way to x and y, step by step. After kit.js.
//
// State (synchronised with Python): document, cuts (kept length, start and length of the span; one per draw), block_size, and what is
// chosen: stage (1 truncate … 4 shift) and epoch (from 1). A new stage glides in, unless the reader asked for less motion.

const STEPS = ["truncate", "choose", "rearrange", "shift"];
const LINES = ["1 truncate", "2 choose", "3 rearrange", "4 shift: x", "and y"];
const EDGE = 88; // of the names on the left
const GLIDE = 450; // milliseconds

// The five lines, each a list of cells {text, from, kind}; `from` is the cell of the line above that it comes from, -1 if none.
function linesOf(document, [length, start, masked], block) {
  const letters = [...document], kept = letters.slice(0, length);
  const inSpan = (i) => i >= start && i < start + masked;
  const first = letters.slice(0, block).map((text, i) => ({ text, from: -1, kind: i < length ? "plain" : "gone" }));
  const second = kept.map((text, i) => ({ text, from: i, kind: inSpan(i) ? "span" : "plain" }));
  const third = [...second.slice(0, start), { text: "⁇", from: -1, kind: "mark" }, ...second.slice(start + masked),
    { text: "⁇", from: -1, kind: "mark" }, ...second.slice(start, start + masked)];
  while (third.length < block) third.push({ text: "□", from: -1, kind: "padding" });
  const shifted = third.map((cell, i) => ({ ...cell, from: i }));
  return [first, second, third, shifted.slice(0, -1), shifted.slice(1)];
}

function render({ model, el }) {
  const { root, say } = begin(el, "stepper", "Span corruption, step by step", 2);
  const bar = node("div", root, { class: "kqa-row" });
  const cuts = model.get("cuts"), block = model.get("block_size");
  let moved = -Infinity, before = model.get("stage");
  const put = (name, value, most) => { model.set(name, clamp(value, 1, most)); model.save_changes(); later(); };
  const step = (by) => put("stage", model.get("stage") + by, 4), draw = (by) => put("epoch", model.get("epoch") + by, cuts.length);
  const back = button(bar, "◀ step back", () => step(-1)), next = button(bar, "next step ▶", () => step(1));
  const place = node("b", bar, {});
  const follow = number(bar, "epoch", { min: 1, max: cuts.length, step: 1 }, (value) => put("epoch", value, cuts.length));
  const scroll = node("div", root, { class: "kqa-scroll" });
  const canvas = node("canvas", scroll, { role: "application", "aria-label": "The line of text after each step. Left and right change the step, up and down the epoch." });
  canvas.dataset.part = "lines";
  canvas.style.minWidth = `${Math.max(600, EDGE + 9 * block)}px`;
  takeKeys(canvas, (event) => {
    const dx = across(event), dy = down(event);
    if (dx) step(dx);
    if (dy) draw(-dy);
    return dx || dy;
  });
  const legend = node("p", root, { class: "kqa-quiet" });
  for (const [kind, text] of [["span", "the masked span, framed"], ["padding", "filling □"]]) {
    node("span", legend, { class: `kqa-key kqa-${kind}` });
    legend.append(text + " · ");
  }
  legend.append("Keys: left and right for the step, up and down for the epoch.");

  function drawLines(lines, shown, glide, look) {
    const left = EDGE, wide = (canvas.clientWidth - left) / block, tall = 34;
    const ctx = surface(canvas, LINES.length * tall, look), size = Math.min(15, wide * 1.35);
    const put = ({ text, kind }, x, y) => {
      ctx.fillStyle = { span: look.mark, gone: look.back, padding: look.soft }[kind] || look.cell;
      ctx.fillRect(x + 0.5, y + 4, wide - 1, tall - 10);
      if (kind === "span") { ctx.strokeStyle = look.plusInk; ctx.lineWidth = 1.5; ctx.strokeRect(x + 1, y + 4.5, wide - 2, tall - 11); }
      ctx.fillStyle = kind === "gone" || kind === "padding" ? look.quiet : kind === "span" ? look.onMark : look.ink;
      ctx.font = `${size}px ${look.mono.replace(/^\S+ /, "")}`;
      ctx.textAlign = "center";
      ctx.fillText(text, x + wide / 2, y + tall / 2 - 0.5);
      if (kind === "gone") { ctx.fillRect(x, y + tall / 2 - 1, wide, 1); } // struck out
    };
    lines.slice(0, shown).forEach((cells, line) => {
      ctx.font = look.small;
      ctx.fillStyle = look.quiet;
      ctx.textAlign = "right";
      ctx.fillText(LINES[line], left - 8, line * tall + tall / 2);
      const arriving = line >= (shown === 5 ? 3 : shown - 1) && glide < 1, above = line === 4 ? 2 : line - 1;
      cells.forEach((cell, i) => {
        if (!arriving) return put(cell, left + i * wide, line * tall);
        ctx.globalAlpha = cell.from < 0 ? glide : 1;
        const start = cell.from < 0 ? [i, line] : [cell.from, above], ease = glide * glide * (3 - 2 * glide);
        put(cell, left + (start[0] + (i - start[0]) * ease) * wide, (start[1] + (line - start[1]) * ease) * tall);
        ctx.globalAlpha = 1;
      });
    });
  }

  const { later, end } = keepDrawn(root, model, ["stage", "epoch"], (look) => {
    const stage = model.get("stage"), epoch = model.get("epoch"), cut = cuts[epoch - 1], [length, start, masked] = cut;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches, now = performance.now();
    if (stage > before && !calm) moved = now;
    if (stage < before) moved = -Infinity;
    before = stage;
    const glide = clamp((now - moved) / GLIDE, 0, 1);
    drawLines(linesOf(model.get("document"), cut, block), stage + (stage === 4), glide, look);
    if (glide < 1) later();
    follow(epoch);
    back.disabled = stage === 1;
    next.disabled = stage === 4;
    place.textContent = `${stage} of 4: ${STEPS[stage - 1]}`;
    const span = [...model.get("document")].slice(start, start + masked).join("");
    say([`The line is cut to its first ${length} characters.`, `Of these, ${masked} are masked, from character ${start} on: “${span}”.`,
      `They move behind a second ⁇, and the row is filled up to ${block} with □.`,
      "x is the row without its last character, y without its first."].slice(0, stage).join(" "));
  });
  return end;
}
