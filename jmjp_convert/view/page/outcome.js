"use strict";
// How a hand ended: the hands that won, what they were worth, and who paid.

/** Whether there is an outcome to show. */
function isOver(view, state) {
  return state.wins.length > 0 || state.draw !== null || (view.step === view.frame.events.length && view.step > 0);
}

function drawOutcome(view, state) {
  const panel = byId("outcome");
  const button = byId("outcome-switch");
  const over = isOver(view, state);
  // Not "disabled": it would lose the focus, and the page its keyboard control.
  put(button, { "aria-disabled": String(!over), "aria-pressed": String(over && !view.quiet) });
  const shown = over && !view.quiet;
  if (!shown && panel.contains(document.activeElement)) button.focus({ preventScroll: true });
  put(panel, { hidden: !shown });
  const moment = shown ? [view.index, view.step, view.lang] : [];
  renew(panel, [shown, ...moment], () => panel.replaceChildren(...(shown ? outcomeParts(view, state) : [])));
}

/** The total of each win or the kind of draw, the payments, and then the winning hands. */
function outcomeParts(view, state) {
  const { words } = view;
  const ends = [...state.wins, ...(state.draw ? [state.draw] : [])];
  const heads = state.wins.map((win) => winHead(view, win));
  if (state.draw) heads.push(...drawHeads(view, state));
  if (!ends.length) heads.push(el("h2", {}, view.about[view.lang].ends[view.index] ?? words.unfinished));
  const close = el("button.close", { type: "button", "data-key": "close", "aria-label": words.close, onclick: () => view.go({ quiet: true }) }, "×");
  return [
    el("div.sheet", { "aria-hidden": "true" }),
    close,
    ...heads,
    paymentsElement(view, state, ends),
    rankingElement(view, ends),
    state.wins.length > 0 && el("div.wins", {}, ...state.wins.map((win) => winElement(view, state, win))),
  ].filter(Boolean);
}

function winHead(view, win) {
  const { words, names } = view;
  const how = win.source === undefined ? [words.tsumo] : withName(words.ron(NAME), names[win.source]);
  return el("h2", {}, el("bdi", {}, names[win.player]), " ", el("em", {}, ...how), win.score && el("strong", {}, ...worthNodes(view, win)));
}

/** What each pays for a tsumo, without honba: "4000 all" or "2000/4000"; nothing if the payments are others. */
function split({ words, frame }, { player, source, score, changes }) {
  if (source !== undefined || !changes) return "";
  const paid = changes.filter((_, other) => other !== player).map((change) => -change - 100 * frame.start.honba);
  if (paid.reduce((sum, one) => sum + one, 0) !== score.points) return "";
  const amounts = [...new Set(paid)].sort((one, other) => one - other);
  if (amounts[0] <= 0 || amounts.length > 2) return "";
  return amounts.length === 1 ? words.all(amounts[0]) : amounts.join("/");
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
    state.wins.length > 1 && el("h3", {}, el("bdi", {}, names[win.player])),
    tileRow("div.shown", `${words.hand}: ${spoken}`, [...tiles, ...(melds.length ? [el("span.gap"), ...melds] : [])]),
    el("div.under", {}, ...shownDora.map(([name, some]) => el("span", {}, `${name} `, tileRow("span.small", `${some.map((tile) => words.tile(codeOf(tile))).join(", ")}`, some.map((tile) => tileElement(codeOf(tile))))))),
    win.score ? scoreElement(view, win.score) : el("p", { dir: "auto" }, wordsFor(view, state.wins.indexOf(win), state.wins.length)),
    ...accountElements(view, state, win),
    win.pao && el("p.parts", {}, `${words.pao}: `, ...win.pao.flatMap((player, index) => [index ? ", " : "", el("bdi", {}, names[player])])),
  );
}

/** The words of the record on one of several wins. */
function wordsFor(view, index, count) {
  const said = view.about[view.lang].ends[view.index] ?? "";
  const each = said.split(" / ");
  return each.length === count ? each[index] : said;
}

/** The yaku that count. */
function yakuOf({ score }) {
  return (score.yaku ?? []).filter(({ han }) => han !== 0);
}

/** The han of a win; NaN for yakuman, which have none. */
function hanOf(win) {
  return yakuOf(win).reduce((sum, one) => sum + one.han, 0);
}

/** What a hand was worth as nodes: fu and han, which may be hidden, apart. */
function worthNodes(view, win) {
  const between = view.lang === "ja" ? " " : ", ";
  const [first, ...rest] = worthParts(view, win);
  return Number.isNaN(hanOf(win)) ? [[first, ...rest].join(between)] : [el("span.fu-han", {}, first + between), rest.join(between)];
}

/** The same as text. */
function worth(view, win) {
  return worthParts(view, win).join(view.lang === "ja" ? " " : ", ");
}

/** What a hand was worth: fu and han unless it is a yakuman, the limit if there is one, the points. */
function worthParts(view, win) {
  const { words } = view;
  const { score } = win;
  const han = hanOf(win);
  const single = singleYakuman(view, win.player, win.source === undefined);
  const limit = limitName(view, score.limit, score.points / single, yakuOf(win));
  const parts = [!Number.isNaN(han) && fuHan(view, score.fu, han, score.limit), limit, words.worth(score.points, split(view, win))];
  return parts.filter(Boolean);
}

/** The points of one yakuman of `player`; NaN for a tsumo of three players, for which rules differ. */
function singleYakuman({ frame, game }, player, tsumo) {
  if (tsumo && game.players === 3) return NaN;
  return windOf(player, frame) ? 32000 : 48000;
}

