import { get } from "./api.js";
import { decisionForm } from "./decision-form.js";
import { usd } from "./amounts.js";
import { approvalForm } from "./approval-form.js";
import { auditList } from "./audit-list.js";
import { costOf } from "./costs-view.js";
import { at, fill, h } from "./dom.js";
import { isAttached, unsealedBadge } from "./group-name.js";
import { evidenceView, ruleInWords } from "./evidence-view.js";
import { readJson } from "./json-lines.js";
import { jsonView, textView } from "./json-view.js";
import { revealForm } from "./reveal-form.js";
import { facts } from "./states.js";
import { clockAt, when } from "./when.js";

const NAMES = { first_aid: "first aid", strong_model: "strong model" };

/** What is shown, so that news of its run do not tear an edit from somebody's hands. */
const shown = { id: "", version: 0 };

/** Loads a case and shows it. While the case itself is the same, only what happened around it is storyBox anew. */
export async function openCase(caseId, caller) {
  const view = await get("/v1/ward/cases/{case_id}", { path: { case_id: caseId } });
  if (location.hash !== `#case/${encodeURIComponent(caseId)}`) return;
  const storyBox = at("detail").querySelector("[data-story]");
  if (storyBox !== null && shown.id === caseId && shown.version === view.case.version) {
    storyBox.replaceWith(story(view));
    return;
  }
  const isNew = shown.id !== caseId;
  Object.assign(shown, { id: caseId, version: view.case.version });
  fill(at("detail"), ...parts(view, caller));
  if (isNew) scrollTo({ top: 0 });
}

export function closeCase() {
  shown.id = "";
}

function parts(view, caller) {
  const one = view.case;
  return [
    h(
      "header",
      { class: "case-head" },
      h("a", { href: "#", class: "back", text: "← Ward" }),
      h("h2", {}, one.agent, h("small", { text: ` ${one.contract}` })),
      h("span", { class: "status", data: { status: one.status }, text: one.status.replace("_", " ") }),
      unsealedBadge(one.case_id),
      h("span", { class: "mono quiet", text: one.case_id }),
    ),
    summary(view),
    !isAttached(one.case_id) && revealForm(view, caller, (revealed) => showRevealed(revealed, caller)),
    ...(view.approval === null
      ? [h("section", { class: "compare" }, originalSide(view), repairSide(view))]
      : [approvalForm(view, caller)]),
    decisionForm(view, caller),
    failures(view),
    ladder(view),
    story(view),
  ];
}

/** Shows a case again with what somebody had revealed, until they go elsewhere. */
function showRevealed(view, caller) {
  if (shown.id === view.case.case_id) fill(at("detail"), ...parts(view, caller));
}

function story(view) {
  return h("div", { class: "compare", data: { story: "" } }, timeline(view), audit(view));
}

function summary({ case: one, message, run, original_query }) {
  const known = [
    ["Failure", one.failure_class.replaceAll("_", " ")],
    ["Made by", [one.producer, message?.producer.model].filter(Boolean).join(" · ")],
    ["Arrived", when(one.admitted_ms)],
    ["Operations", String(one.operations)],
    ["Cost of surgery", costOf(one.cost, "case")],
    ["Run", run === null ? "kept no more" : runLink(one.run_id, run)],
    ["Group", h("a", { href: `#group/${encodeURIComponent(one.fingerprint)}`, text: one.fingerprint })],
  ];
  return h(
    "section",
    { class: "panel" },
    one.diagnosis !== null && h("p", { class: "diagnosis", text: one.diagnosis }),
    one.waits !== null &&
      h("p", { class: "pending" }, "Waits until ", clockAt(one.waits.until_ms), `: ${one.waits.why}`),
    one.decision !== null &&
      h("p", {
        class: "pending",
        text: `${one.decision.by} decided: ${one.decision.kind}. The surgeon is on it.`,
      }),
    one.proposal !== null &&
      h("p", {
        class: "pending",
        text: `${one.proposal.by} proposes a change that a second person has to approve: ${one.proposal.paths.join(", ")}`,
      }),
    facts(known),
    original_query !== null &&
      original_query !== "" &&
      h(
        "details",
        {},
        h("summary", { text: isAttached(one.case_id) ? "Stack" : "What the user asked" }),
        h("pre", { class: "json text", text: original_query }),
      ),
  );
}

function runLink(runId, run) {
  const text = `${run.status} · ${usd(run.cost)} · steps`;
  return h("a", { href: `#run/${encodeURIComponent(runId)}`, text });
}

function originalSide({ original, marks, repair, message }) {
  const failed = marks.filter(({ from }) => from === "failure");
  const title =
    message?.subject.kind === "answer"
      ? `Original: the model's answer in step ${message.subject.step}`
      : "Original";
  if (original === null) {
    return side(
      title,
      h("p", { class: "quiet", text: "Never verified: nobody has read it." }),
      message && textView(message.stored, "As stored"),
    );
  }
  const gone = (repair?.diff ?? [])
    .filter(({ op }) => op === "remove" || op === "replace")
    .map(({ path }) => ({ path, kind: "removed", message: "" }));
  const said = failed.map((issue) => ({ path: issue.path, kind: "failure", message: issue.message }));
  const value = readJson(original.text);
  return side(
    title,
    value === undefined ? textView(original.text, title) : jsonView(value, [...said, ...gone], title),
  );
}

