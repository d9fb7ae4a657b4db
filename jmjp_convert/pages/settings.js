"use strict";
// What readers set in any page: its language and theme. Other pages of the same place start with them.

const LANGUAGES = ["ja", "en"];

// A page opened from disk may have no storage; nothing is remembered then.
function remembered(key) {
  try { return localStorage.getItem(`jmjp-${key}`); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(`jmjp-${key}`, value); } catch { /* no storage */ }
}

function languageWanted() {
  const wanted = [remembered("lang"), ...(navigator.languages ?? [])].filter(Boolean).map((tag) => tag.slice(0, 2));
  return wanted.find((lang) => LANGUAGES.includes(lang)) ?? "en";
}

function themeWanted() {
  return remembered("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** The language, or the theme, other than `now`; it is remembered. */
function otherLanguage(now) {
  const lang = LANGUAGES.find((other) => other !== now);
  remember("lang", lang);
  return lang;
}

function otherTheme(now) {
  const theme = now === "dark" ? "light" : "dark";
  remember("theme", theme);
  return theme;
}
