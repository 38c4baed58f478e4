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

/** What passed between the steps of a run: what each was sent, and what it gave. */
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
          contentView(step.instructions, "Instructions"),
        ),
    h(
      "div",
      { class: "compare" },
      side(runId, step, "input", kind === "model" ? "What the prompt held" : "What it was sent"),
      side(
        runId,
        step,
        "output",
        kind === "handoff" || kind === "replacement" ? "What was handed on" : "What it gave",
      ),
    ),
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

function side(runId, step, part, title) {
  const content = step[part];
  if (content.state === "none") return null;
  const box = h("div", {}, contentView(content, title));
  return h(
    "section",
    { class: "panel" },
    h("h4", {}, title, content.contract === null ? null : h("small", { text: ` ${content.contract}` })),
    box,
    content.state === "cut" ? wholeButton(runId, step.step_id, { part, title, box }) : null,
  );
}

/** A cut value is fetched whole only when somebody wants it. */
function wholeButton(runId, stepId, { part, title, box }) {
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
      box.replaceChildren(contentView(step[part], title));
      button.remove();
    } catch (problem) {
      box.replaceChildren(failed(problem, () => button.click()));
    }
  });
  return button;
}

function contentView({ state, value, text, chars }, label) {
  if (state === "whole")
    return typeof value === "string" ? textView(value, label) : jsonView(value, [], label);
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

function conversationView(conversation) {
  if (conversation === null || conversation.turns_sent === 0) return null;
  const { turns_sent: before, turns_used: after, chars_sent: sent, chars_used: used } = conversation;
  return h("p", {
    class: "quiet",
    text: `Conversation: ${count(before)} turns (${count(sent)} characters) came, ${count(after)} (${count(used)}) went on.`,
  });
}