function repairSide(view) {
  const { repair, marks } = view;
  if (repair === null) return side("Repair", h("p", { class: "quiet", text: withoutRepair(view) }));
  const changed = repair.diff
    .filter(({ op }) => op !== "remove")
    .map(({ path }) => ({ path, kind: "added", message: "" }));
  const objected = marks
    .filter(({ from }) => from === "objection")
    .map(({ path, code, message }) => ({ path, kind: "objection", message: `${code}: ${message}` }));
  const by = NAMES[repair.procedure] ?? repair.procedure;
  return side(
    `Repair by ${by}: ${repair.outcome}`,
    jsonView(repair.value, [...objected, ...changed], "Repair"),
    h("p", {
      class: "quiet",
      text: repair.said ? `${repair.reason} It says: ${repair.said}` : reasonOf(repair),
    }),
    repair.diff.length === 0 &&
      h("p", { class: "quiet", text: "Nothing in it was changed: only its text was read." }),
    repair.evidence !== null &&
      repair.evidence.values.length + repair.evidence.unused.length > 0 &&
      evidenceView(repair.evidence),
  );
}

/** First aid's reason is a list of rules. */
function reasonOf({ procedure, reason }) {
  return procedure === "first_aid" ? reason.split(", ").map(ruleInWords).join(", ") : reason;
}

const SENT_ON = { released: "sent it on", rerouted: "offered it to another agent", discharged: "sent it on" };

/** What became of a message for which no changed value is kept. */
function withoutRepair({ case: one, history, audit: entries }) {
  const healed = history.flatMap(({ attempts }) => attempts).findLast(({ outcome }) => outcome === "healed");
  const [last] = entries.filter(({ action }) => SENT_ON[action] !== undefined);
  if (one.status === "discharged" || one.status === "released") {
    if (last?.detail?.healed === false)
      return `It went on as it stood: ${last.by} ${SENT_ON[last.action]}${last.why === "" ? "." : `, because: ${last.why}`}`;
    if (healed !== undefined)
      return `${NAMES[healed.procedure] ?? healed.procedure} healed it; what it changed was too much to keep.`;
  }
  return history.length === 0 ? "No procedure was tried." : "No procedure had an answer.";
}

function side(title, ...inside) {
  return h("section", { class: "panel" }, h("h3", { text: title }), ...inside);
}

function failures({ message }) {
  const items = (message?.failures ?? []).map((failure) =>
    h(
      "li",
      {},
      h("b", { text: failure.code }),
      ` ${failure.message} `,
      h("span", { class: "quiet", text: failure.remedy }),
      h(
        "ul",
        {},
        ...failure.issues.map((issue) =>
          h("li", {}, h("code", { text: issue.path || "/" }), ` ${issue.message}`),
        ),
      ),
    ),
  );
  return h(
    "section",
    { class: "panel" },
    h("h3", { text: "Failures" }),
    h("ol", { class: "lines" }, ...items),
  );
}

function ladder({ history }) {
  const rows = history.flatMap((operation) =>
    operation.attempts.map((attempt) =>
      h(
        "tr",
        {},
        h("td", { text: operation.number }),
        h("th", { scope: "row", text: NAMES[attempt.procedure] ?? attempt.procedure }),
        h(
          "td",
          {},
          h("span", { class: "outcome", data: { outcome: attempt.outcome }, text: attempt.outcome }),
        ),
        h(
          "td",
          {},
          attempt.reason,
          attempt.said && h("q", { class: "quiet", text: attempt.said }),
          ...attempt.objections.map(({ path, code }) =>
            h("div", {}, h("code", { text: path || "/" }), ` ${code}`),
          ),
        ),
        h("td", {
          class: "quiet",
          text: [attempt.model, `${Math.round(attempt.duration_ms)} ms`, usd(attempt.cost)]
            .filter(Boolean)
            .join(" · "),
        }),
      ),
    ),
  );
  const none = h("p", { class: "quiet", text: "Nothing was tried." });
  const table = h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, ...rows)));
  return h(
    "section",
    { class: "panel" },
    h("h3", { text: "What the ladder tried" }),
    rows.length === 0 ? none : table,
  );
}

function timeline({ timeline: events }) {
  const items = events.map((event) =>
    h(
      "li",
      {},
      when(Date.parse(event.at)),
      ` ${event.type.replace("_", " ")} `,
      h("b", { text: event.agent ?? "" }),
    ),
  );
  return h(
    "section",
    { class: "panel" },
    h("h3", { text: "The run" }),
    h("ol", { class: "lines tall" }, ...items),
  );
}

function audit({ audit: entries }) {
  return h(
    "section",
    { class: "panel" },
    h("h3", { text: "Who did what" }),
    auditList(entries, "Nothing is written down of it any more."),
  );
}
