import { get } from "./api.js";
import { caseHead } from "./case-link.js";
import { fill, h } from "./dom.js";
import { empty, failed, loading, pager, table } from "./states.js";

const LIMIT = 50;

const RESULTS = {
  not_yet: ["not yet its turn", ""],
  refused: ["refused: in no state for it", "warn"],
  under_way: ["under way", "warn"],
  went_on: ["went on", "good"],
  died_again: ["failed again", "bad"],
  ended: ["not sent on", ""],
};

/** What became of each case of one piece of work, seen when it is opened, and again while it stays open. */
export function applyCases(batchId, isUndo) {
  const slot = h("div", {});
  const element = h("details", {}, h("summary", { text: "What became of each case" }), slot);
  let offset = 0;
  const load = async () => {
    try {
      const { cases, total } = await get("/v1/ward/applies/{batch_id}/cases", {
        path: { batch_id: batchId },
        query: { limit: LIMIT, offset },
      });
      const go = (to) => {
        offset = to;
        void load();
      };
      fill(slot, ...list(cases, isUndo), pager({ offset, limit: LIMIT, total, go }));
    } catch (problem) {
      fill(slot, failed(problem, load));
    }
  };
  element.addEventListener("toggle", () => {
    if (!element.open) return;
    fill(slot, loading("cases"));
    void load();
  });
  return {
    element,
    mayHaveChanged() {
      if (element.open) void load();
    },
  };
}

function list(cases, isUndo) {
  if (cases.length === 0) return [empty("No case of this group waited when it was planned.")];
  const rows = cases.map((one) =>
    h(
      "tr",
      {},
      caseHead(one.case_id, "apply"),
      h("td", { text: one.status === null ? "kept no more" : one.status.replace("_", " ") }),
      h("td", {}, result(one, isUndo)),
    ),
  );
  return [table({ caption: "Cases of this work", columns: ["Case", "Now", "Result"], rows })];
}

function result({ result: name, status }, isUndo) {
  const ended = { discarded: "discarded", quarantined: isUndo ? "restored" : undefined }[status];
  const [text, kind] = name === "ended" && ended !== undefined ? [ended, ""] : (RESULTS[name] ?? [name, ""]);
  return h("span", { class: `badge ${kind}`, text });
}
