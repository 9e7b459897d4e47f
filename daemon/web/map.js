// SPDX-License-Identifier: Apache-2.0
// The heat map itself: a canvas of one pixel a cell, scaled up, with axes around it. A row's
// colour is its rate per region, so that many cold regions in a row look cold.
import { ticks, tickText } from "./chart.js";
import { h, say } from "./dom.js";
import { clock, count, keyRange, keyText, link, number, ratio, rate, short, utc } from "./format.js";

// Dark to bright in even steps of lightness, readable without telling red from green.
const STOPS = ["000004", "1b0c41", "4a0c6b", "781c6d", "a52c60", "cf4446", "ed6925", "fb9b06", "f7d13d", "fcffa4"]
  .map((s) => [0, 2, 4].map((i) => parseInt(s.slice(i, i + 2), 16)));
const COLORS = Array.from({ length: 256 }, (_, i) => {
  const at = (i / 255) * (STOPS.length - 1), low = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[low].map((c, k) => Math.round(c + (STOPS[low + 1][k] - c) * (at - low)));
});
const MARKS = { fired: "▲", resolved: "▽", held: "◇", move: "→", split: "⇉", merge: "⇇" };

export function scaleOf(map, rows, log) {
  let most = 0;
  for (const r of rows) for (const v of map.values[r]) if (v !== null) most = Math.max(most, v / map.rows[r].regions);
  // Logarithmic from a 300th of the most; below that and above 0 is the darkest but one.
  const low = most / 300, part = (v) => (log ? 1 - Math.log(most / v) / Math.log(300) : v / most);
  return { most, log, middle: log ? Math.sqrt(low * most) : most / 2,
    at: (v) => (v <= 0 || most <= 0 ? 0 : Math.max(8, Math.min(255, Math.round(part(v) * 255)))) };
}

function paint(canvas, map, rows, scale) {
  const columns = map.times.length;
  canvas.width = columns;
  canvas.height = rows.length;
  const context = canvas.getContext("2d"), image = context.createImageData(columns, rows.length);
  rows.forEach((r, y) => {
    const values = map.values[r], regions = map.rows[r].regions;
    for (let x = 0; x < columns; x++) {
      if (values[x] === null) continue; // transparent: the hatching behind shows
      const color = COLORS[scale.at(values[x] / regions)], at = (y * columns + x) * 4;
      image.data[at] = color[0]; image.data[at + 1] = color[1]; image.data[at + 2] = color[2]; image.data[at + 3] = 255;
    }
  });
  context.putImageData(image, 0, 0);
}

function legend(scale, access) {
  const canvas = h("canvas", { class: "ramp", "aria-hidden": "true" });
  canvas.width = 256; canvas.height = 1;
  const context = canvas.getContext("2d"), image = context.createImageData(256, 1);
  COLORS.forEach((c, i) => { image.data.set([...c, 255], i * 4); });
  context.putImageData(image, 0, 0);
  return h("div", { class: "map-legend" },
    h("span", null, access === "total" ? "requests/s per region" : access === "read" ? "rows read/s per region" : "writes/s per region"),
    h("span", { class: "ramp-box" }, canvas, h("span", { class: "ramp-text" }, h("span", null, "0"), h("span", null, number(scale.middle)), h("span", null, number(scale.most)))),
    h("span", null, h("i", { class: "gap-sample" }), " no data"),
    h("span", { class: "muted" }, Object.entries(MARKS).map(([k, v]) => `${v} ${k}`).join("  ")));
}

// Which rows get a label: hot ones first, then evenly, none over another.
function labelled(map, rows, height) {
  const tall = height / rows.length, used = [], out = [];
  const put = (i) => {
    const y = i * tall;
    if (used.some((u) => Math.abs(u - y) < 17)) return;
    used.push(y);
    out.push(i);
  };
  rows.forEach((r, i) => { if (map.rows[r].state === "firing") put(i); });
  rows.forEach((r, i) => { if (map.rows[r].state === "pending") put(i); });
  const step = Math.max(1, Math.ceil(rows.length / Math.floor(height / 34)));
  for (let i = 0; i < rows.length; i += step) put(i);
  return out;
}

function tip(map, row, column) {
  const r = map.rows[row], v = map.values[row][column], t = Date.parse(map.times[column]), end = t + map.columnSeconds * 1000;
  return [
    h("b", null, v === null ? "no data" : `${rate(v / r.regions)}${r.regions > 1 ? " per region" : ""}`),
    h("span", null, `${clock(t)} – ${clock(end)}`), h("span", { class: "muted" }, utc(t)),
    keyRange(r.startKey, r.endKey),
    h("span", null, r.regions === 1 ? `region ${short(r.region)}` : `${count(r.regions)} regions, together ${rate(v)}; hottest ${short(r.region)}`),
    h("span", null, r.server ? `on ${r.server}` : "on no server known", `, now ${ratio(r.ratio, 1)} the others${r.state && r.state !== "normal" ? `, ${r.state}` : ""}`),
  ];
}

function spoken(map, row, column) {
  const r = map.rows[row], v = map.values[row][column];
  return `${clock(Date.parse(map.times[column]))}, keys ${keyText(r.startKey)} to ${keyText(r.endKey, true)}: ` +
    `${v === null ? "no data" : rate(v / r.regions)}${r.regions > 1 ? ` in each of ${r.regions} regions` : ""}`;
}

