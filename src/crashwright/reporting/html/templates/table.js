// The rows are data; as many as fit a page are elements. Texts become text nodes and nothing else.
const { kinds, rows, shown, bases } = JSON.parse(document.getElementById("data").textContent);
const body = document.querySelector("#table tbody");
const heads = Array.from(document.querySelectorAll("#table thead th"));
const count = document.getElementById("count");
const filter = document.getElementById("filter");
const choices = Array.from(document.querySelectorAll("select[data-column]"));
const number = new Intl.NumberFormat("en");
const compare = new Intl.Collator("en", { numeric: true }).compare;
const everything = rows.map((_, index) => index);
let texts = null;
let order = everything;
let found = order;
let page = 0;
let sorted = { column: -1, down: false };

const names = heads.map((head) => head.textContent);

// Paths and dotted names are broken after what joins their parts.
const pathOf = (text) => text.split(/(?<=[/_.-])/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));

const shownText = (cell) => (cell === null ? "" : typeof cell === "number" ? number.format(cell) : String(cell));

const cellOf = (cell, place) => {
  const kind = kinds[place];
  const made = document.createElement("td");
  made.className = kind;
  made.setAttribute("role", "cell");
  made.dataset.head = names[place];
  if (bases[place] && cell) {
    const link = document.createElement("a");
    link.href = bases[place] + cell.split("/").map(encodeURIComponent).join("/");
    link.append(...pathOf(cell));
    made.append(link);
  } else if ((kind === "file" || kind === "text") && typeof cell === "string") {
    made.append(...pathOf(cell));
  } else if (kind === "long" && cell) {
    const folded = document.createElement("details");
    const summary = document.createElement("summary");
    const text = document.createElement("pre");
    summary.textContent = "Show";
    text.textContent = cell;
    folded.append(summary, text);
    made.append(folded);
  } else {
    made.textContent = shownText(cell);
  }
  return made;
};

const draw = (most = shown) => {
  const last = Math.max(0, Math.ceil(found.length / shown) - 1);
  page = Math.min(Math.max(page, 0), last);
  const start = most === shown ? page * shown : 0;
  const part = found.slice(start, start + most);
  body.replaceChildren(
    ...part.map((index) => {
      const row = document.createElement("tr");
      row.setAttribute("role", "row");
      row.append(...rows[index].map(cellOf));
      return row;
    }),
  );
  const of = found.length === rows.length ? number.format(rows.length) : `${number.format(found.length)}, of ${number.format(rows.length)} in all`;
  count.textContent = part.length ? `Rows ${number.format(start + 1)} to ${number.format(start + part.length)} of ${of}` : `No rows, of ${number.format(rows.length)} in all`;
  for (const button of document.querySelectorAll("button[data-go]")) {
    const back = button.dataset.go === "first" || button.dataset.go === "previous";
    // Not disabled: the focus would be lost on the way.
    button.setAttribute("aria-disabled", String(back ? page === 0 : page === last));
  }
};

const sift = () => {
  texts ??= rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))).join("\n").toLowerCase());
  const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = choices.filter((one) => one.selectedIndex > 0).map((one) => [Number(one.dataset.column), one.value]);
  found = order.filter(
    (index) =>
      wanted.every((word) => texts[index].includes(word)) &&
      chosen.every(([column, value]) => String(rows[index][column] ?? "") === value),
  );
  page = 0;
  draw();
};

// What is chosen is kept in the address, so that a link shows the same rows.
const keep = () => {
  const chosen = new URLSearchParams();
  if (filter.value) chosen.set("rows", filter.value);
  for (const one of choices) if (one.selectedIndex > 0) chosen.set(`column-${one.dataset.column}`, one.value);
  if (sorted.column >= 0) chosen.set(sorted.down ? "down" : "up", String(sorted.column));
  const text = chosen.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
};

const restore = () => {
  const chosen = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  filter.value = chosen.get("rows") ?? "";
  for (const one of choices) {
    const wanted = chosen.get(`column-${one.dataset.column}`);
    one.selectedIndex = Math.max(0, Array.from(one.options).findIndex((option, at) => at && option.value === wanted));
  }
  const column = Number(chosen.get("down") ?? chosen.get("up") ?? -1);
  if (heads[column]) arrange(column, chosen.has("down"));
  sift();
};

const sortBy = (column) => {
  arrange(column, sorted.column === column && !sorted.down);
  sift();
  keep();
};

const arrange = (column, down) => {
  sorted = { column, down };
  const sign = sorted.down ? -1 : 1;
  const value = (index) => rows[index][column];
  const numeric = kinds[column] === "number";
  order = everything.slice().sort((one, other) => {
    const [left, right] = [value(one), value(other)];
    if (left === null || right === null) return (left === null) - (right === null) || one - other; // what is not known comes last
    return sign * (numeric ? left - right : compare(left, right)) || one - other;
  });
  heads.forEach((head, place) => head.setAttribute("aria-sort", place === column ? (sorted.down ? "descending" : "ascending") : "none"));
};

heads.forEach((head, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  button.addEventListener("click", () => sortBy(column));
  head.replaceChildren(button);
  head.setAttribute("aria-sort", "none");
});
const changed = () => {
  sift();
  keep();
};
let waiting = 0;
filter.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(changed, 120);
});
for (const one of choices) one.addEventListener("change", changed);
const steps = { first: () => 0, previous: () => page - 1, next: () => page + 1, last: () => Infinity };
for (const button of document.querySelectorAll("button[data-go]")) {
  button.addEventListener("click", () => {
    page = steps[button.dataset.go]();
    draw();
  });
}
for (const part of document.querySelectorAll("[data-controls]")) part.hidden = false;
// On paper there is no next page to go to.
addEventListener("beforeprint", () => draw(5000));
addEventListener("afterprint", () => draw());
// An anchor of the page (#notes) chooses nothing.
addEventListener("hashchange", () => location.hash.includes("=") && restore());
restore();
