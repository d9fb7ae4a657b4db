"use strict";
// How a frame ended: the hands that won, what they were worth, and who paid.

/** Whether there is an outcome to show. */
function isOver(view, state) {
  return state.wins.length > 0 || state.draw !== null || (view.step === view.frame.events.length && view.step > 0);
}

function drawOutcome(view, state) {
  const panel = byId("outcome");
  const button = byId("outcome-switch");
  const over = isOver(view, state);
  // Not "disabled": it would lose the focus, and the page its keyboard control.
  put(button, { "aria-disabled": String(!over) });
  const shown = over && !view.quiet;
  if (!shown && panel.contains(document.activeElement)) button.focus({ preventScroll: true });
  put(panel, { hidden: !shown });
  const moment = shown ? [view.index, view.step, view.lang] : [];
  renew(panel, [shown, ...moment], () => panel.replaceChildren(...(shown ? outcomeParts(view, state) : [])));
}

function outcomeParts(view, state) {
  const ends = [...state.wins, ...(state.draw ? [state.draw] : [])];
  const parts = state.wins.map((win) => winElement(view, state, win));
  if (state.draw) parts.push(drawElement(view, state));
  if (!ends.length) parts.push(el("h3", {}, view.about[view.lang].ends[view.index] ?? view.words.unfinished));
  parts.push(paymentsElement(view, state, ends));
  const close = el("button.close", { type: "button", "data-key": "close", "aria-label": view.words.close, onclick: () => view.go({ quiet: true }) }, "×");
  return [close, ...parts];
}

function winElement(view, state, win) {
  const { words, codeOf, names } = view;
  const hand = state.hands[win.player] ?? [];
  const tiles = hand.map((tile) => tileElement(codeOf(tile)));
  tiles.push(tileElement(codeOf(win.tile), "apart", "winning"));
  const spoken = [...hand, win.tile].map((tile) => words.tile(codeOf(tile))).join(", ");
  const melds = state.melds[win.player].map((meld) => meldElement(meld, codeOf, words.call[meld.type]));
  const shownDora = [[words.indicators, state.indicators], [words.ura, win.ura ?? []]].filter(([, some]) => some.length);
  return el(
    "section.win", {},
    el("h3", { dir: "auto" }, `${names[win.player]} `, el("span", {}, win.source === undefined ? words.tsumo : words.ron(names[win.source]))),
    tileRow("div.shown", `${words.hand}: ${spoken}`, [...tiles, ...(melds.length ? [el("span.gap"), ...melds] : [])]),
    el("div.under", {}, ...shownDora.map(([name, some]) => el("span", {}, `${name} `, tileRow("span.small", `${some.map((tile) => words.tile(codeOf(tile))).join(", ")}`, some.map((tile) => tileElement(codeOf(tile))))))),
    win.score ? scoreElement(view, win) : el("p", { dir: "auto" }, wordsFor(view, state.wins.indexOf(win), state.wins.length)),
    win.pao !== undefined && el("p", {}, `${words.pao}: ${names[win.pao]}`),
  );
}

/** The words of the record on one of several wins. */
function wordsFor(view, index, count) {
  const said = view.about[view.lang].ends[view.index] ?? "";
  const each = said.split(" / ");
  return each.length === count ? each[index] : said;
}

function scoreElement(view, win) {
  const { words } = view;
  const { score } = win;
  const counted = (score.yaku ?? []).filter(({ han }) => han !== 0);
  const yaku = counted.map(({ number, han }) => [NAMES.yaku[number], han === undefined ? "" : words.han(han)]);
  const han = counted.reduce((sum, one) => sum + one.han, 0); // NaN for yakuman, which have no han
  const limit = NAMES.limits[score.limit];
  const worth = [!Number.isNaN(han) && words.fuHan(score.fu, han), limit && view.named(limit), words.worth(score.points)];
  return el(
    "div.score", {},
    el("ul.yaku", {}, ...yaku.map(([name, value]) => el("li", {}, el("span", {}, view.named(name)), el("span", {}, value)))),
    el("p.worth", {}, worth.filter(Boolean).join(view.lang === "ja" ? " " : ", ")),
  );
}

function drawElement(view, state) {
  const { words, names } = view;
  const kind = state.draw.kind;
  const tenpai = (state.draw.shown ?? []).flatMap((hand, player) => (hand ? [names[player]] : []));
  const pays = kind === undefined || kind === "exhaustive" || kind === "nagashi";
  return el(
    "section.drawn-frame", {},
    el("h3", {}, kind ? view.named(NAMES.draws[kind]) : words.said.ryuukyoku()),
    pays && tenpai.length > 0 && el("p", { dir: "auto" }, `${words.tenpai}: ${tenpai.join(", ")}`),
  );
}

/** Who paid whom: each player's gain or loss for each win or draw, and the points after the frame. */
function paymentsElement(view, state, ends) {
  const paid = ends.filter((end) => end.changes);
  const after = state.points ?? (view.step === view.frame.events.length ? view.frame.end.points : null);
  const { words } = view;
  return el(
    "table.payments", {},
    headElement(words.player, ...paid.map(() => words.change), words.score),
    el("tbody", {}, ...view.names.map((name, player) => el(
      "tr", {},
      el("th", { scope: "row", dir: "auto" }, el("span.wind", {}, words.winds[windOf(player, view.frame)][0]), name),
      ...paid.map((end) => changeCell(end.changes[player])),
      el("td.after", {}, after ? String(after[player]) : "–"),
    ))),
  );
}

function changeCell(change) {
  return el(`td.${change > 0 ? "gain" : change < 0 ? "loss" : "even"}`, {}, signed(change));
}
