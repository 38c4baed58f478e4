import { count, usd } from "./amounts.js";
import { get } from "./api.js";
import { at, fill, h } from "./dom.js";
import { jsonView, textView } from "./json-view.js";
import { empty, facts, failed } from "./states.js";
import { when } from "./when.js";

const KINDS = {
  delivery: "Delivery to",
  model: "Model call of",
  tool: "Tool called by",
  step: "Step of",
  effect: "Effect of",
  handoff: "Handed on by",
  replacement: "Replaced:",
};

const STATES = {
  none: "None.",
  not_recorded: "Not recorded.",
  gone: "Kept no more, or held by a case of the ward.",
  unverified: "Not shown: its receiver has not verified its seal.",
  unreadable: "Cannot be read.",
  withheld: "For operators and admins alone.",
};

/** What is shown, so that news of other runs do not close what somebody has opened. */
const shown = { steps: "" };

/** What passed between the steps of a run: what each was sent, what it used of that, and what it gave. */
export async function openRun(runId) {
  const page = await get("/v1/runs/{run_id}/steps", { path: { run_id: runId } });
  if (location.hash !== `#run/${encodeURIComponent(runId)}`) return;
  const steps = JSON.stringify(page);
  if (shown.steps === steps && at("detail").querySelector("[data-page=run]") !== null) return;
  shown.steps = steps;
  const list = h("ol", { class: "steps" }, ...page.steps.map((step) => stepView(runId, step)));
  fill(
    at("detail"),
    h(
      "section",
      { class: "page", data: { page: "run" } },
      h(
        "header",
        { class: "case-head" },
        h("h2", { text: "Run" }),
        h("span", { class: "mono quiet", text: runId }),
      ),
      page.is_masked &&
        h("p", { class: "quiet", text: "What contracts mark as sensitive is not shown here." }),
      page.steps.length === 0 ? empty("No agent has begun it, or its steps are kept no more.") : list,
      moreButton(runId, list, page.next_cursor),
    ),
  );
}

function moreButton(runId, list, cursor) {
  if (cursor === null) return null;
  const button = h("button", { type: "button", text: "More steps", data: { key: "more" } });
  button.addEventListener("click", async () => {
    try {
      const page = await get("/v1/runs/{run_id}/steps", { path: { run_id: runId }, query: { cursor } });
      list.append(...page.steps.map((step) => stepView(runId, step)));
      const next = moreButton(runId, list, page.next_cursor);
      if (next === null) button.remove();
      else button.replaceWith(next);
    } catch (problem) {
      button.replaceWith(failed(problem, () => openRun(runId)));
    }
  });
  return button;
}

function stepView(runId, step) {
  const { kind, agent, name, to, outcome } = step;
  const title = [
    KINDS[kind],
    agent,
    name,
    step.problems !== null && "(asked again)",
    to !== null && `to ${to.agent}`,
  ];
  return h(
    "li",
    { class: "panel", data: { kind } },
    h(
      "h3",
      {},
      title.filter(Boolean).join(" "),
      outcome === null ? null : h("small", { text: ` ${outcome.replaceAll("_", " ")}` }),
    ),
    facts(factsOf(step)),
    step.problems === null ? null : h("p", { class: "bad", text: `Asked again because: ${step.problems}` }),
    step.instructions.state === "none" || step.instructions.state === "withheld"
      ? null
      : h(
          "details",
          {},
          h("summary", { text: "Instructions" }),
          contentView(step.instructions, "Instructions", []),
        ),
    h(
      "div",
      { class: "compare" },
      side(
        runId,
        step,
        "input",
        kind === "model" ? "What the prompt held" : "What it was sent",
        inputMarks(step),
      ),
      side(
        runId,
        step,
        "output",
        kind === "handoff" || kind === "replacement" ? "What was handed on" : "What it gave",
        outputMarks(step),
      ),
    ),
    step.diff === null ? null : diffView(step.diff),
    conversationView(step.conversation),
  );
}

