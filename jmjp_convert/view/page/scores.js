"use strict";
// The score table of the game: hands by players. It also says how the game ended: places, points, uma and results.

function drawScores(view) {
  const box = byId("scores");
  renew(box, [view.lang], () => box.replaceChildren(scoreTable(view)));
  renew(byId("scores-panel"), [view.lang, view.index, view.tab], () => {
    const bodies = box.querySelectorAll("tbody");
    for (const [index, body] of bodies.entries()) put(body, { "aria-current": index === view.index && "true" });
    intoSight(byId("scores-panel"), bodies[view.index]);
  });
}

/** Scroll `box` so that `item` is in its middle; the page only if the box cannot scroll and the page shows the panels. */
function intoSight(box, item) {
  if (!item) return;
  const { top, bottom } = item.getBoundingClientRect();
  if (getComputedStyle(box).overflowY !== "visible") {
    box.scrollTop += top - box.getBoundingClientRect().top - (box.clientHeight - item.offsetHeight) / 2;
    return;
  }
  const [first, last] = [byId("tabs").offsetHeight, byId("controls").getBoundingClientRect().top];
  if (scrollY > 0 && (top < first || bottom > last)) scrollBy({ top: (top + bottom - first - last) / 2 });
}

function scoreTable(view) {
  const { words, game, names } = view;
  const { results } = game.end;
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span.spoken", {}, words.hands)),
      ...names.map((name, player) => el("th", { scope: "col", title: [name, rankOf(view, player)].filter(Boolean).join(" · ") }, el("bdi", {}, name))))),
    ...game.frames.map((frame, index) => handBody(view, frame, index)),
    results && el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, words.pt), ...names.map((_, player) => resultCell(results[player])))));
}

/** A hand: what each player had after it and won or lost in it, and below, where there is room, how it ended. */
function handBody(view, frame, index) {
  const { words, game } = view;
  const before = frame.start.points;
  const after = frame.end?.points ?? game.frames[index + 1]?.start.points ?? null;
  const wins = frame.events.filter(({ type }) => type === "win");
  const { honba, sticks } = frame.start;
  const cell = (player) => {
    const change = after && before ? after[player] - before[player] : null;
    const name = wins.some((win) => win.player === player) ? "td.won" : wins.some(({ source }) => source === player) ? "td.dealt" : "td";
    const riichi = frame.events.some((event) => event.type === "riichi_accepted" && event.player === player);
    return el(name, {},
      after && el("i.rank", { title: words.place(placeOf(player, after)) }, placeOf(player, after)), " ",
      el("span", {}, after ? number(after[player]) : "–"), " ",
      el(`small.${change > 0 ? "gain" : change < 0 ? "loss" : "even"}`, {},
        riichi && el("i.thousand", { role: "img", "aria-label": words.riichi, title: words.riichi }),
        change === null ? "" : signed(change)));
  };
  const how = howElement(view, frame);
  const open = { type: "button", "data-key": `hand-${index}`, title: `${roundName(view, frame, honba)}: ${how.textContent}` };
  return el("tbody", { onclick: () => { go({ index, step: 0 }); toTable(); } },
    el("tr", {},
      el("th", { scope: "row" }, el("button", open, `${shortName(view, frame.name)}${honba ? `-${honba}` : ""}`, " ",
        sticks > 0 && el("span.sticks", { title: words.sticks }, el("i.thousand"), sticks))),
      ...view.names.map((_, player) => cell(player))),
    el("tr.ended", {}, el("td", { colspan: view.names.length + 1 }, how)));
}

/** How a hand ended, in one line. */
function howElement(view, frame) {
  const parts = howEnded(view, frame);
  return el("span.how", {}, ...parts.flatMap((part, index) => (index ? [" / ", part] : [part])));
}

