"use strict";
// The centre of the table: the round, what lies there, the dora, and each player's plate: wind and points.

const centre = { plates: [] };

function layCentre(view) {
  for (let player = 0; player < view.game.players; player += 1) centre.plates.push(layPlate(view, player));
  centre.round = el("strong");
  centre.counts = ["hundred", "thousand", "block"].map((mark) => {
    const number = el("span");
    return { number, whole: el("span", { role: "img" }, el(`i.${mark}`), number) };
  });
  centre.dora = el("span.dora", { role: "img" });
  centre.ura = el("span.dora.ura", { role: "img" });
  centre.doras = el("span.doras", {}, centre.dora, centre.ura);
  const counts = el("span.counts", {}, ...centre.counts.map(({ whole }) => whole));
  return el("div.centre", {}, ...centre.plates.map(({ button }) => button), el("div.round", {}, centre.round, counts, centre.doras));
}

/** A player's plate, a button that shows the table from that seat: the wind and the points. The difference is in the corner. */
function layPlate(view, player) {
  const parts = { wind: el("b"), points: el("span.points"), behind: el("span.behind"), absent: el("span.absent") };
  const open = { type: "button", "data-key": `seat-${player}`, "data-player": player, onclick: () => view.go({ seat: player }) };
  return { ...parts, button: el("button", open, parts.wind, parts.points, parts.absent) };
}

function drawPlate(view, state, player, parts) {
  const { words, frame } = view;
  const wind = windOf(player, frame);
  const name = view.names[player];
  const rank = rankOf(view, player);
  const known = state.points ?? (state.wins.length || state.draw ? frame.end.points : null);
  const points = known ? number(known[player]) : "–";
  const behind = known && player !== view.seat ? signed(known[player] - known[view.seat]) : "";
  const place = known && words.place(placeOf(player, known));
  const away = state.away.has(player);
  const label = [words.winds[wind], points, place, behind && words.behind(behind), name, rank, state.riichi[player] && words.riichi, away && words.away, words.look];
  const states = [wind === 0 && "dealer", state.turn === player && "turn", away && "away"];
  put(parts.button, {
    class: ["plate", SIDES[sideOf(player, view.seat)], ...states].filter(Boolean).join(" "),
    title: [name, rank, place].filter(Boolean).join(" · "),
    "aria-label": label.filter(Boolean).join(", "),
    "aria-pressed": String(player === view.seat),
  });
  put(parts.wind, {}, words.winds[wind][0]);
  put(parts.points, {}, points);
  put(parts.behind, { hidden: !behind }, behind);
  put(parts.absent, { hidden: !away }, away ? words.away : "");
}

/** Rank and rate of `player`, as far as recorded: "3 dan R1834". */
function rankOf({ ranks, about }, player) {
  const rate = about.rates[player];
  return [ranks[player], rate !== null && `R${Math.round(rate)}`].filter(Boolean).join(" ");
}

/** The place of `player` by `points`, 1 first; of equal players, the one nearer to the first dealer is before the others. */
function placeOf(player, points) {
  return 1 + points.filter((other, index) => other > points[player] || (other === points[player] && index < player)).length;
}

function drawCentre(view, state) {
  const { frame, words } = view;
  for (const [player, place] of centre.plates.entries()) drawPlate(view, state, player, place);
  put(centre.round, {}, roundName(view, frame, 0));
  const counts = [[words.honba, frame.start.honba], [words.sticks, state.sticks ?? "–"], [words.left, state.left]];
  for (const [index, [name, number]] of counts.entries()) {
    put(centre.counts[index].whole, { title: name, "aria-label": `${name}: ${number}` });
    put(centre.counts[index].number, {}, number);
  }
  drawIndicators(view, centre.dora, words.indicators, state.indicators);
  drawIndicators(view, centre.ura, words.ura, state.ura);
}

function drawIndicators({ words, codeOf }, row, name, tiles) {
  put(row, { hidden: tiles.length === 0, "aria-label": `${name}: ${tiles.map((tile) => words.tile(codeOf(tile))).join(", ")}` });
  keep(row, tiles.map((tile) => tileChild(codeOf(tile))));
}

/** The name of the round of `frame`, with `honba` if there are any. */
function roundName({ words }, { start }, honba) {
  return words.round(words.winds[Math.floor(start.round / 4)], (start.round % 4) + 1, honba);
}
