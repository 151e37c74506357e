// The playground of Q and K: drag or key their entries, and logits, weights and outputs follow. After kit.js.
//
// State (synchronised with Python): Q and K (4 × 4 each), beta, and given (what stays: letters, tokens, values, wanted, presets, largest).

const CELL = 40, SIDE = 52, TOP = 26; // of a matrix: an entry, the names on its left, those above it
const SUBSCRIPTS = "₀₁₂";
const times = (rows, columns) => rows.map((row) => columns.map((column) => row.reduce((sum, x, c) => sum + x * column[c], 0)));
const short = (x) => String(Math.round(100 * x) / 100).replace("-", "−");

function computed({ tokens, values, wanted }, Q, K, beta) {
  const logits = times(times(tokens, Q), times(tokens, K)).map((row) => row.map((x) => beta * beta * x)); // (3, 3)
  const weights = logits.map((row) => {
    const powers = row.map((x) => Math.exp(x - Math.max(...row))), sum = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / sum);
  });
  const outputs = [0, 1].map((i) => values[0].map((_, c) => weights[i].reduce((sum, w, j) => sum + w * values[j][c], 0))); // (2, 4)
  const away = outputs.map((output, i) => Math.hypot(...output.map((x, c) => x - wanted[i][c])));
  return { logits, weights, outputs, away };
}

