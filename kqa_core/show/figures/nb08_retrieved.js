// Retrieved or made up: every answer at its confidence, and what a threshold lets through. After kit.js.
//
// State (synchronised with Python): groups (name, and answers as [confidence, right, what is said of it]), threshold, and chosen
// ([group, answer], or empty). Right answers are rings, wrong ones crosses: never told apart by colour alone.

const LEFT = 96, ROW = 92, FOOT = 26;
const LETTING = 0.02; // one press of an arrow key

function render({ model, el }) {
  const groups = model.get("groups");
  const { root, say } = begin(el, "retrieved", "Retrieved or made up", 3);
  const bar = node("div", root, { class: "kqa-row" });
  const put = (name, value) => { model.set(name, value); model.save_changes(); later(); };
  const follow = number(bar, "threshold", { min: 0, max: 1, step: 0.01 }, (value) => put("threshold", value));
  const parts = node("div", root, { class: "kqa-row kqa-top" });
  const add = (caption, kind, attributes) => {
    const figure = node("figure", parts, { class: kind });
    node("figcaption", figure, {}, caption);
    return node("canvas", figure, attributes);
  };
  const dots = add("Each answer by its confidence: ring right, cross wrong. Drag the threshold, click an answer", "kqa-wide", {
    role: "application", "aria-label": "Answers by confidence. Left and right move the threshold, up and down go from answer to answer." });
  dots.dataset.part = "dots";
  Object.assign(dots.style, { touchAction: "pan-y", cursor: "ew-resize" });
  const shares = add("What becomes of them: right, wrong (hatched), withheld", "kqa-wide", {
    role: "img", "aria-label": "Shares of right, wrong and withheld answers; the sentence on top says them" });
  shares.dataset.part = "shares";
  node("p", root, { class: "kqa-quiet" }, "Keys: left and right move the threshold, Home and End take it to 0 and 1; up and down go from answer to answer.");

  // Spread evenly within their row, the same at every draw.
  const height = (group, i) => group * ROW + ROW / 2 + 0.62 * ROW * (((i * 0.618034) % 1) - 0.5);
  const order = groups.flatMap(({ answers }, group) => answers.map((_, i) => [group, i]).sort(([, a], [, b]) => answers[a][0] - answers[b][0]));
  const across_ = (x) => LEFT + 10 + x * (dots.clientWidth - LEFT - 24);
  const valueAt = (event) => (event.clientX - dots.getBoundingClientRect().left - LEFT - 10) / (dots.clientWidth - LEFT - 24);
  const round = (x) => Math.round(100 * clamp(x, 0, 1)) / 100;

  takeKeys(dots, (event) => {
    const dx = across(event), dy = down(event);
    if (dx) put("threshold", round(model.get("threshold") + dx * LETTING));
    if (dy) {
      const now = order.findIndex(([group, i]) => group === model.get("chosen")[0] && i === model.get("chosen")[1]);
      put("chosen", order[clamp(now < 0 ? (dy > 0 ? 0 : order.length - 1) : now + dy, 0, order.length - 1)]);
    }
    return dx || dy;
  });
  let held = false;
  dots.addEventListener("pointerdown", (event) => {
    const box = dots.getBoundingClientRect(), y = event.clientY - box.top, x = event.clientX - box.left;
    let best = null, nearest = 12;
    groups.forEach(({ answers }, group) => answers.forEach(([confidence], i) => {
      const far = Math.hypot(across_(confidence) - x, height(group, i) - y);
      if (far < nearest) [best, nearest] = [[group, i], far];
    }));
    const line = Math.abs(across_(model.get("threshold")) - x);
    if (best && nearest < line) return put("chosen", best);
    held = true;
    dots.setPointerCapture(event.pointerId);
    put("threshold", round(valueAt(event)));
  });
  dots.addEventListener("pointermove", (event) => { if (held) put("threshold", round(valueAt(event))); });
  for (const done of ["pointerup", "pointercancel"]) dots.addEventListener(done, () => { held = false; });

  function drawDots(threshold, [group, answer], look) {
    const ctx = surface(dots, groups.length * ROW + FOOT, look), bottom = groups.length * ROW;
    hatch(ctx, across_(0), 0, across_(threshold) - across_(0), bottom, look);
    ctx.textAlign = "right";
    groups.forEach(({ name, answers }, g) => {
      ctx.fillStyle = look.ink;
      ctx.fillText(name, LEFT - 4, g * ROW + ROW / 2, LEFT - 6);
      ctx.lineWidth = 1.5;
      answers.forEach(([confidence, right], i) => {
        const x = across_(confidence), y = height(g, i);
        ctx.strokeStyle = right ? look.minusInk : look.wrong;
        ctx.beginPath();
        if (right) ctx.arc(x, y, 4, 0, 7);
        else { ctx.moveTo(x - 3.5, y - 3.5); ctx.lineTo(x + 3.5, y + 3.5); ctx.moveTo(x - 3.5, y + 3.5); ctx.lineTo(x + 3.5, y - 3.5); }
        ctx.stroke();
        if (g === group && i === answer) frame(ctx, x - 6, y - 6, 12, 12);
      });
    });
    ctx.fillStyle = look.ink;
    ctx.fillRect(across_(threshold) - 1.5, 0, 3, bottom);
    ctx.textAlign = "center";
    for (const x of [0, 0.25, 0.5, 0.75, 1]) ctx.fillText(x, across_(x), bottom + 12);
  }

  function drawShares(counts, look) {
    const ctx = surface(shares, groups.length * ROW + FOOT, look), width = shares.clientWidth - LEFT - 14;
    groups.forEach(({ name, answers }, g) => {
      const y = g * ROW + ROW / 4, tall = ROW / 2;
      ctx.textAlign = "right";
      ctx.fillStyle = look.ink;
      ctx.fillText(name, LEFT - 4, y + tall / 2, LEFT - 6);
      let x = LEFT;
      for (const [what, colour] of [["right", look.minusInk], ["wrong", look.wrong], ["withheld", look.soft]]) {
        const count = counts[g][what], wide = (width * count) / answers.length;
        ctx.fillStyle = colour;
        ctx.fillRect(x, y, wide, tall);
        if (what === "wrong") for (let at = x + 4; at < x + wide; at += 7) { ctx.fillStyle = look.back; ctx.fillRect(at, y, 1.5, tall); }
        ctx.strokeStyle = look.line;
        ctx.lineWidth = 1;
        ctx.strokeRect(x, y, wide, tall);
        if (wide > 26) {
          ctx.textAlign = "center";
          ctx.fillStyle = colour;
          ctx.fillRect(x + wide / 2 - 12, y + tall / 2 - 9, 24, 18);
          ctx.fillStyle = inkOn(rgb(colour));
          ctx.font = `bold ${look.small}`;
          ctx.fillText(count, x + wide / 2, y + tall / 2);
          ctx.font = look.small;
        }
        if (g === 0 && wide > 50) { ctx.fillStyle = look.quiet; ctx.textAlign = "center"; ctx.fillText(what, x + wide / 2, y - 9); }
        x += wide;
      }
    });
    ctx.fillStyle = look.quiet;
    ctx.textAlign = "center";
    for (const share of [0, 50, 100]) ctx.fillText(`${share} %`, LEFT + (width * share) / 100 - (share === 100 ? 10 : 0), groups.length * ROW + 12);
  }

  const { later, end } = keepDrawn(root, model, ["threshold", "chosen"], (look) => {
    const threshold = model.get("threshold"), chosen = model.get("chosen");
    const counts = groups.map(({ answers }) => {
      const found = { right: 0, wrong: 0, withheld: 0 };
      for (const [confidence, right] of answers) found[confidence < threshold ? "withheld" : right ? "right" : "wrong"]++;
      return found;
    });
    follow(threshold);
    drawDots(threshold, chosen, look);
    drawShares(counts, look);
    const all = groups.map(({ name }, g) => `${name}: ${counts[g].right} right, ${counts[g].wrong} wrong, ${counts[g].withheld} withheld`);
    const [confidence, right, told] = chosen.length ? groups[chosen[0]].answers[chosen[1]] : [];
    const one = chosen.length ? `\n${told} ${confidence.toFixed(2)} sure, ${right ? "right" : "wrong"}, ${confidence < threshold ? "withheld" : "given"}.` : "";
    say(`At a threshold of ${threshold.toFixed(2)}: ${all.join("; ")}.${one}`);
  });
  return end;
}
