"use strict";
// Tiles and melds.

/** A tile showing `code`, a face or "back". Each drawing is in the page once, and referenced. */
function tileElement(code, ...classes) {
  const made = el(["span", "tile", ...classes].join("."), { "data-face": code });
  made.append(svg("svg", { viewBox: "0 0 30 40" }, svg("use", { href: `#t-${code}` })));
  return made;
}

/** A tile as keep() wants it. */
function tileChild(code, ...classes) {
  return [[code, ...classes].join("."), () => tileElement(code, ...classes)];
}

/** A row of tiles, one image to a screen reader, which reads `label`. */
function tileRow(name, label, tiles) {
  return el(name, { role: "img", "aria-label": label }, ...tiles);
}

/** A meld as on the table: the called tile sideways, on the side of the player who discarded it. */
function meldElement(meld, codeOf, label) {
  return tileRow(`span.meld.${meld.type}`, label, MELD_TILES[meld.type](meld, codeOf));
}

const MELD_TILES = {
  chi: claimed,
  pon: claimed,
  daiminkan: claimed,
  kakan: ({ pon, tile }, codeOf) => claimed(pon, codeOf, tile),
  ankan({ tiles }, codeOf) {
    // The red five, which is first, is one of the two face-up tiles.
    const [first, second] = tiles.map(codeOf);
    return [tileElement("back"), tileElement(second), tileElement(first), tileElement("back")];
  },
  kita: ({ tile }, codeOf) => [tileElement(codeOf(tile))],
};

function claimed({ player, source, taken, hand }, codeOf, added) {
  const tiles = hand.map((tile) => tileElement(codeOf(tile)));
  const sideways = [tileElement(codeOf(taken), "side", "taken")];
  if (added !== undefined) sideways.unshift(tileElement(codeOf(added), "side", "added"));
  // Seats as at a table of four: shimocha 1, toimen 2, kamicha 3.
  const from = (source - player + 4) % 4;
  const place = { 3: 0, 2: 1, 1: tiles.length }[from];
  tiles.splice(place, 0, el("span.stack", {}, ...sideways));
  return tiles;
}

/** The tiles of a meld, the called one first. */
function meldTiles(meld) {
  if (meld.type === "kakan") return [...meldTiles(meld.pon), meld.tile];
  return meld.tiles ?? (meld.hand ? [meld.taken, ...meld.hand] : [meld.tile]);
}