function render({ model, el }) {
  const given = model.get("given"), { letters, largest } = given;
  const { root, say } = begin(el, "playground", "Playground of W_Q and W_K", 2);
  const bar = node("div", root, { class: "kqa-row" });
  const put = (name, value) => { model.set(name, value); model.save_changes(); later(); };
  for (const [name, table] of Object.entries(given.presets)) button(bar, name, () => { put("Q", table); put("K", table); });
  const follow = number(bar, "β", { min: 0, max: 4, step: 0.1 }, (value) => put("beta", value));
  const parts = node("div", root, { class: "kqa-row kqa-top" });
  const chosen = { Q: [0, 0], K: [0, 0] }, views = {};
  for (const name of "QK") views[name] = matrix(name);
  const figure = node("figure", parts, { class: "kqa-wide" });
  node("figcaption", figure, {}, "Each query's logits and weights; the outputs c₀ and c₁, dashed their targets");
  const results = node("canvas", figure, { role: "img", "aria-label": "Logits, weights and outputs; the sentence on top says them" });
  node("p", root, { class: "kqa-quiet" }, "Drag an entry up or down. With the keyboard: arrow keys choose an entry, a digit, + or − changes it.");

  function entry(name, value) {
    const [r, c] = chosen[name];
    put(name, model.get(name).map((row, i) => row.map((old, j) => (i === r && j === c ? clamp(value, -largest, largest) : old))));
  }

  function matrix(name) {
    const figure = node("figure", parts, { class: "kqa-matrix" });
    node("figcaption", figure, {}, `W_${name}: from a direction (column) to another (row)`);
    const canvas = node("canvas", figure, { role: "application", "aria-label": `Entries of W_${name}. Arrow keys choose one, a digit, plus or minus changes it.` });
    canvas.dataset.part = name;
    Object.assign(canvas.style, { touchAction: "none", cursor: "ns-resize" }); // a finger drags the entry, not the page
    const value = () => model.get(name)[chosen[name][0]][chosen[name][1]];
    takeKeys(canvas, (event) => {
      const dx = across(event), dy = down(event), [r, c] = chosen[name];
      if (dx || dy) { chosen[name] = [clamp(r + dy, 0, 3), clamp(c + dx, 0, 3)]; later(); }
      else if (/^\d$/.test(event.key)) entry(name, Number(event.key));
      else if ("+=".includes(event.key)) entry(name, value() + 1);
      else if ("-−".includes(event.key)) entry(name, value() - 1);
      else if (event.key === "Delete" || event.key === "Backspace") entry(name, 0);
      else return false;
      return true;
    });
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      const box = canvas.getBoundingClientRect();
      const c = Math.floor((event.clientX - box.left - SIDE) / CELL), r = Math.floor((event.clientY - box.top - TOP) / CELL);
      if (c < 0 || r < 0 || c > 3 || r > 3) return;
      chosen[name] = [r, c];
      held = { y: event.clientY, from: value() };
      canvas.setPointerCapture(event.pointerId);
      later();
    });
    canvas.addEventListener("pointermove", (event) => { if (held) entry(name, held.from + Math.round((held.y - event.clientY) / 12)); });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
    const row = node("label", figure, { class: "kqa-number" });
    const label = node("span", row), input = node("input", row, { type: "number", min: -largest, max: largest, step: "any", "data-part": `entry of ${name}` });
    takeKeys(input, () => false);
    input.addEventListener("input", () => { if (fits(input)) entry(name, Number(input.value)); });
    return { canvas, label, input, value };
  }

  function drawMatrix(name, look) {
    const { canvas, label, input, value } = views[name], table = model.get(name), [row, column] = chosen[name];
    const ctx = surface(canvas, TOP + 4 * CELL + 4, look);
    ctx.textAlign = "right";
    ctx.fillStyle = look.quiet;
    ctx.fillText("from", SIDE - 10, 10);
    letters.forEach((letter, n) => {
      ctx.fillStyle = n === column ? look.ink : look.quiet;
      ctx.textAlign = "center";
      ctx.fillText(letter, SIDE + (n + 0.5) * CELL, 10);
      ctx.fillStyle = n === row ? look.ink : look.quiet;
      ctx.textAlign = "right";
      ctx.fillText(`to ${letter}`, SIDE - 10, TOP + (n + 0.5) * CELL);
    });
    table.forEach((entries, r) => entries.forEach((entry, c) => {
      const x = SIDE + c * CELL, y = TOP + r * CELL;
      ctx.fillStyle = entry ? (entry > 0 ? look.plusInk : look.minusInk) : look.soft;
      ctx.fillRect(x + 1, y + 1, CELL - 2, CELL - 2);
      ctx.fillStyle = entry ? inkOn(rgb(entry > 0 ? look.plusInk : look.minusInk)) : look.quiet;
      ctx.font = `bold ${look.mono}`;
      ctx.textAlign = "center";
      ctx.fillText(short(entry), x + CELL / 2, y + CELL / 2, CELL - 6);
    }));
    ctx.strokeStyle = look.ink;
    ctx.lineWidth = 2;
    ctx.strokeRect(SIDE + column * CELL + 1, TOP + row * CELL + 1, CELL - 2, CELL - 2);
    label.textContent = `W_${name}, from ${letters[column]} to ${letters[row]}`;
    if (document.activeElement !== input || Number(input.value) !== value()) input.value = value();
  }

  function drawResults(found, look) {
    const width = results.clientWidth, left = 54, cell = clamp((width - 2 * left - 12) / 6, 30, 52), top = 40;
    const ctx = surface(results, top + 3 * cell + 150, look);
    const text = (what, x, y, align = "center", colour = look.ink, font = look.small) => {
      ctx.font = font; ctx.fillStyle = colour; ctx.textAlign = align; ctx.fillText(what, x, y);
    };
    [["logits", found.logits], ["weights", found.weights]].forEach(([name, table], side) => {
      const start = left + side * (3 * cell + left + 12);
      text(name, start + 1.5 * cell, 9, "center", look.ink, `bold ${look.small}`);
      table.forEach((row, i) => {
        text(`W_Q x${SUBSCRIPTS[i]}`, start - 5, top + (i + 0.5) * cell, "right", look.quiet);
        text(`W_K x${SUBSCRIPTS[i]}`, start + (i + 0.5) * cell, 29, "center", look.quiet);
        row.forEach((number, j) => {
          const ground = name === "weights" ? cividis(number) : null;
          ctx.fillStyle = ground ? `rgb(${ground})` : look.soft;
          ctx.fillRect(start + j * cell, top + i * cell, cell - 1, cell - 1);
          const ink = ground ? inkOn(ground) : look.ink;
          text(ground ? number.toFixed(2) : short(number), start + (j + 0.5) * cell, top + (i + 0.5) * cell, "center", ink, look.mono);
        });
      });
    });
    const base = top + 3 * cell + 80, tall = 44, step = (width - 30) / 9;
    found.outputs.forEach((output, i) => {
      const start = 20 + i * 5 * step;
      text(`c${SUBSCRIPTS[i]}`, start + 2 * step, base - tall - 22, "center", look.ink, `bold ${look.small}`);
      ctx.fillStyle = look.quiet;
      ctx.fillRect(start, base - 0.5, 4 * step, 1);
      output.forEach((number, c) => {
        const x = start + c * step, aim = given.wanted[i][c];
        ctx.fillStyle = i ? look.plusInk : look.minusInk;
        ctx.fillRect(x + 0.25 * step, base, 0.5 * step, -clamp(number, -1.25, 1.25) * tall);
        if (aim) {
          ctx.strokeStyle = look.ink;
          ctx.lineWidth = 1.5;
          ctx.setLineDash([4, 3]);
          ctx.strokeRect(x + 0.12 * step, base, 0.76 * step, -aim * tall);
          ctx.setLineDash([]);
        }
        text(`u_${letters[c]}`, x + step / 2, base + tall + 14, "center", look.quiet);
      });
    });
  }

  const { later, end } = keepDrawn(root, model, ["Q", "K", "beta"], (look) => {
    const beta = model.get("beta"), found = computed(given, model.get("Q"), model.get("K"), beta);
    follow(beta);
    for (const name of "QK") drawMatrix(name, look);
    drawResults(found, look);
    const row = (i) => found.weights[i].map((weight) => weight.toFixed(2)).join(", ");
    say(`At β = ${beta.toFixed(1)} query 0 gives its weights (${row(0)}) and query 1 (${row(1)}). ` +
      `c₀ is ${found.away[0].toFixed(2)}·‖u‖ away from u_b − u_c, and c₁ ${found.away[1].toFixed(2)}·‖u‖ from u_b.`);
  });
  return end;
}
