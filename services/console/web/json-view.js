import { h } from "./dom.js";
import { linesOf } from "./json-lines.js";

const LINES_MAX = 2000;

/**
 * A value with marks at its places: what died, what is objected to, what was changed. A mark on a place that is not
 * there stands at the nearest place above it.
 *
 * @param {unknown} value As `readJson` gives it.
 * @param {{ path: string, kind: string, message: string }[]} marks
 */
export function jsonView(value, marks, label) {
  const lines = linesOf(value);
  const shown = lines.slice(0, LINES_MAX);
  const places = new Set(lines.map(({ pointer }) => pointer));
  const byPlace = Map.groupBy(marks, ({ path }) => nearest(places, path));
  const rows = shown.map((line) => row(line, line.isEnd ? [] : (byPlace.get(line.pointer) ?? [])));
  if (lines.length > LINES_MAX)
    rows.push(h("div", { class: "line quiet", text: `… ${lines.length - LINES_MAX} more lines` }));
  return h("div", { class: "json", role: "group", "aria-label": label, tabindex: "0" }, ...rows);
}

function row(line, marks) {
  const kind =
    marks.find((mark) => mark.kind === "failure" || mark.kind === "objection")?.kind ?? marks[0]?.kind;
  const said = [...new Set(marks.filter(({ message }) => message !== "").map(({ message }) => message))];
  return h(
    "div",
    { class: "line", data: { mark: kind ?? "", depth: Math.min(line.depth, 12) } },
    h("code", { text: line.text }),
    ...said.slice(0, 3).map((text) => h("span", { class: "said", text: `◂ ${text}` })),
  );
}

function nearest(places, path) {
  let place = path;
  while (place !== "" && !places.has(place)) place = place.slice(0, place.lastIndexOf("/"));
  return place;
}

/** Text that is no JSON, as it came. */
export function textView(text, label) {
  return h("pre", { class: "json text", tabindex: "0", "aria-label": label, text });
}