/** How a hand ended, in short: a win or a draw each. */
function howEnded(view, frame) {
  const { words, names } = view;
  const ends = frame.events.filter((event) => event.type === "win" || event.type === "ryuukyoku");
  if (!ends.length) return [view.about[view.lang].ends[view.game.frames.indexOf(frame)] ?? words.unfinished];
  return ends.map((end) => {
    if (end.type === "ryuukyoku") return el("span", {}, end.kind ? view.named(NAMES.draws[end.kind]) : words.said.ryuukyoku());
    const won = end.source === undefined ? [words.tsumo] : withName(words.ron(NAME), names[end.source]);
    return el("span", {}, el("bdi", {}, names[end.player]), " ", ...won, end.score && el("em", {}, ` ${end.score.points}`));
  });
}

/** The name of a round in the page's language, short: ``E1`` is 東1. */
function shortName(view, name) {
  return view.words.winds["ESWN".indexOf(name[0])][0] + name.slice(1).split("-")[0];
}

function number(value) {
  return String(value).replace("-", "−");
}

function signed(value, text = String(Math.abs(value))) {
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : "±0";
}

function resultCell(result) {
  return el(`td.${result > 0 ? "gain" : result < 0 ? "loss" : "even"}`, {}, signed(result, (Math.abs(result) / 1000).toFixed(1)));
}

// --- how the game ended ----------------------------------------------------------------------------------------------------

/** The points at the end of the game and the results, as far as they are recorded. */
function finalOf(view) {
  const { end, frames } = view.game;
  return { points: end.final_points ?? frames.at(-1).end?.points ?? null, results: end.results ?? null };
}

function isLastMoment(view) {
  return view.index === view.game.frames.length - 1 && view.step === view.frame.events.length;
}

/** The final ranking, after the last hand. */
function rankingElement(view, ends) {
  const { end } = view.game;
  if (!isLastMoment(view) || !(end.final_points || end.results)) return null;
  return el("section.final", { "aria-label": view.words.result }, rankingParts(view, ends)[0]);
}

function drawResult(view) {
  const result = byId("result");
  const { end } = view.game;
  const known = Boolean(end.final_points || end.results);
  put(result.parentElement, { hidden: !known });
  renew(result, [view.lang], () => known && result.replaceChildren(...rankingParts(view)));
}

/** The name of a player, which leads to the statistics in a site that has them. */
function playerElement(view, player) {
  const name = el("bdi", {}, view.names[player]);
  const href = view.about.statistics?.[player];
  return href ? el("a", { href }, name) : name;
}

/** The players by place, with points, uma and result, and below what the results count from. The changes of the last `ends` */
/** are shown where there is no room for the payments too. */
function rankingParts(view, ends = []) {
  const { words, game } = view;
  const { points, results } = finalOf(view);
  const rule = results && game.match.point_rule;
  const value = (player) => points?.[player] ?? results[player];
  const ranking = view.names.map((_, player) => player).sort((one, other) => value(other) - value(one) || one - other);
  const about = (player) => [!view.about.known[player] && words.nameless, rankOf(view, player)].filter(Boolean).join(", ");
  const { chips } = game.end;
  const paid = ends.filter(({ changes }) => changes);
  const heads = [words.placing, words.player, ...paid.map(() => words.change), words.score, rule && words.uma, results && words.pt, chips && words.chips];
  const table = el("table.ranking", {}, el("thead", {}, el("tr", {}, ...heads.filter(Boolean).map((head, index) => el(index > 1 && index < 2 + paid.length ? "th.change" : "th", { scope: "col" }, head)))),
    el("tbody", {}, ...ranking.map((player, place) => el("tr", {},
      el("td.place", {}, words.place(place + 1)),
      el("th", { scope: "row" }, playerElement(view, player), el("small", {}, ` ${about(player)}`)),
      ...paid.map(({ changes }) => changeCell(changes[player], "change")),
      el("td", {}, points ? number(points[player]) : ""),
      rule && el("td", {}, signed(rule.uma[place], String(Math.abs(rule.uma[place]) / 1000))),
      results && resultCell(results[player]),
      chips && el("td", {}, String(chips[2 * player] ?? ""))))));
  return [table, rule && el("p.rule", {}, words.rule(rule.start, rule.target, ((rule.target - rule.start) * game.players) / 1000))].filter(Boolean);
}
