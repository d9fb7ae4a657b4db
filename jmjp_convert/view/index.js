"use strict";
// The list of games: sorts by column and filters by player, place, rules and date. The rows are already in the page.

const body = document.querySelector("#games tbody");
const rows = [...body.rows].map((row) => ({
  row,
  date: row.dataset.date,
  rule: row.cells[1].textContent,
  players: [...row.querySelectorAll("li")].map((one) => one.querySelector("b").textContent.toLowerCase()),
  keys: [row.dataset.date, row.cells[1].textContent, row.cells[2].textContent, Number(row.cells[3].textContent)],
}));
const field = (id) => document.getElementById(id);

for (const rule of [...new Set(rows.map((one) => one.rule))].filter(Boolean).sort()) {
  const option = document.createElement("option");
  option.textContent = rule;
  field("rule").append(option);
}

/** Whether a game matches the filters. Name and place must match the same player. */
function wanted({ date, rule, players }) {
  const name = field("player").value.trim().toLowerCase();
  const place = Number(field("place").value);
  const isMeant = (player, index) => player.includes(name) && (!place || index + 1 === place);
  return (
    ((!name && !place) || players.some(isMeant))
    && (!field("rule").value || rule === field("rule").value)
    && (!field("from").value || date >= field("from").value)
    && (!field("to").value || (date !== "" && date <= field("to").value))
  );
}

function filter() {
  let count = 0;
  for (const one of rows) {
    one.row.hidden = !wanted(one);
    count += one.row.hidden ? 0 : 1;
  }
  field("shown").textContent = `${count} / ${rows.length}`;
}

for (const [index, head] of [...document.querySelectorAll("#games thead th")].entries()) {
  head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentElement.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const compare = (one, other) => (one.keys[index] < other.keys[index] ? -1 : one.keys[index] > other.keys[index] ? 1 : 0);
    rows.sort((one, other) => (down ? compare(other, one) : compare(one, other)));
    body.append(...rows.map(({ row }) => row));
  });
}

const root = document.documentElement;
const stored = () => { try { return localStorage.getItem("jmjp-theme"); } catch { return null; } };
root.dataset.theme = stored() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
field("theme").addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("jmjp-theme", root.dataset.theme); } catch { /* no storage: not remembered */ }
});

field("filters").addEventListener("input", filter);
field("filters").addEventListener("submit", (event) => event.preventDefault());
filter();
