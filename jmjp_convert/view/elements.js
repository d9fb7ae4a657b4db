"use strict";
// Elements: every text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: el("p.said", {title: "…"}, "text", child, …). A falsy child is left out. */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child || child === 0));
  return made;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A tile that shows `code`, a face or "back". Each drawing is in the page once, and used. */
function tileElement(code, ...classes) {
  const made = el(["span", "tile", ...classes].join("."), { "data-face": code });
  made.append(svg("svg", { viewBox: "0 0 30 40" }, svg("use", { href: `#t-${code}` })));
  return made;
}

/** A row of tiles that is one image to a screen reader, which reads `label`. */
function tileRow(name, label, tiles) {
  return el(name, { role: "img", "aria-label": label }, ...tiles);
}

/** A meld as it is laid: the taken tile sideways, on the side of the one who gave it. */
function meldElement(meld, codeOf, label) {
  return tileRow(`span.meld.${meld.type}`, label, MELD_TILES[meld.type](meld, codeOf));
}

const MELD_TILES = {
  chi: claimed,
  pon: claimed,
  daiminkan: claimed,
  kakan: ({ pon, tile }, codeOf) => claimed(pon, codeOf, tile),
  ankan({ tiles }, codeOf) {
    // The red five, which is the first, is one of the two that show.
    const [first, second] = tiles.map(codeOf);
    return [tileElement("back"), tileElement(second), tileElement(first), tileElement("back")];
  },
  kita: ({ tile }, codeOf) => [tileElement(codeOf(tile))],
};

function claimed({ player, source, taken, hand }, codeOf, added) {
  const tiles = hand.map((tile) => tileElement(codeOf(tile)));
  const sideways = [tileElement(codeOf(taken), "side", "taken")];
  if (added !== undefined) sideways.unshift(tileElement(codeOf(added), "side", "added"));
  // Seats are those of a table for four: shimocha is at 1, toimen at 2, kamicha at 3.
  const from = (source - player + 4) % 4;
  const place = { 3: 0, 2: 1, 1: tiles.length }[from];
  tiles.splice(place, 0, el("span.stack", {}, ...sideways));
  return tiles;
}

/** The tiles of a meld in words. */
function meldTiles(meld) {
  if (meld.type === "kakan") return [...meldTiles(meld.pon), meld.tile];
  return meld.tiles ?? (meld.hand ? [meld.taken, ...meld.hand] : [meld.tile]);
}
