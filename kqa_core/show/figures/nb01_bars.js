// What both pictures of keys share: logits, weights and their bars. After kit.js.

const digit = (n) => "₀₁₂₃₄₅₆₇₈₉"[n];
const list = (numbers) => `(${numbers.map(fixed).join(", ")})`;
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function attend(keys, query) {
  const logits = keys.map((key) => dot(key, query)), top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top)), sum = powers.reduce((a, b) => a + b);
  return { logits, weights: powers.map((power) => power / sum) };
}

// Which keys share the largest weight: “k₀ gets the largest weight”, “k₀ and k₁ share the largest weight”.
function largest(weights) {
  const top = Math.max(...weights), names = weights.flatMap((weight, n) => (weight > top - 0.005 ? [`k${digit(n)}`] : []));
  return names.length === 1 ? `${names[0]} gets the largest weight` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} share the largest weight`;
}

// A row for each key: name, logit, and the weight as a bar from 0 to 1 with its number.
function drawBars(canvas, { logits, weights }, colours, look) {
  const row = 34, top = 24, ctx = surface(canvas, top + row * weights.length + 8, look), left = 96, width = canvas.clientWidth - left - 46;
  const put = (text, x, y, align, colour = look.ink, font = look.small) => {
    Object.assign(ctx, { font, fillStyle: colour, textAlign: align });
    ctx.fillText(text, x, y);
  };
  put("logit", 84, 10, "right", look.quiet);
  put("weight", left, 10, "left", look.quiet);
  weights.forEach((weight, n) => {
    const y = top + n * row, most = weight > Math.max(...weights) - 0.005;
    put(`k${digit(n)}`, 4, y + row / 2, "left", look.ink, `bold ${look.small}`);
    put(fixed(logits[n]), 84, y + row / 2, "right", look.ink, look.mono);
    ctx.fillStyle = look.soft;
    ctx.fillRect(left, y + 6, width, row - 12);
    ctx.fillStyle = colours[n];
    ctx.fillRect(left, y + 6, width * weight, row - 12);
    put(fixed(weight), left + width + 42, y + row / 2, "right", look.ink, most ? `bold ${look.mono}` : look.mono);
  });
}

// Text that is seen on any ground.
function haloed(ctx, text, x, y, look, font = `bold ${look.small}`) {
  Object.assign(ctx, { font, textAlign: "center", lineJoin: "round", lineWidth: 4, strokeStyle: look.back, fillStyle: look.ink });
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

// An arrow of this colour and width; `rim` is the colour around its line.
function drawArrow(ctx, [x0, y0], [x1, y1], colour, width, rim) {
  const far = Math.hypot(x1 - x0, y1 - y0), head = Math.min(4 + 3 * width, far), [dx, dy] = [(x1 - x0) / (far || 1), (y1 - y0) / (far || 1)];
  for (const [strokeStyle, lineWidth] of [[rim, width + 3], [colour, width]].slice(rim ? 0 : 1)) {
    Object.assign(ctx, { strokeStyle, lineWidth, fillStyle: colour, lineCap: "butt" });
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1 - 0.7 * head * dx, y1 - 0.7 * head * dy);
    ctx.stroke();
  }
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x1 - head * dx - 0.45 * head * dy, y1 - head * dy + 0.45 * head * dx);
  ctx.lineTo(x1 - head * dx + 0.45 * head * dy, y1 - head * dy - 0.45 * head * dx);
  ctx.fill();
}