function factsOf({ hop, attempt, started_at: startedAt, ms, tokens, cost, model, failure }) {
  return [
    hop !== null && ["Hop", String(hop)],
    attempt !== null && ["Attempt", String(attempt)],
    startedAt !== null && ["Began", when(Date.parse(startedAt))],
    ms !== null && ["Took", `${Math.round(ms)} ms`],
    tokens !== null && tokens > 0 && ["Tokens", count(tokens)],
    cost !== null && cost > 0 && ["Cost", usd(cost)],
    model !== null && ["Model", model],
    failure !== null && ["Failed", `${failure.class.replaceAll("_", " ")} · ${failure.code}`],
  ];
}

/** Fields of a message that nothing was made of are marked in it. */
function inputMarks({ kind, diff }) {
  if (diff === null || kind !== "delivery") return [];
  return [
    ...diff.unused.map((path) => ({ path, kind: "removed", message: "not used" })),
    ...diff.used
      .filter(({ how }) => how === "part")
      .map(({ path, chars_sent: sent, chars_used: used }) => ({
        path,
        kind: "objection",
        message: `${count(used)} of ${count(sent)} characters used`,
      })),
  ];
}

function outputMarks({ kind, diff }) {
  if (diff === null || (kind !== "handoff" && kind !== "replacement")) return [];
  return diff.added.map((path) => ({ path, kind: "added", message: "added here" }));
}

function side(runId, step, part, title, marks) {
  const content = step[part];
  if (content.state === "none") return null;
  const box = h("div", {}, contentView(content, title, marks));
  return h(
    "section",
    { class: "panel" },
    h("h4", {}, title, content.contract === null ? null : h("small", { text: ` ${content.contract}` })),
    box,
    content.state === "cut" ? wholeButton(runId, step.step_id, { part, title, marks, box }) : null,
  );
}

/** A cut value is fetched whole only when somebody wants it. */
function wholeButton(runId, stepId, { part, title, marks, box }) {
  const button = h("button", {
    type: "button",
    text: "Show all of it",
    data: { key: `whole:${stepId}:${part}` },
  });
  button.addEventListener("click", async () => {
    try {
      const step = await get("/v1/runs/{run_id}/steps/{step_id}", {
        path: { run_id: runId, step_id: stepId },
      });
      box.replaceChildren(contentView(step[part], title, marks));
      button.remove();
    } catch (problem) {
      box.replaceChildren(failed(problem, () => button.click()));
    }
  });
  return button;
}

function contentView({ state, value, text, chars }, label, marks) {
  if (state === "whole")
    return typeof value === "string" ? textView(value, label) : jsonView(value, marks, label);
  if (state === "cut" || state === "partly_kept") {
    const rest = state === "cut" ? "" : ", of which no more was kept";
    return h(
      "div",
      {},
      textView(text, label),
      h("p", { class: "quiet", text: `… ${count(chars)} characters${rest}` }),
    );
  }
  return h("p", { class: "quiet", text: STATES[state] });
}

function diffView(diff) {
  const list = (paths) => paths.map((path) => path || "/").join(", ");
  const used = diff.used.map(({ path, how, in: places, chars_sent: sent, chars_used: part }) =>
    h(
      "li",
      {},
      h("code", { text: path || "/" }),
      how === "part" ? ` (${count(part)} of ${count(sent)} characters)` : "",
      ` in ${places.join(", ")}`,
    ),
  );
  return h(
    "details",
    { open: diff.unused.length > 0 },
    h("summary", { text: `Sent and used: ${diff.used.length} fields used, ${diff.unused.length} not` }),
    used.length > 0 && h("ul", { class: "lines" }, ...used),
    diff.unused.length > 0 && h("p", {}, "Not used: ", h("code", { text: list(diff.unused) })),
    diff.added.length > 0 && h("p", {}, "Added: ", h("code", { text: list(diff.added) })),
    h("p", {
      class: "quiet",
      text: `${count(diff.chars_sent)} characters sent, ${count(diff.chars_used)} compared with${diff.is_partial ? "; not all could be compared" : ""}.`,
    }),
  );
}

function conversationView(conversation) {
  if (conversation === null || conversation.turns_sent === 0) return null;
  const { turns_sent: before, turns_used: after, chars_sent: sent, chars_used: used } = conversation;
  return h("p", {
    class: "quiet",
    text: `Conversation: ${count(before)} turns (${count(sent)} characters) came, ${count(after)} (${count(used)}) went on.`,
  });
}
