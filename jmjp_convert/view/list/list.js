"use strict";
// The list of games: filtered, sorted by column, and drawn a hundred rows at a time. The address holds filters and order, so
// that Back comes to the same list.

const root = document.documentElement;
const FILTERS = ["player", "with", "place", "yaku", "points", "server", "room", "rule", "from", "to"];
const CHOICES = ["yaku", "server", "room", "rule"];
const MORE = 100; // rows
const FIRST = Math.ceil(screen.height / (screen.width < 640 ? 72 : 36)); // rows, which fill the screen
const YAKUMAN = "yakuman";
const SERVERS = { tenhou: ["天鳳", "Tenhou"], "mahjong-soul": ["雀魂", "Mahjong Soul"], "riichi-city": ["麻雀一番街", "Riichi City"] };
const TEXTS = {
  ja: {
    shown: (some, all) => `${some} / ${all}`, loading: "読み込み中…", more: (left) => `さらに表示（残り${left}）`, yakuman: "役満",
    missing: (games) => `${games}局の牌譜を読み込めませんでした。ページを再読み込みしてください。`,
  },
  en: {
    shown: (some, all) => `${some} / ${all}`, loading: "loading…", more: (left) => `Show more (${left} left)`, yakuman: "Any yakuman",
    missing: (games) => `${games} games could not be loaded. Reload the page to try again.`,
  },
};

const body = document.querySelector("#games tbody");
const heads = [...document.querySelectorAll("#games thead th")];
const integer = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ","); // toLocaleString is slow at first
const language = () => LANGUAGES.indexOf(root.lang);
const collator = () => new Intl.Collator(root.lang, { numeric: true, sensitivity: "base" });

const state = {
  order: new Uint32Array(0), // the games, as they are sorted
  found: [], // those that the filters leave
  rows: MORE, // to draw
  drawn: [], // the games that have a row
  complete: false,
  person: "", // the ID in the address; it means the player whose name is in the field
};

// --- filters -------------------------------------------------------------------------------------------------------------

/** For each of `people`, whether a field that holds `text` means them. In quotes, a name is whole. */
function meant(text, id = "") {
  const low = text.trim().toLowerCase();
  const whole = low.length > 2 && low.startsWith('"') && low.endsWith('"') && low.slice(1, -1);
  const isNamed = whole ? (name) => name.toLowerCase() === whole : (name) => name.toLowerCase().includes(low);
  const fits = (one) => (id ? one.id === id : one.names.some(isNamed));
  return low || id ? Uint8Array.from(people.values(), (one) => Number(fits(one))) : null;
}

/** For each of `kinds`, whether it is a win that is wanted; null if any game is. */
function winsMeant() {
  const [yaku, least] = [byId("yaku").value, Number(byId("points").value)];
  if (!yaku && !least) return null;
  listWins();
  const isYaku = (one) => !yaku || (yaku === YAKUMAN ? one & 1 : yakuNames(one >> 1)[1] === yaku);
  return Uint8Array.from(kinds.values(), ({ points, yaku: all }) => Number((!least || points >= least) && (!yaku || all.some(isYaku))));
}

/** For each of `tables`, whether its server, room and rules are wanted. */
function tablesMeant() {
  const wanted = ["server", "room", "rule"].map((id) => byId(id).value);
  if (!wanted.some(Boolean)) return null;
  return Uint8Array.from(tables.values(), ({ server, room, rules }) => Number([server, room?.[1], rules?.[1]].every((value, index) => !wanted[index] || value === wanted[index])));
}

function dateOf(id) {
  return Number(byId(id).value.replaceAll("-", ""));
}

