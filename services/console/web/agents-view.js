import { post } from "./api.js";
import { hideBanner, showBanner } from "./banners.js";
import { at, fill, h, notify } from "./dom.js";

const COLUMNS = ["Agent", "Live", "Waiting", "Active", "Retry", ""];

/** Agents with their processes and what lies in their queues; last the surgeon. */
export function showAgents(overview, mayAct) {
  const rows = overview.agents.map((agent) => agentRow(agent, overview.queues, mayAct));
  const surgeon = { agent: "ward", description: "The surgeon's queue.", live: null };
  const table = h(
    "table",
    { class: "agents" },
    h("thead", {}, h("tr", {}, ...COLUMNS.map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, ...rows, agentRow(surgeon, overview.queues, mayAct)),
  );
  fill(at("agents"), table);
}

/** A banner while agents wait because the endpoint of their model fails, on every page. */
export function showModelsAway(agents) {
  const waits = agents.flatMap((one) => waitOf(one) ?? []);
  if (waits.length === 0) return hideBanner("models");
  const models = [...new Set(waits.map(({ model }) => model))].join(", ");
  const isSetting = waits.some(({ reason }) => reason === "configuration");
  const names = agents.filter((one) => waitOf(one) !== null).map(({ agent }) => agent);
  showBanner(
    "models",
    h("strong", {
      text: `The endpoint of ${models} ${isSetting ? "refuses every call" : "does not answer"}. `,
    }),
    isSetting
      ? "A setting is wrong: check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name. "
      : "Check OPENAI_BASE_URL and the endpoint's own status. ",
    `Messages of ${names.join(", ")} wait and go on by themselves; none is lost.`,
  );
}

/** What an agent's model calls wait for; null where they do not. */
function waitOf({ live }) {
  return live?.find((one) => one.waits_for_model !== null)?.waits_for_model ?? null;
}

function agentRow({ agent, description, live }, queues, mayAct) {
  const own = queues.filter((queue) => queue.agent === agent);
  const fresh = own.find(({ lane }) => lane !== "retry") ?? {
    waiting: 0,
    active: 0,
    delayed: 0,
    is_paused: false,
  };
  const retry = own.find(({ lane }) => lane === "retry");
  const inRetry = retry === undefined ? "" : retry.waiting + retry.active + retry.delayed;
  const isDown = live !== null && live.length === 0;
  const presence = live === null ? "" : isDown ? "none" : String(live.length);
  const active = fresh.active + (retry?.active ?? 0);
  const waits = waitOf({ live });
  return h(
    "tr",
    { data: { down: isDown, paused: fresh.is_paused } },
    h(
      "th",
      { scope: "row", title: description },
      agent === "ward" ? "surgeon" : agent,
      fresh.is_paused && h("em", { text: " paused" }),
      waits !== null && h("em", { text: ` waits for ${waits.model}` }),
    ),
    h(
      "td",
      {},
      live === null ? "" : h("span", { class: `dot ${isDown ? "bad" : "good"}`, "aria-hidden": "true" }),
      presence,
    ),
    h("td", { text: fresh.waiting + fresh.delayed }),
    h("td", { text: active }),
    h("td", { text: inRetry }),
    h("td", {}, mayAct && switchButton(agent, fresh.is_paused)),
  );
}

function switchButton(agent, isPaused) {
  const action = isPaused ? "resume" : "pause";
  const onclick = async () => {
    try {
      await post(`/v1/queues/{agent}/${action}`, { path: { agent }, body: { why: "from the console" } });
      notify(`${agent}: ${action}d`);
    } catch (problem) {
      notify(problem.message, "bad");
    }
  };
  const label = `${action} ${agent}`;
  return h(
    "button",
    {
      type: "button",
      class: "small",
      "aria-label": label,
      title: label,
      data: { key: `switch:${agent}` },
      onclick,
    },
    isPaused ? "▶" : "❚❚",
  );
}
