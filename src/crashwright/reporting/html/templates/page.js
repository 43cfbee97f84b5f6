
"use strict";
// Buttons that copy a text of the page: hidden where there is no script.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  const told = document.querySelector(`[data-copied="${button.dataset.copy}"]`);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const lines = Array.from(source.querySelectorAll(".line"), (line) => line.textContent);
    try {
      await navigator.clipboard.writeText(lines.join(""));
      told.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(source);
      told.textContent = "Selected: copy it with the keyboard.";
    }
  });
}
// What is folded away is printed too.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details:not([open])")) {
    part.open = true;
    part.dataset.printed = "";
  }
});
addEventListener("afterprint", () => {
  for (const part of document.querySelectorAll("details[data-printed]")) {
    part.open = false;
    delete part.dataset.printed;
  }
});
// From one branch that no test takes to the next.
for (const walk of document.querySelectorAll("[data-walk]")) {
  const stops = Array.from(document.getElementById(walk.dataset.walk).querySelectorAll("details.open, details.part"));
  walk.hidden = stops.length === 0;
  let at = -1;
  walk.addEventListener("click", (event) => {
    const step = Number(event.target.dataset?.step ?? 0);
    if (!step || !stops.length) return;
    at = at < 0 ? (step > 0 ? 0 : stops.length - 1) : (at + step + stops.length) % stops.length;
    stops[at].open = true;
    stops[at].scrollIntoView({ block: "center" });
    stops[at].querySelector("summary").focus({ preventScroll: true });
  });
}