/** The filters as a function of a game. Name, place and win must be those of one player, and the other name another's. */
function wanted() {
  const [named, other] = [meant(byId("player").value, state.person), meant(byId("with").value)];
  const [wins, place, inTable, from, to] = [winsMeant(), Number(byId("place").value) - 1, tablesMeant(), dateOf("from"), dateOf("to")];
  const { players, date, table, firstWin } = columns;
  const won = (game, seat) => {
    for (let win = firstWin[game]; win < firstWin[game + 1]; win += 1) {
      const one = columns.wins[win];
      if (one % SEATS === seat && wins[Math.floor(one / SEATS)]) return true;
    }
    return false;
  };
  const isOne = (game, seat) => players[SEATS * game + seat] >= 0
    && (!named || named[players[SEATS * game + seat]])
    && (place < 0 || seat === place)
    && (!wins || won(game, seat))
    && (!other || isWith(game, seat));
  const isWith = (game, seat) => {
    for (let one = 0; one < SEATS; one += 1) if (one !== seat && other[players[SEATS * game + one]]) return true;
    return false;
  };
  const any = named || other || wins || place >= 0;
  return (game) => (!inTable || inTable[table[game]])
    && date[game] >= from
    && (!to || (date[game] && date[game] <= to))
    && (!any || isOne(game, 0) || isOne(game, 1) || isOne(game, 2) || isOne(game, 3));
}

/** Filter, and draw the first rows, unless they are there. */
function filter(rows = MORE) {
  state.found = state.order.filter(wanted());
  state.rows = MORE;
  if (state.drawn.length > MORE || state.drawn.some((game, index) => game !== state.found[index])) clear();
  draw(rows);
}

/** Fill `select` with `options`, pairs of a value and a text, after "–"; what is chosen stays. */
function offer(id, options) {
  const chosen = byId(id).value || byId(id).dataset.wanted || "";
  byId(id).replaceChildren(new Option("–", ""), ...options.map(([value, text]) => new Option(text, value)));
  byId(id).value = chosen;
  if (byId(id).value !== chosen) byId(id).value = "";
}

/** Fill in what there is to choose from, in the page's language, once it can be seen or is needed. */
function offerAll() {
  if (!byId("more").open && !CHOICES.some((id) => byId(id).dataset.wanted)) return;
  listWins();
  const { compare } = collator();
  const distinct = (pairs) => [...new Map(pairs.filter(Boolean))].sort(([, one], [, other]) => compare(one, other));
  const named = (both) => both && [both[1], both[language()]];
  offer("server", distinct(tables.values().map(({ server }) => server && [server, SERVERS[server][language()]])));
  offer("room", distinct(tables.values().map(({ room }) => named(room))));
  offer("rule", distinct(tables.values().map(({ rules }) => named(rules))));
  const yaku = [...new Set(kinds.values().flatMap((kind) => kind.yaku))].sort((one, other) => one - other);
  const names = new Map(yaku.map((one) => [yakuNames(one >> 1)[1], yakuNames(one >> 1)[language()]]));
  offer("yaku", [...(yaku.some((one) => one & 1) ? [[YAKUMAN, TEXTS[root.lang].yakuman]] : []), ...names]);
}

// --- order ---------------------------------------------------------------------------------------------------------------

/** Where each of `values` comes if they are sorted by `text`. */
function ranks(values, text) {
  const { compare } = collator();
  const ranked = new Uint32Array(values.length);
  const texts = values.map(text);
  for (const [rank, index] of [...texts.keys()].sort((one, other) => compare(texts[one], texts[other])).entries()) ranked[index] = rank;
  return ranked;
}

/** By column, what makes a function that compares two games, given the columns. Players sort by their names, the winner first. */
const COMPARISONS = [
  () => ({ date, time }) => (one, other) => date[one] - date[other] || time[one] - time[other] || other - one,
  () => {
    const rank = ranks(tables.values(), ({ rules }) => rules?.[language()] ?? "");
    return ({ table }) => (one, other) => rank[table[one]] - rank[table[other]];
  },
  () => {
    const rank = ranks(people.values(), ({ names }) => names[language()]);
    return ({ players }) => (one, other) => {
      for (let seat = 0; seat < SEATS; seat += 1) {
        const [first, second] = [players[SEATS * one + seat], players[SEATS * other + seat]];
        if (first !== second) return (first < 0 ? -1 : rank[first]) - (second < 0 ? -1 : rank[second]);
      }
      return 0;
    };
  },
  () => ({ hands }) => (one, other) => hands[one] - hands[other],
];

