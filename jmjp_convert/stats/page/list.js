"use strict";
// The list of players: a table each for four and three players, sorted by any column, and filtered.

const MANY = 100; // rows at first: with thousands, a browser would take seconds

/** By seats, how the table is sorted, and how many rows it shows. At first, it is sorted as it came: by games. */
const tables = new Map([4, 3].filter((seats) => players.some((one) => one.seats === seats)).map((seats) => [seats, { column: null, down: false, rows: MANY }]));

/** The columns: a heading, what it sorts by, whether high values come first, and its cell. */
function columns(state) {
  const { words, named } = state;
  return [
    { head: words.player, key: ({ name }) => name || null, cell: (player) => el("th", { scope: "row" }, el("a", { href: addressOf(player) }, nameElement(player, state))) },
    { head: words.games, key: ({ counts }) => counts.games, high: true, cell: ({ counts }) => el("td", {}, integer(counts.games)) },
    { head: words.placements, key: (player) => valueOf(placements[0], player), high: true, cell: (player) => el("td.placements", {}, player.counts.placed ? placementBar(player, state) : UNKNOWN) },
    ...rates.filter((rate) => rate.short && !placements.includes(rate)).map((rate) => ({
      head: named(rate.short), key: (player) => valueOf(rate, player), high: rate.of !== "places", cell: (player) => el("td", {}, rateText(rate, player)),
    })),
  ];
}

function nameElement({ name }, { words }) {
  return name ? el("bdi", {}, name) : el("em", {}, words.nameless);
}

/** The players that the filters leave, of a table in its order. What is unknown comes last, up or down. */
function rowsOf(seats, state) {
  const name = byId("name").value.trim().toLowerCase();
  const least = Number(byId("least").value) || 1;
  const found = players.filter((one) => one.seats === seats && one.counts.games >= least && one.name.toLowerCase().includes(name));
  const { column, down } = tables.get(seats);
  if (column === null) return found;
  const { compare } = new Intl.Collator(state.lang, { numeric: true, sensitivity: "base" });
  const { key } = columns(state)[column];
  const order = (one, other) => (typeof one === "string" ? compare(one, other) : one - other);
  const keyed = found.map((one) => [key(one), one]);
  keyed.sort(([one], [other]) => (one === null || other === null ? Number(one === null) - Number(other === null) : down ? order(other, one) : order(one, other)));
  return keyed.map(([, one]) => one);
}

function drawList(state) {
  const { words } = state;
  const found = [...tables.keys()].map((seats) => [seats, rowsOf(seats, state)]);
  put(byId("shown"), {}, words.shown(integer(found.reduce((sum, [, rows]) => sum + rows.length, 0)), integer(players.length)));
  put(byId("fewest"), { hidden: about.least < 2 }, words.fewest(integer(about.least)));
  const key = [1, 2, 3, 4].slice(0, Math.max(...tables.keys())).map((place) => el(`li.place${place}`, {}, words.place(place)));
  byId("tables").replaceChildren(el("ol.key", { "aria-hidden": "true" }, ...key), ...found.flatMap(([seats, rows]) => [
    tables.size > 1 && el("h2", {}, words.seats(seats)),
    tableElement(seats, rows, state),
  ]).filter(Boolean));
  if (!players.length) byId("tables").replaceChildren(el("p", {}, words.none));
}

function tableElement(seats, rows, state) {
  const table = tables.get(seats);
  const all = columns(state);
  const heads = all.map(({ head, high }, index) => {
    const sorted = index !== table.column ? "none" : table.down ? "descending" : "ascending";
    const onclick = () => {
      Object.assign(table, { column: index, down: sorted === "none" ? Boolean(high) : sorted === "ascending" });
      drawList(state);
      byId(`sort-${seats}-${index}`).focus();
    };
    return el("th", { scope: "col", "aria-sort": sorted }, el("button", { type: "button", id: `sort-${seats}-${index}`, onclick }, head));
  });
  const shown = rows.slice(0, table.rows).map((player) => el("tr", {}, ...all.map(({ cell }) => cell(player))));
  const more = () => {
    table.rows *= 4;
    drawList(state);
  };
  const left = rows.length - shown.length;
  return el("div.scroll", {},
    el("table.sorted", { "aria-label": state.words.seats(seats) }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...shown)),
    left > 0 && el("button.more", { type: "button", onclick: more }, state.words.more(integer(left))));
}
