"use strict";
// A grader's page: adds up the ticked points, keeps everything in the browser, and makes the file that goes back.
const page = document.getElementById("marking");
const { notebook, grader } = page.dataset;
const shelf = `kqa-marking:${notebook}:${grader}`;
const answers = [...page.querySelectorAll(".answer")];
const ticksOf = (answer) => [...answer.querySelectorAll(".tick")];
const doneOf = (answer) => answer.querySelector(".done");
const commentOf = (answer) => answer.querySelector("textarea");

function state(answer) {
  const ticked = ticksOf(answer).flatMap((box, place) => (box.checked ? [place] : []));
  return { ticked, comment: commentOf(answer).value, digest: answer.dataset.digest };
}

function show() {
  for (const answer of answers) {
    const sum = ticksOf(answer).reduce((total, box) => total + (box.checked ? Number(box.dataset.points) : 0), 0);
    const most = Number(answer.dataset.most);
    answer.querySelector(".points").textContent = `${Math.min(sum, most)} of ${most}`;
  }
  const done = answers.filter((answer) => doneOf(answer).checked).length;
  document.getElementById("state").textContent = `${done} of ${answers.length} answers marked`;
}

function remember() {
  const kept = answers.map((answer) => [answer.dataset.code, { ...state(answer), done: doneOf(answer).checked }]);
  try { localStorage.setItem(shelf, JSON.stringify(Object.fromEntries(kept))); } catch { /* a browser that keeps nothing */ }
}

function recall() {
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(shelf) ?? "{}"); } catch { /* nothing is kept */ }
  for (const answer of answers) {
    const before = kept[answer.dataset.code];
    if (before?.digest !== answer.dataset.digest) continue; // the answer has changed since
    ticksOf(answer).forEach((box, place) => { box.checked = before.ticked.includes(place); });
    commentOf(answer).value = before.comment;
    doneOf(answer).checked = before.done;
  }
}

// The comments on the same question: those that were there, then those that are written on this page.
function earlier(exercise) {
  const there = [...page.querySelectorAll(".comments")].find((list) => list.dataset.exercise === exercise);
  const here = answers.filter((answer) => answer.dataset.exercise === exercise).map((answer) => commentOf(answer).value.trim());
  return new Set([...[...there.children].map((item) => item.textContent), ...here.filter(Boolean)]);
}

function offer(select) {
  const comments = [...earlier(select.closest(".answer").dataset.exercise)];
  select.replaceChildren(...["", ...comments].map((text) => new Option(text.length > 90 ? `${text.slice(0, 89)}…` : text, text)));
}

function reuse(select) {
  const comment = commentOf(select.closest(".answer"));
  if (select.value) comment.value = [comment.value.trim(), select.value].filter(Boolean).join("\n");
  comment.dispatchEvent(new Event("input", { bubbles: true }));
  offer(select);
}

page.addEventListener("focusin", (event) => { if (event.target.classList.contains("earlier")) offer(event.target); });
page.addEventListener("change", (event) => { if (event.target.classList.contains("earlier")) reuse(event.target); });
page.addEventListener("input", (event) => {
  if (event.target.classList.contains("tick")) doneOf(event.target.closest(".answer")).checked = true;
  remember();
  show();
});
document.getElementById("save").addEventListener("click", () => {
  const marked = answers.filter((answer) => doneOf(answer).checked).map((answer) => [answer.dataset.code, state(answer)]);
  const text = JSON.stringify({ notebook, grader, answers: Object.fromEntries(marked) }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `${notebook}_${grader}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
});
recall();
show();
