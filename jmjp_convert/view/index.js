"use strict";
// The list of games: sorts by column and filters by player, place, rules and date. The rows are already in the page, with
// what differs between the languages in both. The address holds filters and order, so that Back comes to the same list.

const field = (id) => document.getElementById(id);
const root = document.documentElement;
const FILTERS = ["player", "place", "rule", "from", "to"];

/** The text of `cell` in the page's language. */
function textOf(cell) {
  return (cell.querySelector(`[lang="${root.lang}"]`) ?? cell).textContent;
}

const body = document.querySelector("#games tbody");
const heads = [...document.querySelectorAll("#games thead th")];
const rows = [...body.rows].map((row) => ({
  row,
  date: row.dataset.date,
  rule: row.cells[1].textContent, // in both languages
  players: [...row.querySelectorAll("b")].map((one) => one.textContent.toLowerCase()),
}));

// --- filters -------------------------------------------------------------------------------------------------------------

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

/** Fill in the rules to choose from, in the page's language. */
function offerRules() {
  const chosen = field("rule").value;
  const texts = new Map(rows.map(({ rule, row }) => [rule, textOf(row.cells[1])]));
  texts.delete("");
  const options = [...texts].sort(([, one], [, other]) => collator().compare(one, other)).map(([rule, text]) => new Option(text, rule));
  field("rule").replaceChildren(new Option("–", ""), ...options);
  field("rule").value = chosen;
}

// --- order ---------------------------------------------------------------------------------------------------------------

const collator = () => new Intl.Collator(root.lang, { numeric: true, sensitivity: "base" });

/** What each column sorts by. Players sort by their names, the winner first. */
const KEYS = [
  ({ date, row }) => date && `${date} ${row.cells[0].textContent}`,
  ({ row }) => textOf(row.cells[1]),
  ({ row }) => [...row.querySelectorAll("b")].map(textOf).join("\n"),
  ({ row }) => row.cells[3].textContent,
];

/** Sort by `column`, down or up; games without a value there, such as a date, are last in either order. */
function sort(column, down) {
  const { compare } = collator();
  const keyed = rows.map((one) => [KEYS[column](one), one]);
  keyed.sort(([one], [other]) => (!one || !other ? Number(!one) - Number(!other) : down ? compare(other, one) : compare(one, other)));
  rows.splice(0, rows.length, ...keyed.map(([, one]) => one));
  body.append(...rows.map(({ row }) => row));
  for (const [index, head] of heads.entries()) head.setAttribute("aria-sort", index !== column ? "none" : down ? "descending" : "ascending");
}

// --- the address -----------------------------------------------------------------------------------------------------------

function writeAddress() {
  const said = new URLSearchParams(FILTERS.map((id) => [id, field(id).value]).filter(([, value]) => value));
  const sorted = heads.findIndex((head) => head.getAttribute("aria-sort") !== "none");
  if (sorted >= 0) said.set("sort", (heads[sorted].getAttribute("aria-sort") === "descending" ? "-" : "") + (sorted + 1));
  try { history.replaceState(null, "", said.size ? `#${said}` : location.pathname); } catch { /* embedded */ }
}

function follow() {
  const said = new URLSearchParams(location.hash.slice(1));
  for (const id of FILTERS) field(id).value = said.get(id) ?? "";
  const column = Math.abs(Number(said.get("sort"))) - 1;
  if (column in heads) sort(column, said.get("sort").startsWith("-"));
  filter();
}

// --- input -------------------------------------------------------------------------------------------------------------------

function speak(lang) {
  root.lang = lang;
  field("language").textContent = lang === "ja" ? "English" : "日本語";
  offerRules();
}

for (const [index, head] of heads.entries()) {
  head.addEventListener("click", () => {
    sort(index, head.getAttribute("aria-sort") === "ascending");
    writeAddress();
  });
}
field("theme").addEventListener("click", () => {
  root.dataset.theme = otherTheme(root.dataset.theme);
});
field("language").addEventListener("click", () => {
  speak(otherLanguage(root.lang));
});
field("filters").addEventListener("input", () => {
  filter();
  writeAddress();
});
field("filters").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", follow);

root.dataset.theme = themeWanted();
speak(languageWanted());
follow();
