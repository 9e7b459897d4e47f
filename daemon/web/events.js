// SPDX-License-Identifier: Apache-2.0
// What fired, was held, or ended.
import { get } from "./api.js";
import { h } from "./dom.js";
import { events } from "./now.js";

export const load = () => get("alerts/history?limit=500");
export const render = (data) => [
  h("h1", null, "Events"),
  h("p", { class: "muted" }, "Since hotspotd started, newest first, at most 500."),
  events(data.events, "Nothing has fired since hotspotd started."),
];
