// SPDX-License-Identifier: Apache-2.0
// One region: its rates over time, what is known of it, its alert.
import { get, query, serverNow } from "./api.js";
import { lines } from "./chart.js";
import { copyButton, h } from "./dom.js";
import { ago, bytes, count, keyRange, link, percent, ratio, rate, short, span, state, time } from "./format.js";
import { card } from "./now.js";

const SPANS = { "1h": [3600, "10s"], "24h": [86400, "5m"], "7d": [604800, "1h"] };

export async function load(params) {
  if (!params.id) throw new Error("No region is named in the address.");
  const id = encodeURIComponent(params.id), [seconds, step] = SPANS[params.last] || SPANS["1h"];
  const from = ((serverNow() - seconds * 1000) / 1000).toFixed(0);
  const [region, series] = await Promise.all([get(`regions/${id}`), get(`regions/${id}/series?${query({ from, step })}`, { hold: false })]);
  return { region, points: series.points };
}

export function render({ region: r, points }, params, { go }) {
  const fact = (name, ...value) => h("div", { class: "fact" }, h("dt", null, name), h("dd", null, ...value));
  return [
    h("h1", null, "Region ", h("code", null, short(r.region)), " of ", h("a", { href: link("heatmap", { table: r.table }) }, r.table)),
    h("p", { class: "full" }, h("code", null, r.region), " ", copyButton(r.region, "region name"), " ", state(r.stale ? "stale" : r.state)),
    h("dl", { class: "facts wide" },
      fact("row keys", keyRange(r.startKey, r.endKey)),
      fact("reads", h("b", { class: "big" }, rate(r.readRate)), " rows"), fact("writes", h("b", { class: "big" }, rate(r.writeRate))),
      fact("times the others", h("b", { class: "big" }, ratio(r.ratio, r.rate))),
      fact("of the table's load", percent(r.share)),
      fact("on server", r.server ? h("a", { href: link("servers", { server: r.server }) }, r.server) : "none known"),
      fact("size of store files", bytes(r.sizeBytes)), fact("locality", percent(r.locality)),
      fact("last new sample", ago(r.lastSample, serverNow())),
      fact("counters", r.readRequestCount === null ? "–" : `${count(r.readRequestCount)} rows read, ${count(r.writeRequestCount)} writes since it opened`),
      fact("created", time(r.created))),
    h("div", { class: "controls" }, h("fieldset", { class: "choice" }, h("legend", { class: "hidden" }, "Span"),
      Object.entries(SPANS).map(([name, [seconds]]) => h("button", { type: "button", "data-key": name, "aria-pressed": String((params.last || "1h") === name), onclick: () => go("region", { ...params, last: name }) }, span(seconds).replace(/ 0 (min|h)/, ""))))),
    lines(points),
    r.alert ? h("section", null, h("h2", null, "Its alert"), card(r.alert)) : null,
    r.lineage.length > 0 && !r.alert ? h("section", null, h("h2", null, "Lineage"), h("ol", { class: "lineage" }, r.lineage.map((l) => h("li", null, time(l.time), ` ${l.event} ${short(l.from)} → ${short(l.to)}`)))) : null,
  ];
}
