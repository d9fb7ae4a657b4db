"use strict";
// A picture of the table as it is shown, for a PNG. The elements of the page are measured and drawn again in one SVG that
// refers to nothing outside, since only such a picture can be taken from a canvas in every browser.

const SHARPNESS = 2; // pixels of the picture for one of the page
const DRAWN_AS = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"];
const MARGIN = 8;

/** What a picture can show, by the ids of the elements. */
const PICTURED = { table: ["board", "own"], outcome: ["outcome"], hand: ["own"] };

/** The picture of `what` as an SVG element. The table has the near hand below it. */
function pictureElement(what = "table") {
  const parts = PICTURED[what].map(byId);
  const nodes = parts.flatMap((part) => [part, ...part.querySelectorAll("*")]).filter((node) => !node.closest(".close, .sheet, .spoken"));
  const boxes = (what === "table" ? parts : nodes).map((node) => node.getBoundingClientRect()).filter(({ width }) => width);
  const [left, top] = [Math.min(...boxes.map((box) => box.left)) - MARGIN, Math.min(...boxes.map((box) => box.top)) - MARGIN];
  const width = Math.max(...boxes.map((box) => box.right)) + MARGIN - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) + MARGIN - top;
  const paper = getComputedStyle(what === "outcome" ? parts[0] : document.documentElement).backgroundColor;
  return svg("svg", { xmlns: SVG, width: SHARPNESS * width, height: SHARPNESS * height, viewBox: `${left} ${top} ${width} ${height}` },
    styledDrawings(),
    svg("rect", { x: left, y: top, width, height, fill: paper }),
    ...nodes.flatMap(piecesOf));
}

/** The drawings of the tiles, with the styles that the page's style sheet gives them. */
function styledDrawings() {
  const all = document.querySelector("svg.tiles");
  const copy = all.cloneNode(true);
  const copied = copy.querySelectorAll("*");
  for (const [index, one] of all.querySelectorAll("*").entries()) {
    const style = getComputedStyle(one);
    for (const name of DRAWN_AS) copied[index].setAttribute(name, style.getPropertyValue(name));
    copied[index].removeAttribute("class");
  }
  return svg("defs", {}, ...copy.childNodes);
}

/** What is drawn for an element of the table itself, without its children. */
function piecesOf(node) {
  if (!node.checkVisibility()) return [];
  if (node.matches(".tile > svg")) return [tilePiece(node)];
  if (node.closest(".tile")) return [];
  return [boxPiece(node), ...painted(node), ...[...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).flatMap(textPieces)].filter(Boolean);
}

/** How far `node` is turned on the table, in degrees. */
function turnOf(node) {
  if (!node.closest("#room")) return 0;
  const { transform } = getComputedStyle(node);
  const { a, b } = transform === "none" ? { a: 1, b: 0 } : new DOMMatrix(transform);
  return Math.round((180 / Math.PI) * Math.atan2(b, a)) + (node.parentElement ? turnOf(node.parentElement) : 0);
}

/** The attributes that turn a piece of `width` and `height` about the middle of `box`, where it lies. */
function placed(box, width, height, turn) {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return { x: x - width / 2, y: y - height / 2, width, height, transform: `rotate(${turn} ${x} ${y})` };
}

function tilePiece(node) {
  const box = node.getBoundingClientRect();
  const turn = turnOf(node);
  const [width, height] = turn % 180 ? [box.height, box.width] : [box.width, box.height];
  const at = placed(box, width, height, turn);
  const tile = node.parentElement;
  const shade = tile.classList.contains("drawn") && svg("rect", { ...at, rx: width / 8, fill: "#000", opacity: 0.18 });
  const ring = tile.matches(".latest, .winning") && svg("rect", { ...at, rx: width / 8, fill: "none", stroke: "#ffc53d", "stroke-width": 2 });
  const opacity = tile.classList.contains("gone") ? 0.42 : 1;
  return svg("g", { opacity }, svg("use", { ...at, href: node.querySelector("use").getAttribute("href") }), ...[shade, ring, ...marksOf(tile)].filter(Boolean));
}

