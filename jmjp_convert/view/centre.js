"use strict";
// The centre of the table: the round, what lies there, the dora, and the points of each player.

const centre = { plates: [] };

function layCentre(view) {
  for (let player = 0; player < view.game.players; player += 1) {
    const wind = el("b");
    const points = el("span.points");
    centre.plates.push({ wind, points, plate: el("span", { "data-player": player }, wind, " ", points) });
  }
  centre.round = el("strong");
  centre.counts = ["hundred", "thousand", "block"].map((mark) => {
    const number = el("span");
    return { number, whole: el("span", { role: "img" }, el(`i.${mark}`), number) };
  });
  centre.dora = el("span.dora", { role: "img" });
  centre.ura = el("span.dora.ura", { role: "img" });
  centre.doras = el("span.doras", {}, centre.dora, centre.ura);
  const counts = el("span.counts", {}, ...centre.counts.map(({ whole }) => whole));
  return el("div.centre", {}, ...centre.plates.map(({ plate }) => plate), el("div.round", {}, centre.round, counts, centre.doras));
}

function drawCentre(view, state) {
  const { frame, words } = view;
  const points = state.points ?? (state.wins.length || state.draw ? frame.end.points : null);
  for (const [player, place] of centre.plates.entries()) {
    const wind = windOf(player, frame);
    const side = SIDES[sideOf(player, view.seat)];
    put(place.plate, { class: `plate ${side}${wind === 0 ? " dealer" : ""}${state.turn === player ? " turn" : ""}` });
    put(place.wind, {}, words.winds[wind][0]);
    put(place.points, {}, points ? points[player] : "–");
  }
  put(centre.round, {}, roundName(view, frame, 0));
  const counts = [[words.honba, frame.start.honba], [words.sticks, state.sticks ?? "–"], [words.left, state.left]];
  for (const [index, [name, number]] of counts.entries()) {
    put(centre.counts[index].whole, { title: name, "aria-label": `${name}: ${number}` });
    put(centre.counts[index].number, {}, number);
  }
  put(centre.doras, { "data-many": state.indicators.length + state.ura.length > 3 });
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
