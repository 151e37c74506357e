"use strict";
// The class table: a search box, sorting by a column, and a button that shows all rows. Without this script, the browser shows all
// rows, sorted by name.
const table = document.getElementById("class");
const body = table.tBodies[0];
const rows = [...body.rows];
const box = document.getElementById("search");
const all = document.getElementById("all");
let most = Number(table.dataset.shown);

function show() {
  const wanted = box.value.trim().toLowerCase();
  let found = 0;
  for (const row of rows) {
    const fits = row.cells[0].textContent.toLowerCase().includes(wanted);
    row.hidden = !fits || found >= most;
    found += fits;
  }
  all.hidden = found <= most;
  document.getElementById("found").textContent = `${found} of ${rows.length}${all.hidden ? "" : `, the first ${most} are shown`}`;
}

// Students without a mark come last in both directions.
function sortBy(column, sign) {
  const text = new Map(rows.map((row) => [row, row.cells[column].textContent]));
  const mark = (row) => { const value = parseFloat(text.get(row)); return Number.isNaN(value) ? sign * Infinity : value; };
  const byText = (a, b) => (text.get(a) < text.get(b) ? -sign : sign);
  const byMark = (a, b) => sign * (mark(a) < mark(b) ? -1 : Number(mark(a) > mark(b)));
  body.append(...rows.sort(column ? byMark : byText));
  show();
}

[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const each of head.parentElement.cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    sortBy(column, up ? 1 : -1);
  });
});
box.addEventListener("input", show);
all.addEventListener("click", () => { most = Infinity; show(); });
show();
document.getElementById("searching").hidden = false;
