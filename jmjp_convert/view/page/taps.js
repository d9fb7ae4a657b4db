"use strict";
// Clicks and taps on the table: a step forward, or on its left third a step back. A tap on a tile selects it instead, as
// a finger cannot point; a long press does nothing.

const LONG_PRESS = 500; // milliseconds
const BACK = 1 / 3; // of the table's width, on the left
const pressed = { at: 0, touch: false };

document.addEventListener("pointerdown", (event) => {
  Object.assign(pressed, { at: event.timeStamp, touch: event.pointerType === "touch" });
}, { capture: true });

document.addEventListener("click", (event) => {
  const tile = pressed.touch ? event.target.closest?.(":is(#board, #own) .tile:not([data-face=back], [role=button])") : null;
  if (tile || selected) lightAt(tile === lit ? null : tile, true);
  if (tile || event.timeStamp - pressed.at > LONG_PRESS || event.target.closest?.("button") || !event.target.closest?.("#board")) return;
  const { left, width } = byId("board").getBoundingClientRect();
  walk(event.clientX - left < width * BACK ? -1 : 1);
});
