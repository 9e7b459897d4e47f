// SPDX-License-Identifier: Apache-2.0
// Lines over time in SVG. What is unknown is a gap.
import { byId, h, svg } from "./dom.js";
import { clock, number, rate, span } from "./format.js";

function path(points, column, x, y) {
  let d = "", open = false;
  for (const p of points) {
    if (p[column] === null) { open = false; continue; }
    d += `${open ? "L" : "M"}${x(p[0]).toFixed(1)} ${y(p[column]).toFixed(1)}`;
    open = true;
  }
  return d;
}

const highest = (points) => points.reduce((m, p) => Math.max(m, p[1] ?? 0, p[2] ?? 0), 0);

function describe(points) {
  const last = [...points].reverse().find((p) => p[1] !== null || p[2] !== null);
  if (!last) return "No data in this span.";
  return `Reads ${rate(last[1])} and writes ${rate(last[2])} at ${clock(last[0])}; highest ${rate(highest(points))}.`;
}

// points: [[unixMs, read, write], …]
export function spark(points, access) {
  const W = 240, H = 48;
  if (!points || points.length < 2) return h("p", { class: "spark muted" }, "No history yet.");
  const most = highest(points) || 1, t0 = points[0][0], t1 = points.at(-1)[0];
  const x = (t) => ((t - t0) / (t1 - t0 || 1)) * W, y = (v) => H - 3 - (v / most) * (H - 6);
  return h("figure", { class: "spark" },
    svg("svg", { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: "none", role: "img", "aria-label": describe(points) },
      access !== "write" && svg("path", { class: "line read", d: path(points, 1, x, y) }),
      access !== "read" && svg("path", { class: "line write", d: path(points, 2, x, y) })),
    h("figcaption", null, `last ${span((t1 - t0) / 1000)}, highest ${rate(most)}`));
}

const nice = (v) => { const p = 10 ** Math.floor(Math.log10(v)); return [1, 2, 2.5, 5, 10].map((m) => m * p).find((m) => m >= v); };

// Times for an axis, at round local moments.
export function ticks(t0, t1, most) {
  const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800].map((s) => s * 1000);
  const step = steps.find((s) => (t1 - t0) / s <= most) || 86400000 * 7;
  const shift = new Date(t0).getTimezoneOffset() * 60000, out = [];
  for (let t = Math.ceil((t0 - shift) / step) * step + shift; t <= t1; t += step) out.push(t);
  return { step, at: out };
}
export const tickText = (t, step) => {
  const d = new Date(t), two = (n) => String(n).padStart(2, "0");
  if (step >= 43200000 || (d.getHours() === 0 && d.getMinutes() === 0 && d.getSeconds() === 0)) return `${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${two(d.getHours())}:${two(d.getMinutes())}${step < 60000 ? `:${two(d.getSeconds())}` : ""}`;
};

export function lines(points) {
  const W = Math.max(300, Math.min(1400, byId("view").clientWidth - 60)), H = 240, L = 64, B = 26, T = 10, R = 12;
  if (!points || points.length < 2) return h("p", { class: "muted" }, "No history yet.");
  const most = nice(highest(points) || 1), t0 = points[0][0], t1 = points.at(-1)[0];
  const x = (t) => L + ((t - t0) / (t1 - t0 || 1)) * (W - L - R), y = (v) => H - B - (v / most) * (H - B - T);
  const { step, at } = ticks(t0, t1, Math.floor(W / 110));
  return h("figure", { class: "chart" },
    h("div", { class: "legend" }, h("span", { class: "l-read" }, "reads (rows/s)"), h("span", { class: "l-write" }, "writes/s")),
    svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": describe(points) },
      [0, 0.25, 0.5, 0.75, 1].map((f) => [
        svg("line", { class: "grid", x1: L, x2: W - R, y1: y(f * most), y2: y(f * most) }),
        svg("text", { class: "axis", x: L - 8, y: y(f * most) + 4, "text-anchor": "end" }, number(f * most))]),
      at.map((t) => svg("text", { class: "axis", x: x(t), y: H - 6, "text-anchor": "middle" }, tickText(t, step))),
      svg("path", { class: "line read", d: path(points, 1, x, y) }),
      svg("path", { class: "line write", d: path(points, 2, x, y) })),
    h("figcaption", null, describe(points)));
}
