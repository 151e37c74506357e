// A figure that was drawn beforehand for a grid of settings, in an exported page: the sliders turn its leaves. After kit.js.
//
// State: controls (name and texts of its settings), frames (PNG in base64 and sentence, the last control running fastest), and
// at (which setting of each control is shown).

function render({ model, el }) {
  const controls = model.get("controls"), frames = model.get("frames");
  const { root, say } = begin(el, "flipbook", "Figure with sliders", 2);
  const bar = node("div", root, { class: "kqa-row" });
  const inputs = controls.map(({ name, settings }, which) => {
    const row = node("label", bar, { class: "kqa-number" }, name);
    const input = node("input", row, { type: "range", min: 0, max: settings.length - 1, step: 1 });
    const value = node("output", row, {});
    takeKeys(input, () => false); // the arrows are the slider's own
    input.addEventListener("input", () => model.set("at", model.get("at").map((old, each) => (each === which ? Number(input.value) : old))));
    return { input, value };
  });
  const picture = node("img", root, { class: "kqa-leaf" });
  node("p", root, { class: "kqa-quiet" }, "Drawn beforehand, in steps. In the notebook every value in between can be had.");
  const { end } = keepDrawn(root, model, ["at"], () => {
    const at = model.get("at"), leaf = at.reduce((sum, place, which) => sum * controls[which].settings.length + place, 0);
    inputs.forEach(({ input, value }, which) => {
      input.value = at[which];
      value.textContent = controls[which].settings[at[which]];
      input.setAttribute("aria-valuetext", value.textContent);
    });
    const [png, sentence] = frames[leaf];
    picture.src = `data:image/png;base64,${png}`;
    picture.alt = sentence;
    say(sentence);
  });
  return end;
}