/** Whether a game has nothing to sort by in a column; those are last in either order. */
const UNKNOWN = [(game) => !columns.date[game], (game) => !tables.value(columns.table[game]).rules, () => false, () => false];

/** How the list is sorted: a column, and whether down. At first, the latest games are first. */
function sorted() {
  const column = heads.findIndex((head) => head.getAttribute("aria-sort") !== "none");
  return column < 0 ? { column: 0, down: true } : { column, down: heads[column].getAttribute("aria-sort") === "descending" };
}

function sort() {
  const { column, down } = sorted();
  const compare = COMPARISONS[column]()(columns);
  const isUnknown = UNKNOWN[column];
  const sign = down ? -1 : 1;
  const comparison = (one, other) => isUnknown(one) - isUnknown(other) || sign * compare(one, other);
  const order = new Uint32Array(loaded.games);
  for (let game = 0; game < order.length; game += 1) order[game] = game;
  if (order.some((game) => game && comparison(game - 1, game) > 0)) order.sort(comparison); // they came by date
  state.order = order;
}

function show(column, down) {
  for (const [index, head] of heads.entries()) head.setAttribute("aria-sort", index !== column ? "none" : down ? "descending" : "ascending");
}

// --- rows ----------------------------------------------------------------------------------------------------------------

const two = (number) => String(number).padStart(2, "0");

function dateText(game) {
  const [date, time] = [columns.date[game], columns.time[game]];
  const day = date && `${String(date).slice(0, 4)}-${String(date).slice(4, 6)}-${String(date).slice(6)}`;
  return [day, time >= 0 && `${two(Math.floor(time / 100))}:${two(time % 100)}`].filter(Boolean).join(" ");
}

const linked = Boolean(document.querySelector("header nav a"));

/** The address of the statistics of a player; none if the name is unknown, or that of all guests, or of computers. */
function statisticsOf({ names, id }, seats) {
  if (!linked || id === NOBODY || /^#\d$/.test(names[0]) || (names[0] === GUEST && !id)) return null;
  return `players.html#${id ? `id=${id}` : `name=${encodeURIComponent(names[0])}`}${seats < SEATS ? `&seats=${seats}` : ""}`;
}

// To clone an element takes a fraction of the time to make it.
const cell = { role: "cell" }; // also where the style makes a row no row of a table
const ROW = el("tr", { role: "row" }, el("td", cell, el("a")), el("td", cell), el("td", cell, el("ol")), el("td", cell));
const PLAYER = el("li", {}, el("a", { dir: "auto" }), " ");

function playerElement(game, seat) {
  const at = SEATS * game + seat;
  const player = people.value(columns.players[at]);
  const href = statisticsOf(player, seatsOf(game));
  const values = [
    columns.points[at] !== NONE && String(columns.points[at]).replace("-", "−"),
    columns.results[at] !== NONE && `${columns.results[at] < 0 ? "−" : "+"}${(Math.abs(columns.results[at]) / 1000).toFixed(1)}`,
  ];
  const item = PLAYER.cloneNode(true);
  const link = item.firstChild;
  if (href) link.setAttribute("href", href);
  link.textContent = player.names[language()];
  item.lastChild.data = ` ${values.filter(Boolean).join(" ")}`;
  return item;
}

function rowElement(game) {
  const { name, address } = pageOf(game);
  const row = ROW.cloneNode(true);
  const [date, rules, players, hands] = row.childNodes;
  date.firstChild.setAttribute("href", address);
  date.firstChild.textContent = dateText(game) || name;
  rules.textContent = tables.value(columns.table[game]).rules?.[language()] ?? "";
  for (let seat = 0; seat < seatsOf(game); seat += 1) players.firstChild.append(playerElement(game, seat));
  hands.textContent = columns.hands[game];
  return row;
}

function clear() {
  state.drawn = [];
  body.replaceChildren();
}

/** Draw the rows that are not there yet, as far as they are to be shown, or only the first `rows` for now. */
function draw(rows = state.rows) {
  const texts = TEXTS[root.lang];
  const most = Math.min(state.rows, state.found.length);
  const games = [...state.found.slice(state.drawn.length, Math.min(rows, most))];
  body.append(...games.map(rowElement));
  for (const row of [...body.rows].slice(FIRST)) row.className = "later";
  state.drawn.push(...games);
  const left = state.found.length - most;
  put(byId("next"), { hidden: left <= 0 }, texts.more(integer(left)));
  const count = texts.shown(integer(state.found.length), integer(total));
  put(byId("shown"), {}, state.complete ? count : `${count}, ${texts.loading}`);
  const missing = state.complete ? total - loaded.games : 0;
  put(byId("missing"), { hidden: !missing }, missing ? texts.missing(integer(missing)) : "");
}

// --- the address -----------------------------------------------------------------------------------------------------------

function writeAddress() {
  const said = new URLSearchParams(FILTERS.map((id) => [id, byId(id).value]).filter(([, value]) => value));
  if (state.person) said.set("id", state.person);
  const head = heads.findIndex((one) => one.getAttribute("aria-sort") !== "none");
  if (head >= 0) said.set("sort", (sorted().down ? "-" : "") + (head + 1));
  try { history.replaceState(null, "", said.size ? `#${said}` : location.pathname); } catch { /* embedded */ }
}

/** Take filters and order from the address. What a list does not offer yet waits until it does. */
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  for (const id of FILTERS) {
    const value = said.get(id) ?? "";
    byId(id).dataset.wanted = value;
    if (byId(id).value !== value) byId(id).value = value; // a date is slow to set
  }
  state.person = said.get("id") ?? "";
  const column = Math.abs(Number(said.get("sort"))) - 1;
  show(column in heads ? column : -1, said.get("sort")?.startsWith("-"));
  if (FILTERS.slice(1).some((id) => said.get(id))) byId("more").open = true;
}

