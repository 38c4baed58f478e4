import { h } from "./dom.js";

/** The head of a row about a case: its id, which leads to it. `key` tells rows apart when the table is drawn anew. */
export function caseHead(caseId, key) {
  const link = h("a", {
    href: `#case/${encodeURIComponent(caseId)}`,
    class: "mono",
    text: caseId,
    data: { key: `${key}:${caseId}` },
  });
  return h("th", { scope: "row" }, link);
}
