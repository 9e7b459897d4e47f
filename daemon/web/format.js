// SPDX-License-Identifier: Apache-2.0
// Numbers, times and keys as people read them.
import { h } from "./dom.js";

const NONE = "–";
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const known = (v) => typeof v === "number" && Number.isFinite(v);

export function number(v) {
  if (!known(v)) return NONE;
  const size = Math.abs(v);
  if (size >= 99.5 || v === 0) return grouped.format(v);
  return size >= 10 ? v.toFixed(1) : String(Number(v.toPrecision(2)));
}
export const rate = (v) => (known(v) ? `${number(v)}/s` : NONE);
export const count = (v) => (known(v) ? grouped.format(v) : NONE);
export const percent = (v) => (known(v) ? `${v > 0 && v < 0.01 ? "<1" : Math.round(v * 100)} %` : NONE);
export const times = (v) => (known(v) ? `${number(v)}×` : NONE);

// A ratio of null with a rate above nothing is one against an idle rest.
export const ratio = (v, rate) => (v === null && rate > 0 ? "∞×" : times(v));

export function bytes(v) {
  if (!known(v)) return NONE;
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let i = 0;
  while (v >= 1024 && i < units.length - 1) { v /= 1024; i++; }
  return `${i === 0 || v >= 99.5 ? Math.round(v) : v.toPrecision(2)} ${units[i]}`;
}

export function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min${s < 600 ? ` ${s % 60} s` : ""}`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

const two = (n) => String(n).padStart(2, "0");
export function clock(ms, seconds = true) {
  const d = new Date(ms);
  const day = new Date(ms).toDateString() === new Date().toDateString() ? "" :
    `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} `;
  return `${day}${two(d.getHours())}:${two(d.getMinutes())}${seconds ? `:${two(d.getSeconds())}` : ""}`;
}
export const utc = (ms) => `${new Date(ms).toISOString().replace("T", " ").slice(0, 19)} UTC`;

// Local time, UTC on hover.
export function time(text, seconds = true) {
  if (!text) return h("span", null, NONE);
  const ms = Date.parse(text);
  return h("time", { datetime: text, title: utc(ms) }, clock(ms, seconds));
}

export function ago(text, nowMs) {
  if (!text) return h("span", null, "never");
  const ms = Date.parse(text);
  return h("time", { datetime: text, title: `${clock(ms)} local, ${utc(ms)}` }, `${span((nowMs - ms) / 1000)} ago`);
}

export function keyText(key, end) {
  if (key === null || key === undefined) return "?";
  return key === "" ? (end ? "end of table" : "start of table") : key;
}

export function keyRange(start, end) {
  const one = (key, last) => h(key ? "code" : "span", { class: key ? "key" : "open" }, keyText(key, last));
  return h("span", { class: "range" }, one(start, false), " … ", one(end, true));
}

export const short = (region) => (region && region.length > 10 ? `${region.slice(0, 8)}…` : region || NONE);
export const unit = (access) => (access === "read" ? "rows read/s" : access === "write" ? "writes/s" : "requests/s");

export function state(name) {
  return h("span", { class: `state s-${name}` }, name);
}

export const link = (view, params) => {
  const query = new URLSearchParams(Object.entries(params || {}).filter(([, v]) => v !== undefined && v !== "" && v !== null));
  return `#/${view}${String(query) ? `?${query}` : ""}`;
};
export const regionLink = (region) =>
  (region ? h("a", { href: link("region", { id: region }), title: region }, h("code", null, short(region))) : NONE);