// Draws into box. rows: indexes into map.rows; zoom({from, to, first, last}) is called after a drag.
export function drawMap(box, map, rows, log, zoom) {
  const columns = map.times.length, scale = scaleOf(map, rows, log);
  const height = Math.max(220, Math.min(620, rows.length * 16));
  const canvas = h("canvas", { class: "cells", tabindex: "0", role: "img", "aria-describedby": "map-help",
    "aria-label": `Heat map of table ${map.table}: ${rows.length} key ranges over ${columns} spans of time; arrow keys move over cells.` });
  paint(canvas, map, rows, scale);
  const cursor = h("div", { class: "cursor", hidden: true }), brush = h("div", { class: "brush", hidden: true });
  const hint = h("div", { class: "tip", hidden: true });
  const frame = h("div", { class: "map-frame" }, canvas, cursor, brush, hint);
  frame.style.height = `${height}px`;
  const keys = h("div", { class: "map-keys", "aria-hidden": "true" }, labelled(map, rows, height).map((i) => {
    const r = map.rows[rows[i]];
    const label = h("span", { class: `s-${r.state || "normal"}`, title: `${keyText(r.startKey)} … ${keyText(r.endKey, true)}` }, keyText(r.startKey));
    label.style.top = `${(i * height) / rows.length}px`;
    return label;
  }));
  const t0 = Date.parse(map.times[0]), t1 = t0 + columns * map.columnSeconds * 1000, left = (t) => `${((t - t0) / (t1 - t0)) * 100}%`;
  const { step, at } = ticks(t0, t1, Math.max(2, Math.floor(box.clientWidth / 130)));
  const axis = h("div", { class: "map-times", "aria-hidden": "true" }, at.map((t) => {
    const label = h("span", { title: utc(t) }, tickText(t, step));
    label.style.left = left(t);
    return label;
  }));
  const marks = h("div", { class: "map-marks" }, map.marks.filter((m) => Date.parse(m.time) <= t1 + map.columnSeconds * 1000).map((m) => {
    const text = `${m.kind} at ${clock(Date.parse(m.time))}${m.region ? `, region ${short(m.region)}` : ""}`;
    const mark = h("a", { class: `mark m-${m.kind}`, href: m.region ? link("region", { id: m.region }) : "#/events", title: text, "aria-label": text }, MARKS[m.kind] || "•");
    mark.style.left = left(Math.min(Date.parse(m.time), t1));
    return mark;
  }));
  let cell = null, from = null;
  const place = (node, x0, y0, x1, y1) => {
    node.hidden = false;
    node.style.left = `${(x0 / columns) * 100}%`; node.style.width = `${((x1 - x0) / columns) * 100}%`;
    node.style.top = `${(y0 / rows.length) * 100}%`; node.style.height = `${((y1 - y0) / rows.length) * 100}%`;
  };
  const show = (x, y) => {
    cell = [x, y];
    place(cursor, x, y, x + 1, y + 1);
    hint.replaceChildren(...tip(map, rows[y], x));
    hint.hidden = false;
    const onRight = x > columns / 2, below = y < rows.length / 2;
    hint.style.left = onRight ? "" : `${((x + 1) / columns) * 100}%`;
    hint.style.right = onRight ? `${(1 - x / columns) * 100}%` : "";
    hint.style.top = below ? `${((y + 1) / rows.length) * 100}%` : "";
    hint.style.bottom = below ? "" : `${(1 - y / rows.length) * 100}%`;
  };
  const hide = () => { cursor.hidden = hint.hidden = true; };
  const cellAt = (event) => {
    const r = canvas.getBoundingClientRect(), clamp = (v, n) => Math.max(0, Math.min(n - 1, Math.floor(v)));
    return [clamp(((event.clientX - r.left) / r.width) * columns, columns), clamp(((event.clientY - r.top) / r.height) * rows.length, rows.length)];
  };
  const stretch = (a, b) => place(brush, Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]) + 1, Math.max(a[1], b[1]) + 1);
  canvas.onpointerdown = (event) => { if (event.button === 0 && event.pointerType !== "touch") { from = cellAt(event); canvas.setPointerCapture(event.pointerId); } };
  canvas.onpointermove = (event) => {
    const now = cellAt(event);
    if (!from) show(...now);
    else { hide(); stretch(from, now); }
  };
  canvas.onpointerleave = () => { if (document.activeElement !== canvas) hide(); };
  canvas.onpointercancel = () => { from = null; brush.hidden = true; };
  canvas.onpointerup = (event) => {
    if (!from) { show(...cellAt(event)); return; }
    const to = cellAt(event), begin = from;
    from = null;
    brush.hidden = true;
    if (Math.abs(to[0] - begin[0]) < 2 && Math.abs(to[1] - begin[1]) < 2) { show(...to); return; }
    const wide = Math.abs(to[0] - begin[0]) >= 2, tall = Math.abs(to[1] - begin[1]) >= 1;
    zoom({
      from: wide ? t0 + Math.min(begin[0], to[0]) * map.columnSeconds * 1000 : undefined,
      to: wide ? t0 + (Math.max(begin[0], to[0]) + 1) * map.columnSeconds * 1000 : undefined,
      first: tall ? rows[Math.min(begin[1], to[1])] : undefined, last: tall ? rows[Math.max(begin[1], to[1])] : undefined,
    });
  };
  canvas.onkeydown = (event) => {
    const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape") hide();
    if (event.key === "Enter" && cell) location.hash = link("region", { id: map.rows[rows[cell[1]]].region }).slice(1);
    if (!d) return;
    event.preventDefault();
    const [x, y] = cell || [columns - 1, 0];
    show(Math.max(0, Math.min(columns - 1, x + d[0])), Math.max(0, Math.min(rows.length - 1, y + d[1])));
    say(spoken(map, rows[cell[1]], cell[0]));
  };
  canvas.onblur = hide;
  box.replaceChildren(legend(scale, map.access), h("div", { class: "map-grid" }, h("div"), marks, keys, frame, h("div"), axis));
}
