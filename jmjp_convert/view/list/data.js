"use strict";
// The games of the list, in columns of numbers: 200,000 games take a few megabytes so. Scripts bring them, and push a name
// and a text to `lists`. YAKU has the names of yaku, by number.

const NONE = -(2 ** 31); // in a column of points
const SEATS = 4;
const WORDS = 1000; // yaku from here on have no number, and are words

/** The scripts, those of the latest games first: name, digest, and folders. */
const scripts = JSON.parse(byId("scripts").textContent);
/** The folders, in the same order. */
const folders = scripts.flatMap(([script, , inside]) => inside.map(([name, games, wins]) => ({ script, name, games, wins, at: -1, names: [] })));
const total = folders.reduce((sum, { games }) => sum + games, 0);

/** The columns. Points and results have a number for each place of a game, players one of `people`, or −1. */
const columns = {
  date: new Int32Array(total),
  time: new Int16Array(total),
  table: new Int32Array(total),
  hands: new Uint16Array(total),
  players: new Int32Array(SEATS * total),
  points: new Int32Array(SEATS * total),
  results: new Int32Array(SEATS * total),
  firstWin: new Uint32Array(total + 1), // of each game, in the next column
  wins: new Uint32Array(folders.reduce((sum, { wins }) => sum + wins, 0)), // SEATS × one of `kinds` + the winner's place
};
const loaded = { games: 0, wins: 0 };

/** Values that recur, each once, by the order in which they came. They come as texts, and are made of these when needed. */
function collection(make) {
  const numbers = new Map();
  const texts = [];
  const made = [];
  const numberOf = (text) => {
    let number = numbers.get(text);
    if (number === undefined) {
      number = texts.length;
      numbers.set(text, number);
      texts.push(text);
    }
    return number;
  };
  const value = (number) => made[number] ??= make(texts[number]);
  return { numberOf, value, values: () => texts.map((_, number) => value(number)) };
}

/** Players: names in both languages, and the ID of those with an account. */
const people = collection((text) => {
  const [native, english = native, id = ""] = JSON.parse(text);
  return { names: [native, english], id };
});
/** Servers, rooms and rules. */
const tables = collection((text) => {
  const [server, room, rules] = JSON.parse(text);
  return { server, room, rules };
});
/** Wins of the same points with the same yaku: points (null if not known), and yaku as twice the number, +1 for a yakuman. */
const kinds = collection((text) => {
  const [points, ...yaku] = text.split(" ");
  return { points: points === "" ? null : Number(points), yaku: yaku.map(Number) };
});
const words = collection((text) => text);

/** The names of a yaku. */
function yakuNames(number) {
  return number < WORDS ? YAKU[number] : Array(2).fill(words.value(number - WORDS));
}

/** Take in the games of a script. */
function listed(name, text) {
  const inside = folders.filter(({ script }) => script === name);
  const data = JSON.parse(text);
  if (inside.some(({ at }) => at >= 0) || data.names.length !== inside.reduce((sum, { games }) => sum + games, 0)) return;
  const person = data.people.map((one) => people.numberOf(JSON.stringify(one)));
  const table = data.tables.map((one) => tables.numberOf(JSON.stringify(one)));
  const at = loaded.games;
  let first = 0;
  for (const folder of inside) {
    folder.at = at + first;
    folder.names = data.names.slice(first, first + folder.games);
    first += folder.games;
  }
  const put = (column, values, stride = 1) => column.set(values, stride * at);
  const orNone = (values) => values.map((value) => value ?? NONE);
  put(columns.date, data.dates);
  put(columns.time, data.times);
  put(columns.table, data.table.map((one) => table[one]));
  put(columns.hands, data.hands);
  put(columns.players, data.players.map((one) => (one < 0 ? one : person[one])), SEATS);
  put(columns.points, orNone(data.points), SEATS);
  put(columns.results, orNone(data.results), SEATS);
  loaded.games += data.names.length;
  waiting.push([at, data]);
}

const waiting = []; // data with wins that are not in their columns yet: rows do without them

/** Take in the wins that have come. */
function listWins() {
  for (const [at, data] of waiting.splice(0)) {
    const word = data.words.map(words.numberOf);
    const own = (yaku) => (yaku < 2 * WORDS ? yaku : 2 * (WORDS + word[(yaku >> 1) - WORDS]) + (yaku & 1));
    // Numbers of words differ between scripts; a win without any is the same text everywhere.
    const renamed = (one) => (word.length ? one.split(" ").map((part, index) => (index ? own(Number(part)) : part)).join(" ") : one);
    const kind = data.kinds.map((one) => kinds.numberOf(renamed(one)));
    const before = loaded.wins;
    for (let game = 0; game < data.won.length; game += 1) {
      columns.firstWin[at + game] = loaded.wins;
      loaded.wins += data.won[game];
    }
    for (let win = 0; win < data.wins.length; win += 1) columns.wins[before + win] = SEATS * kind[Math.floor(data.wins[win] / SEATS)] + (data.wins[win] % SEATS);
    columns.firstWin[at + data.won.length] = loaded.wins;
  }
}

/** The address of the page of `game`, and the name of that page. */
function pageOf(game) {
  const folder = folders.find(({ at, games }) => at >= 0 && game >= at && game < at + games);
  const name = folder.names[game - folder.at];
  return { name, address: `games/${folder.name}/${encodeURIComponent(name)}.html` };
}

/** How many players `game` had. */
function seatsOf(game) {
  return columns.players[SEATS * game + SEATS - 1] < 0 ? SEATS - 1 : SEATS;
}

// --- loading ---------------------------------------------------------------------------------------------------------------

const TOGETHER = 3; // scripts to load at a time: with more, more memory waits to be collected

/**
 * Take in the scripts of the head, which the browser has loaded; return whether these are all. Otherwise load the others in
 * order, and call `after` for each, with whether it was the last.
 */
function load(after) {
  for (const list of globalThis.lists ?? []) listed(...list);
  globalThis.lists = { push: (list) => listed(...list) };
  let next = document.head.querySelectorAll('script[src^="games/"]').length;
  let left = scripts.length - next;
  const start = () => {
    if (next === scripts.length) return;
    const [name, digest] = scripts[next++];
    const script = document.createElement("script");
    script.async = false; // run in this order
    const done = () => {
      script.remove();
      left -= 1;
      start();
      after(!left);
    };
    script.addEventListener("load", done);
    script.addEventListener("error", done);
    script.src = `games/${name}.js?${digest}`; // so that no older one comes from a cache
    document.head.append(script);
  };
  for (let count = 0; count < TOGETHER; count += 1) start();
  return !left;
}
