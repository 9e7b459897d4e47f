// SPDX-License-Identifier: Apache-2.0
// hotspotd itself: what it asks, how that goes, and what keeps it from judging.
import { get, serverNow } from "./api.js";
import { h } from "./dom.js";
import { ago, bytes, count, percent, span, state, time } from "./format.js";

export const load = () => get("targets");

const KINDS = { regionserver: "RegionServer", master: "master", file: "listing file", command: "listing command", file_sd: "list of servers", http_sd: "list of servers" };

export function render(data, params, { status: s }) {
  const fact = (name, ...value) => h("div", { class: "fact" }, h("dt", null, name), h("dd", null, ...value));
  const round = s.lastRound;
  return [
    h("h1", null, "Health of hotspotd"),
    s.problems.length ? h("ul", { class: "problem-list" }, s.problems.map((p) => h("li", { "data-item": true, tabindex: "0" }, p))) : h("p", { class: "good" }, "No problem."),
    h("dl", { class: "facts wide" },
      fact("version", `${s.version} (${s.revision})`), fact("cluster", s.cluster || "–"), fact("cluster id", s.clusterId || "–"),
      fact("running since", time(s.startTime), ` (${span(s.uptimeSeconds)})`), fact("polls every", span(s.intervalSeconds)),
      fact("last evaluation", time(s.lastEvaluation)),
      fact("last round", round ? [`${round.ok} good, ${round.failed} failed, ${round.skipped} skipped in ${count(round.durationMs)} ms, `, ago(round.startedAt, serverNow())] : "none yet"),
      fact("regions", `${count(s.regions.fresh)} of ${count(s.regions.total)} fresh (${percent(s.coverage)}), ${count(s.regions.withoutServer)} on no server, ${count(s.regions.withoutMetrics)} without metrics`),
      fact("hot beyond the limits", count(s.alerts.suppressed)),
      fact("memory", bytes(s.memoryBytes)), fact("configuration", h("code", null, s.configHash))),
    h("h2", null, "What hotspotd asks"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Targets" }, h("table", null,
      h("thead", null, h("tr", null, ["Target", "Kind", "State", "Last success", "Took", "Last error"].map((t) => h("th", { scope: "col", class: t === "Took" ? "n" : null }, t)))),
      h("tbody", null, data.targets.map((t) => h("tr", { "data-item": true, tabindex: "0", "data-key": `${t.kind} ${t.url}` },
        h("td", null, t.url, t.server ? h("div", { class: "muted" }, t.server) : null), h("td", null, KINDS[t.kind] || t.kind), h("td", null, state(t.state)), h("td", null, ago(t.lastSuccess, serverNow())),
        h("td", { class: "n" }, t.lastDurationMs === null || t.lastDurationMs < 0 ? "–" : `${count(t.lastDurationMs)} ms`), h("td", { class: "error" }, t.lastError || "")))))),
  ];
}
