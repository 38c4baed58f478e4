import { h } from "./dom.js";

/** @type {[number, string][]} */
const AGES = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** With the name of the zone: it is the reader's own, and theirs to check. */
const EXACT = new Intl.DateTimeFormat([], { dateStyle: "full", timeStyle: "long" });
const TIME = new Intl.DateTimeFormat([], { timeStyle: "short" });

/** How long ago, in few messages; exactly when, in the reader's zone, in its tooltip. @param {number} ms Epoch. */
export function when(ms) {
  const date = new Date(ms);
  return h("time", {
    datetime: date.toISOString(),
    title: EXACT.format(date),
    data: { ms: String(ms) },
    text: age(ms),
  });
}

/** The time of day in the reader's zone, for what is still to come. @param {number} ms Epoch. */
export function clockAt(ms) {
  const date = new Date(ms);
  return h("time", { datetime: date.toISOString(), title: EXACT.format(date), text: TIME.format(date) });
}

/** Ages grow while nothing happens: told anew where they stand. */
export function refreshAges() {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = document.querySelectorAll("time[data-ms]");
  for (const time of times) time.textContent = age(Number(time.dataset.ms));
}

function age(ms) {
  const passed = Math.max(0, Date.now() - ms);
  const [unit, name] = AGES.find(([size]) => passed >= size) ?? [1000, "s"];
  return `${Math.floor(passed / unit)} ${name} ago`;
}

/** @type {[number, string][]} */
const SPANS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

/** A length of time in words. @param {number} ms */
export function lasting(ms) {
  const [unit, name] = SPANS.find(([size]) => ms >= size) ?? [1000, "second"];
  const count = Math.round((ms / unit) * 10) / 10;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
