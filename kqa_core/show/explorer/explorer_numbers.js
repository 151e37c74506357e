// The explorer's numbers: every stage of every head, and the picture of a table.

const STAGES = ["dot product", "scale", "mask", "softmax"];
const bytes = (view) => view && new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const floats = (view) => view && new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

// The numbers of one model: every stage of every head, computed when first asked for.
class Attention {
  constructor(pane, T) {
    Object.assign(this, pane, { T, kept: new Map() });
    for (const name of ["weights", "allowed"]) this[name] = bytes(pane[name]);
    for (const name of ["query", "key", "bias", "sums", "received", "spread"]) this[name] = floats(pane[name]);
  }
  may(l, i, j) { return this.allowed[(l * this.T + i) * this.T + j] > 0; }
  weight(l, h, i, j) { return this.weights[((l * this.heads + h) * this.T + i) * this.T + j] / 255; }
  channel(table, l, h, i, c) { return table[((l * this.heads + h) * this.T + i) * this.channels + c]; }
  dot(l, h, i, j) {
    let sum = 0;
    for (let c = 0; c < this.channels; c++) sum += this.channel(this.query, l, h, i, c) * this.channel(this.key, l, h, j, c);
    return sum;
  }
  value(stage, l, h, i, j) {
    if (stage === 3) return this.weight(l, h, i, j);
    if (stage === 2 && !this.may(l, i, j)) return -Infinity;
    const added = stage === 2 && this.bias ? this.bias[((l * this.heads + h) * this.T + i) * this.T + j] : 0;
    return this.dot(l, h, i, j) * (stage ? this.scale[l] : 1) + added;
  }
  // A whole table (T × T, row by row) and the largest size of a finite number in it.
  table(stage, l, h) {
    const name = [stage, l, h].join();
    if (!this.kept.has(name)) {
      if (this.kept.size > 40) this.kept.clear();
      const { T } = this, numbers = new Float32Array(T * T);
      let most = 0;
      for (let i = 0, at = 0; i < T; i++) for (let j = 0; j < T; j++, at++) {
        numbers[at] = this.value(stage, l, h, i, j);
        if (numbers[at] > -Infinity) most = Math.max(most, Math.abs(numbers[at]));
      }
      this.kept.set(name, { numbers, most });
    }
    return this.kept.get(name);
  }
  row(l, h, i) { return Array.from({ length: this.T }, (_, j) => this.weight(l, h, i, j)); }
  // T numbers of one head, in full precision: row sums, column sums (received), or over how many tokens each row spreads.
  margin(name, l, h) { return this[name].subarray((l * this.heads + h) * this.T, (l * this.heads + h + 1) * this.T); }
}

// One table of weights from elsewhere, which has no place in a model: it is called by its name.
const isAlone = ({ layers, heads, query }) => layers * heads === 1 && !query;
const placeOf = (attention, l, h) => (isAlone(attention) ? attention.name : `Layer ${l}, head ${h}`);

// A picture of side pixels: one pixel per number, or where there are more numbers the largest of each block, so that a single sharp
// weight is still seen in a thumbnail. Masked places stay clear.
function picture(attention, stage, l, h, side, look) {
  const { T } = attention, { numbers, most } = attention.table(stage, l, h);
  const n = Math.min(side, T), made = document.createElement("canvas");
  made.width = made.height = n;
  const image = new ImageData(n, n);
  for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
    let best = NaN;
    for (let i = Math.floor(y * T / n); i < Math.floor((y + 1) * T / n); i++)
      for (let j = Math.floor(x * T / n); j < Math.floor((x + 1) * T / n); j++) {
        const number = numbers[i * T + j];
        if ((stage < 2 || attention.may(l, i, j)) && !(Math.abs(number) <= Math.abs(best))) best = number;
      }
    if (Number.isNaN(best)) continue;
    const end = best < 0 ? look.minus : look.plus, share = most ? Math.abs(best) / most : 0;
    const colour = stage === 3 ? cividis(best) : look.paper.map((from, c) => from + share * (end[c] - from));
    image.data.set([...colour, 255], 4 * (y * n + x));
  }
  made.getContext("2d").putImageData(image, 0, 0);
  return made;
}
