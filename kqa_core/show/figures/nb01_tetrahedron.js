// Four keys in space as a solid that turns. You look from the tip of the query, so the corner nearest to you has the largest logit.
// After kit.js and nb01_bars.js.
//
// State (synchronised with Python): turn ([azimuth, elevation] in degrees), beta (the query's length), given: keys (4 × 3), colours.

const STEP = 5; // degrees, one press of an arrow key
const around = (degrees) => ((Math.round(degrees) % 360) + 360) % 360;

// Where we look from, and what is to the right and up from there: three unit vectors.
function view([azimuth, elevation]) {
  const a = (azimuth * Math.PI) / 180, e = (elevation * Math.PI) / 180;
  return { toward: [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)], right: [-Math.sin(a), Math.cos(a), 0],
    up: [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)] };
}

function render({ model, el }) {
  const { keys, colours } = model.get("given"), longest = Math.max(...keys.map((key) => Math.hypot(...key)));
  const { root, say } = begin(el, "solid", "Four keys in space", 2);
  const put = (name, value) => { model.set(name, value); model.save_changes(); later(); };
  const turn = (azimuth, elevation) => put("turn", [around(azimuth), Math.round(clamp(elevation, -90, 90))]);
  const parts = node("div", root, { class: "kqa-row kqa-top" });
  const left = node("figure", parts, { class: "kqa-square" }), right = node("div", parts, { class: "kqa-wide" });
  const add = (parent, caption, attributes) => {
    node("figcaption", parent, {}, caption);
    return node("canvas", parent, attributes);
  };
  const solid = add(left, "The four keys, seen from the tip of the query: the corner nearest to you has the largest logit. The small + is the origin. Drag to turn.", { role: "application",
    "aria-label": "Four keys as a solid. Arrow keys turn it, and with it the query." });
  solid.dataset.part = "solid";
  Object.assign(solid.style, { touchAction: "none", cursor: "grab" });
  const bars = add(node("figure", right), "Logits and weights of the query of length β that points toward you", { role: "img",
    "aria-label": "Logits and weights; the sentence on top says them" });
  const bar = node("div", right, { class: "kqa-row" });
  const follow = number(bar, "β", { min: 0, max: 20, step: 0.5 }, (value) => put("beta", value));
  keys.forEach((key, n) => button(bar, `q along k${digit(n)}`, () => {
    turn((Math.atan2(key[1], key[0]) * 180) / Math.PI, (Math.asin(key[2] / (Math.hypot(...key) || 1)) * 180) / Math.PI);
  }));
  let turning = 0;
  const going = button(bar, "turn", () => { turning ? stop() : (turning = requestAnimationFrame(go)); going.textContent = turning ? "stop" : "turn"; });
  const stop = () => { cancelAnimationFrame(turning); turning = 0; going.textContent = "turn"; model.save_changes(); later(); };
  const go = () => {
    const [azimuth, elevation] = model.get("turn");
    model.set("turn", [(azimuth + 1) % 360, elevation]);
    later();
    turning = requestAnimationFrame(go);
  };
  node("p", right, { class: "kqa-quiet" }, "On the keyboard: arrows turn the solid, and with it the query, by 5 degrees.");

  takeKeys(solid, (event) => {
    const dx = across(event), dy = down(event), [azimuth, elevation] = model.get("turn");
    if (!dx && !dy) return false;
    turn(Math.abs(dx) > 1 ? 0 : azimuth - dx * STEP, elevation - dy * STEP);
    return true;
  });
  let held = null;
  solid.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX, y: event.clientY, from: model.get("turn") };
    solid.setPointerCapture(event.pointerId);
    if (turning) stop();
  });
  solid.addEventListener("pointermove", (event) => { if (held) turn(held.from[0] - (event.clientX - held.x) / 2, held.from[1] + (event.clientY - held.y) / 2); });
  for (const done of ["pointerup", "pointercancel"]) solid.addEventListener(done, () => { held = null; });

  function drawSolid(seen, look) {
    const size = Math.round(solid.clientWidth), ctx = surface(solid, size, look), scale = (0.46 * size) / longest;
    const flat = (point) => [size / 2 + scale * dot(point, seen.right), size / 2 - scale * dot(point, seen.up)];
    const depth = keys.map((key) => dot(key, seen.toward)), nearest = [0, 1, 2, 3].sort((a, b) => depth[a] - depth[b]); // far to near
    ctx.fillStyle = look.soft;
    ctx.fillRect(0, 0, size, size);
    for (const left of nearest.slice().reverse()) { // without the nearest corner a face is far, without the farthest one near
      const corners = [0, 1, 2, 3].filter((n) => n !== left), mixed = [0, 1, 2].map((c) => corners.reduce((sum, n) => sum + rgb(colours[n])[c] / 3, 0));
      ctx.globalAlpha = 0.25;
      ctx.fillStyle = `rgb(${mixed})`;
      ctx.beginPath();
      corners.forEach((n) => ctx.lineTo(...flat(keys[n])));
      ctx.fill();
    }
    const low = depth[nearest[0]], span = depth[nearest[3]] - low || 1;
    for (let i = 0; i < 4; i++) for (let j = 0; j < i; j++) {
      const near = ((depth[nearest[i]] + depth[nearest[j]]) / 2 - low) / span;
      ctx.globalAlpha = 0.35 + 0.65 * near;
      Object.assign(ctx, { strokeStyle: look.ink, lineWidth: 1 + 2 * near });
      ctx.beginPath();
      ctx.moveTo(...flat(keys[nearest[i]]));
      ctx.lineTo(...flat(keys[nearest[j]]));
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    const [x0, y0] = flat([0, 0, 0]); // the origin
    ctx.fillStyle = look.quiet;
    ctx.fillRect(x0 - 5, y0 - 0.5, 10, 1);
    ctx.fillRect(x0 - 0.5, y0 - 5, 1, 10);
    for (const n of nearest) {
      const [x, y] = flat(keys[n]), near = (depth[n] - low) / span, radius = 6 + 7 * near;
      Object.assign(ctx, { fillStyle: colours[n], strokeStyle: look.ink, lineWidth: 1.5 });
      ctx.beginPath();
      ctx.arc(x, y, radius, 0, 7);
      ctx.fill();
      ctx.stroke();
      if (n === nearest[3]) { // a second ring: the nearest
        ctx.beginPath();
        ctx.arc(x, y, radius + 4, 0, 7);
        ctx.stroke();
      }
      haloed(ctx, `k${digit(n)}`, clamp(x, 14, size - 14), Math.max(y - radius - 13, 10), look);
    }
  }

  const { later, end } = keepDrawn(root, model, ["turn", "beta"], (look) => {
    const seen = view(model.get("turn")), beta = model.get("beta"), found = attend(keys, seen.toward.map((x) => beta * x));
    follow(beta);
    drawSolid(seen, look);
    drawBars(bars, found, colours, look);
    if (turning) return; // a screen reader hears where it stops
    say(`You look from the tip of the query q = ${beta.toFixed(1)}·${list(seen.toward)}. Its weights are ${list(found.weights)}: ${largest(found.weights)}.`);
  });
  return () => { cancelAnimationFrame(turning); end(); };
}
