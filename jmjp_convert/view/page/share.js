"use strict";
// Sharing the moment shown: its link, the position as text, the frame for Tenhou's viewer, a picture, and a snippet that
// embeds the page. Nothing is shared that the view hides.

const EDITOR = "https://tenhou.net/6/#json=";
const FRAME_SIZE = 480; // pixels

/** The address of this page at this moment. */
function linkOf() {
  return location.href.split("#")[0] + address();
}

/** The snippet that embeds the page in another. */
function snippet() {
  const text = (value) => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe src="${text(linkOf())}" title="${text(document.title)}" width="${FRAME_SIZE}" height="${FRAME_SIZE}"></iframe>`;
}

unpacked(about.links ?? "").then((text) => {
  about.linked = JSON.parse(text);
  draw();
}).catch(() => { /* no frame can be linked, or a browser without DecompressionStream */ });

/** The link that opens the frame in Tenhou's viewer; null if it cannot hold it, or would show what the view hides. */
function tenhouLink(view) {
  const frame = view.about.linked?.[view.index];
  return frame && view.open && !view.quiz ? EDITOR + encodeURIComponent(JSON.stringify(frame)) : null;
}

// --- the position as text ------------------------------------------------------------------------------------------------

/** A tile in mpsz: 5m, 0m for a red five, 1z to 7z; ? if it is unknown. */
function mpsz(code) {
  const honor = HONORS.indexOf(code);
  return honor >= 0 ? `${honor + 1}z` : code === UNKNOWN ? "?" : code;
}

/** Tiles in mpsz, the suit once for each run of tiles of it: 123m55z. */
function mpszOf(codes) {
  return codes.map(mpsz).join("").replace(/(\d)([mpsz])(?=\d\2)/g, "$1");
}

/** The position that the view shows, one line for each fact; player by player from East. */
function positionText(view, state) {
  const { words, frame } = view;
  const codes = (tiles) => mpszOf(tiles.map(view.codeOf));
  const facts = [`${words.left} ${state.left}`, `${words.sticks} ${state.sticks ?? "–"}`, `${words.indicators} ${codes(state.indicators)}`];
  const ura = state.ura.length ? [`${words.ura} ${codes(state.ura)}`] : [];
  return [
    roundName(view, frame, frame.start.honba),
    [...facts, ...ura].join(", "),
    ...byWind(view).flatMap((player) => playerLines(view, state, player)),
    ...(location.protocol === "file:" ? [] : [linkOf()]),
  ].join("\n");
}

function playerLines(view, state, player) {
  const { words, codeOf } = view;
  const points = state.points?.[player];
  const melds = state.melds[player].map((meld) => `[${mpszOf(meldTiles(meld).map(codeOf))}]`);
  const pond = state.ponds[player].map((thrown) => `${mpsz(codeOf(thrown.tile))}${thrown.riichi ? "r" : ""}${thrown.taken === null ? "" : "c"}`);
  return [
    [words.winds[windOf(player, view.frame)], view.names[player], points, state.riichi[player] && words.riichi].filter((part) => part || part === 0).join(" "),
    `  ${words.hand}: ${[handText(view, state, player), ...melds].join(" ")}`,
    `  ${words.pond}: ${pond.join(" ") || "–"}`,
  ];
}

/** The closed tiles, with the one just drawn apart: 123m456p +7s. */
function handText(view, state, player) {
  const drawn = state.drawn[player];
  const shown = isShown(view, state, player);
  const some = (tiles) => (shown ? mpszOf(tiles.map(view.codeOf)) : "?".repeat(tiles.length));
  return [some(state.hands[player] ?? []), drawn !== null && `+${some([drawn])}`].filter(Boolean).join(" ");
}

// --- the panel -------------------------------------------------------------------------------------------------------------

const SHARED = {
  link: () => linkOf(),
  position: () => positionText(view, replay(view.frame, view.step)),
  tenhou: () => tenhouLink(view),
  embed: () => snippet(),
};

/** Copy a text, and show it, since a page may not be allowed to copy. */
async function share(what) {
  const text = SHARED[what]();
  if (text === null) return;
  const box = byId("copied");
  put(box, { hidden: false });
  box.value = text;
  box.scrollIntoView({ block: "nearest" });
  box.select();
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = document.execCommand("copy"); }
  put(byId("shared"), {}, done ? view.words.copied : view.words.notCopied);
}

function drawShare(view) {
  const box = byId("copied");
  put(byId("share-tenhou"), { hidden: !tenhouLink(view) });
  // The text is that of a moment that has passed.
  renew(box, [view.index, view.step, view.seat, view.open, view.quiz, view.lang], () => {
    put(box, { hidden: true });
    box.value = "";
    put(byId("shared"), {}, "");
  });
}
