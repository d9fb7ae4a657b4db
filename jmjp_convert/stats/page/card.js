"use strict";
// Everything about a player: placements, points over time, rates, yaku.

const EM = 16;

/** Draw the card of `player`, with a way back if there are others. */
function drawCard(player, state) {
  const { words } = state;
  const card = byId("card");
  const { games, frames } = player.counts;
  const width = Math.max(280, Math.min(card.clientWidth - 3 * EM, 1100));
  card.replaceChildren(...[
    players.length > 1 && el("a.back", { href: "#" }, `← ${words.all}`),
    el("h2", { id: "whose", tabindex: -1 }, nameElement(player, state)),
    el("p.told", {}, words.played(words.seats(player.seats), integer(games), integer(frames))),
    about.games && player.name && el("p", {}, el("a.games", { href: gamesOf(player) }, words.listed)),
    el("div.sections", {}, placementSection(player, state), curveSection(player, state, width), rateSection(player, state), yakuSection(player, state)),
  ].filter(Boolean));
}

function placementSection(player, state) {
  if (!player.counts.placed) return null;
  const key = ratesOf(player.seats, placements).map((rate, index) => el(`li.place${index + 1}`, {}, `${state.words.place(index + 1)} ${rateText(rate, player)}`));
  return el("section.wide", {}, el("h3", {}, state.words.placements), placementBar(player, state), el("ol.key", {}, ...key));
}

function rateSection(player, { words, named }) {
  const rows = ratesOf(player.seats).map((rate) => el("tr", {},
    el("th", { scope: "row" }, named(rate.names)),
    el("td", {}, rateText(rate, player)),
    el("td.of", {}, rate.form === "share" && player.counts[rate.by] ? words.of(integer(player.counts[rate.of]), integer(player.counts[rate.by])) : "")));
  return el("section", {}, el("h3", {}, words.rates), el("table", {}, el("tbody", {}, ...rows)));
}

/** The yaku of a player's wins, the most frequent first. */
function yakuSection(player, { words, named }) {
  const found = [];
  for (let at = 0; at < player.yaku.length; at += 2) found.push([named(YAKU[player.yaku[at]]), player.yaku[at + 1]]);
  if (!found.length) return null;
  found.sort(([, one], [, other]) => other - one);
  const most = found[0][1];
  const rows = found.map(([name, wins]) => el("tr", {},
    el("th", { scope: "row" }, name),
    el("td.length", {}, svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { x: 0, y: 0, width: (100 * wins) / most, height: 10 }))),
    el("td", {}, `${quotient(100 * wins, player.counts.wins, 1)}%`),
    el("td.of", {}, integer(wins))));
  const heads = [words.yaku, "", words.share, words.wins].map((head) => (head ? el("th", { scope: "col" }, el("span.spoken", {}, head)) : el("td")));
  return el("section", {}, el("h3", {}, words.yaku), el("table.yaku", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
}
