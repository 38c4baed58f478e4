import { actForm } from "./act-form.js";
import { count, counted, percent } from "./amounts.js";
import { post } from "./api.js";
import { applyCases } from "./apply-cases.js";
import { fill, h, notify } from "./dom.js";
import { isAttached } from "./group-name.js";
import { empty, facts } from "./states.js";
import { lasting, when } from "./when.js";

const BUSY = new Set(["dry_run", "canary", "running"]);

/** Each piece of work that is shown, with what of it is open: kept while the page is storyBox anew. */
const panels = new Map();

export function closeApplies() {
  panels.clear();
}

/** Work on the group, the newest first. Progress is kept by the ward: the page may be closed and opened again. */
export function showApplies(slot, applies, { caller, reload }) {
  if (applies.length === 0) {
    slot.replaceChildren(empty("Nothing has been done with the whole group yet."));
    return;
  }
  // What an undo that was stopped has not restored can be undone again.
  const undone = new Set(applies.filter(({ state }) => state !== "stopped").map(({ undoes }) => undoes));
  const wanted = applies.map((one) => {
    const isUndone = undone.has(one.batch_id);
    return panelOf({ ...one, isUndone }, { caller, reload });
  });
  // Only what is not in its place is moved: a list that somebody has opened stays as it is.
  if (slot.children.length !== wanted.length || wanted.some((element, i) => slot.children[i] !== element))
    slot.replaceChildren(...wanted);
}

function panelOf(one, around) {
  const known = panels.get(one.batch_id) ?? build(one);
  panels.set(one.batch_id, known);
  showPanel(known, one, around);
  return known.element;
}

function build(one) {
  const storyBox = h("div", {});
  const buttons = h("div", { class: "buttons" });
  const undo = h("div", { hidden: true });
  const cases = applyCases(one.batch_id, one.decision === "restore");
  const element = h(
    "article",
    { class: "apply", "aria-label": `${one.decision} by ${one.by}` },
    storyBox,
    buttons,
    undo,
    cases.element,
  );
  return { element, storyBox, buttons, undo, cases, text: "" };
}

function showPanel(panel, one, { caller, reload }) {
  const text = JSON.stringify([one, caller.role]);
  if (panel.text === text) return;
  panel.text = text;
  panel.element.dataset.busy = String(BUSY.has(one.state) || one.under_way > 0);
  panel.storyBox.replaceChildren(...story(one));
  fill(panel.buttons, ...(caller.role === "viewer" ? [] : buttonsOf(one, reload)));
  panel.undo.hidden = caller.role === "viewer" || !canUndo(one);
  if (!panel.undo.hidden && panel.undo.childElementCount === 0) panel.undo.append(undoForm(one, reload));
  panel.cases.mayHaveChanged(one);
}

/** A discard of a whole group is undone in one act, as long as the ward keeps what it did. */
const canUndo = ({ batch_id: id, decision, decided, isUndone }) =>
  decided > 0 && !isUndone && (decision === "discard" || (isAttached(id) && decision !== "restore"));

const UNDO_EDITS = "Undo the edits of those that failed again";

function undoForm({ batch_id: batchId }, reload) {
  const form = actForm({
    label: "Why, for undoing this discard",
    reload,
    send: (_action, body) => post("/v1/ward/applies/{batch_id}/undo", { path: { batch_id: batchId }, body }),
  });
  form.update({
    version: undefined,
    actions: [
      { name: "undo", title: isAttached(batchId) ? UNDO_EDITS : "Undo this discard", needsWhy: true },
    ],
  });
  return form.element;
}

