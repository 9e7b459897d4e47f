// SPDX-License-Identifier: Apache-2.0
// Answers of the daemon, held with their entity tags: an unchanged one is not sent again.

const held = new Map(); // path -> {etag, data}
const HELD_MAX = 200;

export class ApiError extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

// Server time minus ours, in ms, as of the last answer.
export let clockOffset = 0;
export const serverNow = () => Date.now() + clockOffset;

// hold: false for addresses that hardly come twice.
export async function get(path, { hold = true } = {}) {
  const before = held.get(path);
  let answer;
  try {
    answer = await fetch(`api/v1/${path}`, {
      cache: "no-store",
      headers: before ? { "If-None-Match": before.etag } : {},
      signal: AbortSignal.timeout(15000),
    });
  } catch (error) {
    throw new ApiError(error.name === "TimeoutError" ? "hotspotd did not answer within 15 s" : "hotspotd cannot be reached", 0);
  }
  const date = Date.parse(answer.headers.get("date"));
  if (date && Math.abs(date - Date.now()) > 2000) clockOffset = date - Date.now();
  else clockOffset = 0;
  if (answer.status === 304 && before) return before.data;
  let body;
  try { body = await answer.json(); } catch { throw new ApiError(`hotspotd answered ${answer.status} without JSON`, answer.status); }
  if (!answer.ok || body.status !== "success") throw new ApiError(body.error || `status ${answer.status}`, answer.status);
  const etag = answer.headers.get("etag");
  held.delete(path);
  if (held.size >= HELD_MAX) held.delete(held.keys().next().value);
  if (etag && hold) held.set(path, { etag, data: body.data });
  return body.data;
}

export const query = (params) => new URLSearchParams(
  Object.entries(params).filter(([, v]) => v !== undefined && v !== null && v !== "")).toString();
