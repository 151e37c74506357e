// The plane of queries: drag the query; the ground says which key wins where, bars show the weights. After kit.js and nb01_bars.js.
//
// State (synchronised with Python): query (2), and given: keys (n × 2), values (n × m, or empty), reach of the plane, colours of keys.

const STEP = 0.1; // one press of an arrow key

function render({ model, el }) {
  const { keys, values, reach, colours } = model.get("given"), inPlane = values.length && values[0].length === 2;
  const { root, say } = begin(el, "plane", "Queries in the plane", 2);
  const put = (query) => {
    model.set("query", query.map((x) => Math.round(100 * clamp(x, -reach, reach)) / 100));
    model.save_changes();
    later();
  };
  const parts = node("div", root, { class: "kqa-row kqa-top" });
  const left = node("figure", parts, { class: "kqa-square" }), right = node("div", parts, { class: "kqa-wide" });
  const add = (parent, caption, attributes) => {
    node("figcaption", parent, {}, caption);
    return node("canvas", parent, attributes);
  };
  const plane = add(left, "Drag the query q. Each place has the colour of the key that gets the largest weight there; a deeper colour is a larger weight.", { role: "application",
    "aria-label": "The plane of queries. Arrow keys move the query, plus and minus make it longer and shorter." });
  plane.dataset.part = "plane";
  Object.assign(plane.style, { touchAction: "none", cursor: "grab" });
  const bars = add(node("figure", right), "Logits k·q and weights of this query", { role: "img", "aria-label": "Logits and weights; the sentence on top says them" });
  const output = inPlane && add(node("figure", right), "The output c is the weighted average of the values", { role: "img", "aria-label": "Values and output in their plane; the sentence on top says the output" });
  const bar = node("div", right, { class: "kqa-row" });
  const follow = [0, 1].map((i) => number(bar, `q[${i}]`, { min: -reach, max: reach, step: STEP }, (x) => put(model.get("query").map((old, j) => (i === j ? x : old)))));
  node("p", right, { class: "kqa-quiet" }, "On the keyboard: arrows move the query, + and − change its length and keep its direction.");

  takeKeys(plane, (event) => {
    const dx = across(event), dy = down(event), query = model.get("query"), scale = { "+": 1.1, "=": 1.1, "-": 1 / 1.1, "−": 1 / 1.1 }[event.key];
    if (dx || dy) put([query[0] + dx * STEP, query[1] - dy * STEP]);
    else if (scale) put(query.map((x) => x * Math.min(scale, reach / Math.max(...query.map(Math.abs)))));
    else return false;
    return true;
  });
  let held = false;
  const seen = (event) => {
    const box = plane.getBoundingClientRect();
    put([((event.clientX - box.left) / box.width - 0.5) * 2 * reach, (0.5 - (event.clientY - box.top) / box.height) * 2 * reach]);
  };
  plane.addEventListener("pointerdown", (event) => { held = true; plane.setPointerCapture(event.pointerId); seen(event); });
  plane.addEventListener("pointermove", (event) => { if (held) seen(event); });
  for (const done of ["pointerup", "pointercancel"]) plane.addEventListener(done, () => { held = false; });

  let ground = null; // drawn once for each size and theme
  function groundOf(size, look) {
    const name = `${size} ${look.back}`;
    if (ground?.name === name) return ground.canvas;
    const canvas = document.createElement("canvas"), base = look.paper, paints = colours.map(rgb);
    canvas.width = canvas.height = size;
    const ctx = canvas.getContext("2d"), image = ctx.createImageData(size, size);
    for (let at = 0; at < size * size; at++) {
      const query = [((at % size) + 0.5) / size, 1 - (Math.floor(at / size) + 0.5) / size].map((x) => (2 * x - 1) * reach);
      const { weights } = attend(keys, query), top = Math.max(...weights), paint = paints[weights.indexOf(top)];
      const deep = 0.12 + 0.5 * ((top - 1 / keys.length) / (1 - 1 / keys.length || 1));
      for (let c = 0; c < 3; c++) image.data[4 * at + c] = base[c] + deep * (paint[c] - base[c]);
      image.data[4 * at + 3] = 255;
    }
    ctx.putImageData(image, 0, 0);
    ground = { name, canvas };
    return canvas;
  }

  function drawPlane(query, look) {
    const size = Math.round(plane.clientWidth), ctx = surface(plane, size, look);
    const at = ([x, y]) => [size * (0.5 + x / 2 / reach), size * (0.5 - y / 2 / reach)];
    ctx.drawImage(groundOf(size, look), 0, 0, size, size);
    ctx.strokeStyle = ctx.fillStyle = look.quiet;
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.5;
    for (const [from, to] of [[[-reach, 0], [reach, 0]], [[0, -reach], [0, reach]]]) {
      ctx.beginPath();
      ctx.moveTo(...at(from));
      ctx.lineTo(...at(to));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    const sides = Array.from({ length: 360 }, (_, n) => [Math.cos((n * Math.PI) / 180), Math.sin((n * Math.PI) / 180)]); // who wins where, far out
    const winners = sides.map((side) => { const { logits } = attend(keys, side); return logits.indexOf(Math.max(...logits)); });
    keys.forEach((key, n) => {
      const middle = sides.filter((_, i) => winners[i] === n).reduce((sum, side) => sum.map((x, c) => x + side[c]), [0, 0]), far = Math.hypot(...middle);
      if (far > 1e-6) haloed(ctx, `k${digit(n)} wins`, ...at(middle.map((x) => (0.86 * reach * x) / far)), look, look.small);
      drawArrow(ctx, at([0, 0]), at(key), look.quiet, 1.5);
      ctx.fillStyle = colours[n];
      ctx.strokeStyle = look.ink;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.arc(...at(key), 5, 0, 7);
      ctx.fill();
      ctx.stroke();
      const away = Math.hypot(...key) || 1, [x, y] = at(key);
      haloed(ctx, `k${digit(n)}`, x + (15 * key[0]) / away, y - (15 * key[1]) / away, look);
    });
    const [x, y] = at(query), [u, v] = query.map((part) => part / (Math.hypot(...query) || 1));
    drawArrow(ctx, at([0, 0]), [x, y], look.ink, 3, look.back);
    ctx.lineWidth = 1.5; // a ring: here it can be taken
    ctx.beginPath();
    ctx.arc(x, y, 9, 0, 7);
    ctx.stroke();
    haloed(ctx, "q", clamp(x + 19 * u, 10, size - 10), clamp(y - 19 * v, 10, size - 10), look);
  }

  function drawOutput(found, look) {
    const width = output.clientWidth, height = 180, ctx = surface(output, height, look);
    const ends = [0, 1].map((c) => [Math.min(...values.map((value) => value[c])), Math.max(...values.map((value) => value[c]))]);
    const [wide, tall] = ends.map(([low, high]) => high - low), scale = Math.min((width - 60) / (wide || 1), (height - 60) / (tall || 1));
    const at = ([x, y]) => [width / 2 + scale * (x - (ends[0][0] + ends[0][1]) / 2), height / 2 - scale * (y - (ends[1][0] + ends[1][1]) / 2)];
    ctx.fillStyle = look.soft;
    ctx.fillRect(0, 0, width, height);
    values.forEach((value, n) => {
      Object.assign(ctx, { strokeStyle: colours[n], lineWidth: 1 + 7 * found.weights[n], lineCap: "round" });
      ctx.beginPath();
      ctx.moveTo(...at(found.output));
      ctx.lineTo(...at(value));
      ctx.stroke();
    });
    values.forEach((value, n) => {
      ctx.fillStyle = colours[n];
      ctx.beginPath();
      ctx.arc(...at(value), 6, 0, 7);
      ctx.fill();
      const [x, y] = at(value);
      haloed(ctx, `v${digit(n)}`, x, y - 15, look);
    });
    ctx.fillStyle = look.ink;
    ctx.beginPath();
    ctx.arc(...at(found.output), 6, 0, 7);
    ctx.fill();
    const [x, y] = at(found.output);
    haloed(ctx, "c", x, y + 16, look);
  }

  const { later, end } = keepDrawn(root, model, ["query"], (look) => {
    const query = model.get("query"), found = attend(keys, query);
    if (values.length) found.output = values[0].map((_, c) => dot(found.weights, values.map((value) => value[c])));
    follow.forEach((each, i) => each(query[i]));
    drawPlane(query, look);
    drawBars(bars, found, colours, look);
    if (output) drawOutput(found, look);
    say(`The query ${list(query)} has the logits ${list(found.logits)} and the weights ${list(found.weights)}: ${largest(found.weights)}.` +
      (values.length ? ` The output is ${list(found.output)}.` : ""));
  });
  return end;
}