/** The marks on a tile, as it lies: of a dora, and of a karagiri or an unknown discard. */
function marksOf(tile) {
  const turn = turnOf(tile);
  const box = tile.getBoundingClientRect();
  const { x, y, width, height, transform } = placed(box, ...(turn % 180 ? [box.height, box.width] : [box.width, box.height]), turn);
  const [dora, line] = ["::before", "::after"].map((pseudo) => getComputedStyle(tile, pseudo));
  const size = Math.min(0.13 * width, 6.4);
  return [
    dora.display !== "none" && svg("circle", { class: "dora-mark", cx: x + 0.96 * width - size, cy: y + 0.03 * height + size, r: size, fill: dora.backgroundColor, stroke: "#fffdf7", transform }),
    line.content !== "none" && svg("rect", { class: "manner-mark", x: x + 0.3 * width, y: y + 0.89 * height, width: 0.4 * width, height: 0.09 * height, rx: 0.04 * height, fill: line.backgroundColor, transform }),
  ];
}

/** What is painted on sticks: the dot of a riichi stick, the stripes of a honba stick. */
function painted(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  if (node.matches(".stick, .thousand")) return [svg("circle", { class: "dot", cx: left + width / 2, cy: top + height / 2, r: 0.3 * Math.min(width, height), fill: "#c0201c" })];
  if (!node.matches(".hundred")) return [];
  return [0, 1, 2, 3].map((stripe) => svg("rect", { x: left, y: top + (0.19 + 0.27 * stripe) * height, width, height: 0.08 * height, fill: "#222" }));
}

/** The ground of an element: its colour, or that of sticks and counters, which are painted. */
function boxPiece(node) {
  const style = getComputedStyle(node);
  const drawn = style.backgroundImage !== "none";
  const colour = node.id === "board" ? style.getPropertyValue("--felt") : node.matches(".block") ? style.backgroundColor : drawn ? "#fbf7ea" : style.backgroundColor;
  if (colour === "rgba(0, 0, 0, 0)") return null;
  const { left, top, width, height } = node.getBoundingClientRect();
  const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2);
  return svg("rect", { x: left, y: top, width, height, rx: radius, fill: colour });
}

/** A text, line by line; what is cut off in the page is left out. */
function textPieces(text) {
  const node = text.parentElement;
  const cut = node.closest("button")?.getBoundingClientRect();
  const style = getComputedStyle(node);
  const turn = turnOf(node);
  return linesOf(text).filter(({ box }) => box.width && (!cut || box.bottom <= cut.bottom + 2)).map(({ letters, box }) => {
    const { x, y, width, height, transform } = placed(box, box.width, box.height, turn);
    const across = turn % 180 ? height : width;
    return svg("text", {
      x: x + width / 2, y: y + height / 2, transform, fill: style.color, textLength: across, lengthAdjust: "spacingAndGlyphs",
      "font-size": style.fontSize, "font-weight": style.fontWeight, "font-family": style.fontFamily,
      "text-anchor": "middle", "dominant-baseline": "central",
    }, letters);
  });
}

/** The lines of a text: the letters, and the box around them. */
function linesOf(text) {
  const range = document.createRange();
  const lines = [];
  for (let at = 0; at < text.length; at += 1) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    const line = lines.at(-1);
    const turned = turnOf(text.parentElement) % 180 !== 0;
    if (line && (turned ? left === line.left : top === line.top)) Object.assign(line, { to: at + 1, right: Math.max(right, line.right), bottom: Math.max(bottom, line.bottom), left: Math.min(left, line.left), top: Math.min(top, line.top) });
    else lines.push({ from: at, to: at + 1, left, top, right, bottom });
  }
  return lines.map(({ from, to, left, top, right, bottom }) => ({ letters: text.data.slice(from, to).trim(), box: new DOMRect(left, top, right - left, bottom - top) }))
    .filter(({ letters }) => letters);
}

/** Save the picture of `what` as a PNG. */
async function savePicture(what) {
  if (what === "outcome" && byId("outcome").hidden) return;
  const drawn = pictureElement(what);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = el("canvas", { width: drawn.getAttribute("width"), height: drawn.getAttribute("height") });
  canvas.getContext("2d").drawImage(image, 0, 0);
  el("a", { href: canvas.toDataURL("image/png"), download: `${view.frame.name}-${view.step}${what === "table" ? "" : `-${what}`}.png` }).click();
}