function story(one) {
  const isCounting = one.state === "dry_run" || one.state === "planned";
  const done = isCounting ? one.checked : one.decided + one.refused;
  const share = one.total === 0 ? 1 : done / one.total;
  return [
    h("h4", {}, `${one.decision}: ${counted(one.total, "case")}, by ${one.by} `, when(one.created_ms)),
    h("p", { class: "quiet", text: one.why }),
    h("progress", {
      max: String(Math.max(1, one.total)),
      value: String(one.total === 0 ? 1 : done),
      "aria-label": isCounting ? "Looked at in the dry run" : "Decided",
    }),
    h("p", {
      role: "status",
      class: one.died_again > 0 ? "bad" : "",
      text: `${stateOf(one)} (${percent(share)})`,
    }),
    facts(numbers(one)),
    one.problem && h("p", { class: "bad", text: one.problem }),
    h(
      "ul",
      { class: "lines" },
      ...(one.examples ?? [])
        .filter(({ changes }) => changes.length > 0)
        .map(({ case_id, changes }) => h("li", { class: "mono", text: `${case_id}: ${changes.join(", ")}` })),
    ),
  ];
}

function numbers(one) {
  const isDiscard = one.decision === "discard";
  const isUndo = one.decision === "restore";
  return [
    !isUndo && ["Dry run", `${count(one.would_pass)} of ${count(one.checked)} looked at would pass`],
    ["Decided", count(one.decided)],
    ["Refused", `${count(one.refused)} in no state for it any more`],
    ["Under way", count(one.under_way)],
    !isDiscard && !isUndo && ["Went on", `${count(one.went_on)} seen to have gone on`],
    !isDiscard &&
      !isUndo && [
        "Failed again",
        h("span", { class: one.died_again > 0 ? "bad" : "", text: count(one.died_again) }),
      ],
    [isDiscard ? "Discarded" : isUndo ? "Restored" : "Not sent on", count(one.left_behind)],
    one.isUndone && ["Undone", "by work that is listed above"],
  ];
}

/** Where it stands, and what comes next. */
function stateOf(one) {
  const rest = Math.max(0, one.total - one.decided - one.refused);
  const time = `at ${one.rate_per_second} a second, ${lasting((rest / one.rate_per_second) * 1000)}`;
  switch (one.state) {
    case "dry_run":
      return "Dry run: counting how many would pass. Nothing is touched.";
    case "planned":
      return `Planned: nothing is touched yet. ${count(one.would_pass)} of ${count(one.total)} would pass. Start it, or stop it.`;
    case "canary":
      return `The first ${count(one.canary)} are at work.`;
    case "look":
      return one.under_way > 0
        ? "The first few are decided, and some are still under way: wait until they have come to something."
        : `The first few are done: ${count(one.went_on)} went on, ${count(one.died_again)} failed again. Look at them, then go on or stop. The rest takes, ${time}.`;
    case "running":
      return `At work: ${count(rest)} to go, ${time}.`;
    case "stopped":
      return `Stopped. What was decided stands; ${count(rest)} were not touched.`;
    default:
      return one.under_way > 0 ? "All are decided; some are still under way." : "Done.";
  }
}

function buttonsOf(one, reload) {
  /** @param {"start" | "stop"} action */
  const steer = async (action) => {
    try {
      await post(`/v1/ward/applies/{batch_id}/${action}`, { path: { batch_id: one.batch_id }, body: {} });
    } catch (problem) {
      notify(problem.message, "bad");
    }
    await reload();
  };
  const button = (action, text, kind) =>
    h("button", {
      type: "button",
      class: kind,
      text,
      data: { key: action },
      onclick: () => void steer(action),
    });
  const rest = one.total - one.decided - one.refused;
  const start = one.canary > 0 ? `Start with the first ${count(Math.min(one.canary, one.total))}` : "Start";
  const canStop = one.state !== "done" && one.state !== "stopped";
  return [
    ...(one.state === "planned" ? [button("start", start, "primary")] : []),
    ...(one.state === "look" ? [button("start", `Go on with the other ${count(rest)}`, "primary")] : []),
    ...(canStop ? [button("stop", "Stop", "danger")] : []),
  ];
}