function follow(rows) {
  readAddress();
  offerAll();
  sort();
  filter(rows);
}

// --- input -------------------------------------------------------------------------------------------------------------------

function nameLanguage() {
  byId("language").textContent = root.lang === "ja" ? "English" : "日本語";
}

function speak(lang) {
  root.lang = lang;
  nameLanguage();
  clear();
  offerAll();
  sort();
  filter();
}

for (const [index, head] of heads.entries()) {
  head.addEventListener("click", () => {
    show(index, head.getAttribute("aria-sort") === "ascending");
    sort();
    filter();
    writeAddress();
  });
}
byId("theme").addEventListener("click", () => { root.dataset.theme = otherTheme(root.dataset.theme); });
byId("language").addEventListener("click", () => speak(otherLanguage(root.lang)));
byId("next").addEventListener("click", () => {
  const before = state.drawn.length;
  state.rows += MORE;
  draw();
  body.rows[before].querySelector("a").focus({ preventScroll: true });
});
byId("more").addEventListener("toggle", offerAll);
byId("player").addEventListener("input", () => { state.person = ""; });
byId("filters").addEventListener("input", ({ target }) => {
  delete target.dataset.wanted; // what the address asked for
  filter();
  writeAddress();
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => follow());

/** Call `after` once what has been drawn can be seen. */
const whenSeen = (after) => requestAnimationFrame(() => setTimeout(after));

/**
 * After a script has come: draw in the next frame, then from time to time, in all a tenth of the time, and at the end. What
 * has come by then is drawn together.
 */
const PAUSE = 300; // milliseconds, at least
let due = 0;
let awaited = false;
function arrived(last) {
  state.complete = last;
  listWins(); // which frees what they came in
  if (awaited || (!last && performance.now() < due)) return;
  awaited = true;
  requestAnimationFrame((start) => {
    const { complete } = state;
    awaited = false;
    follow();
    setTimeout(() => { // once it can be seen
      if (complete) performance.mark("all games");
      due = performance.now() + Math.max(PAUSE, 9 * (performance.now() - start));
    });
  });
}

root.dataset.theme = themeWanted();
root.lang = languageWanted();
byId("more").open = matchMedia("(min-width: 48rem)").matches;
state.complete = load(arrived);
follow(FIRST); // the other rows after these
whenSeen(() => {
  performance.mark("first rows");
  if (state.complete) performance.mark("all games");
  draw();
  listWins();
  nameLanguage(); // its letters may need a font that nothing else does
});