/** The fu and han of a hand; from haneman on, the fu do not matter. */
function fuHan({ words }, fu, han, limit) {
  return [undefined, "none", "mangan"].includes(limit) ? words.fuHan(fu, han) : words.han(han);
}

/** The name of a limit. Several yakuman are named by how many `times` one they are paid, or else by how many they are. */
function limitName(view, limit, times, yaku) {
  const both = NAMES.limits[limit];
  if (limit !== "yakuman") return both && view.named(both);
  if (yaku.length && yaku.every(({ han }) => han !== undefined)) return view.words.countedYakuman;
  return view.words.yakuman(Number.isInteger(times) ? times : yaku.filter(({ han }) => han === undefined).length || 1);
}

function scoreElement(view, score) {
  const yaku = yakuOf({ score }).map(({ number, name, han }) => [number === undefined ? name : view.named(NAMES.yaku[number]), han === undefined ? "" : view.words.han(han)]);
  return el("ul.yaku", {}, ...yaku.map(([name, value]) => el("li", {}, el("span", {}, name), el("span", {}, value))));
}

// --- what it consists of -------------------------------------------------------------------------------------------------

/** The fu in parts, the points with honba and sticks, and what the record has otherwise. */
function accountElements(view, state, win) {
  const { words, about: { score: { totals, wins, why } } } = view;
  const index = state.wins.indexOf(win);
  const total = totals[view.index][index];
  const account = wins?.[view.index][index];
  return [
    account?.fu && el("p.parts", {}, `${words.fu}: `, ...fuNodes(view, account.fu)),
    total && (total[1] > 0 || total[2] > 0) && el("p.parts", {}, `${words.gain}: ${totalText(view, total)}`),
    ...(account ? computedElements(view, win, account) : []),
    why && win.score && el("p.parts", {}, words.whyNoFu[why]),
  ].filter(Boolean);
}

/** Fu in parts: "20 base + 10 closed ron + 4 closed triplet = 34 → 40". */
function fuNodes(view, fu) {
  const sum = fu.reduce((all, [, one]) => all + one, 0);
  const rounded = sum === 25 ? 25 : Math.ceil(sum / 10) * 10;
  const parts = fu.flatMap(([source, one], index) => [index > 0 && " ", el("span", {}, `${index > 0 ? "+ " : ""}${one} ${view.named(NAMES.fu[source])}`)]).filter(Boolean);
  return [...parts, ` = ${sum}${rounded === sum ? "" : ` → ${rounded}`}`];
}

/** "8000 + 300 (1 honba) + 1000 (1 riichi stick) = 9300" */
function totalText({ words, frame }, [hand, honba, sticks]) {
  const parts = [hand, honba && `${honba} (${words.honbaOf(frame.start.honba)})`, sticks && `${sticks} (${words.sticksOf(sticks / 1000)})`];
  return `${parts.filter(Boolean).join(" + ")} = ${hand + honba + sticks}`;
}

/** What the computation gives where the record has another value, an incomplete one, or other payments. */
function computedElements(view, win, { computed, differs, paid }) {
  const { words, names } = view;
  if (computed === null) return [el("p.differs", {}, `${words.computed}: ${words.noWin}`)];
  const yaku = (score) => JSON.stringify((score?.yaku ?? []).filter(({ han }) => han !== 0).map(({ number, han }) => [number, han]).sort());
  return [
    computed && el(differs ? "p.differs" : "p.parts", {}, `${words.computed}: ${worth(view, { ...win, score: computed })}`),
    computed && yaku(computed) !== yaku(win.score) && scoreElement(view, computed),
    paid && el("p.differs", {}, `${words.computedPaid}: `, ...paid.flatMap((change, player) => [el("bdi", {}, names[player]), ` ${signed(change)} `])),
  ].filter(Boolean);
}

function drawHeads(view, state) {
  const { words, names } = view;
  const kind = state.draw.kind;
  const tenpai = (state.draw.shown ?? []).flatMap((hand, player) => (hand ? [", ", el("bdi", {}, names[player])] : [])).slice(1);
  const pays = kind === undefined || kind === "exhaustive" || kind === "nagashi";
  return [
    el("h2", {}, kind ? view.named(NAMES.draws[kind]) : words.said.ryuukyoku()),
    pays && tenpai.length > 0 && el("p.ready", {}, `${words.tenpai}: `, ...tenpai),
  ].filter(Boolean);
}

/** Who paid whom, from East: each player's gain or loss for each win or draw, and the points after the hand. */
function paymentsElement(view, state, ends) {
  const paid = ends.filter((end) => end.changes);
  const after = state.points ?? (view.step === view.frame.events.length ? view.frame.end.points : null);
  const { words } = view;
  return el(
    "table.payments", {},
    headElement(words.player, ...paid.map(() => words.change), words.score, after && words.placing),
    el("tbody", {}, ...byWind(view).map((player, wind) => el(
      "tr", {},
      el("th", { scope: "row" }, el("span.wind", {}, words.winds[wind][0]), el("bdi", {}, view.names[player])),
      ...paid.map((end) => changeCell(end.changes[player])),
      el("td.after", {}, after ? number(after[player]) : "–"),
      after && el("td.place", {}, words.place(placeOf(player, after))),
    ))),
  );
}

function changeCell(change, ...classes) {
  return el(["td", change > 0 ? "gain" : change < 0 ? "loss" : "even", ...classes].join("."), {}, signed(change));
}
