import { Option } from "commander";
import type { Command } from "commander";
import { callsOf, whyOption } from "./call-command.ts";
import type { AnswerTo } from "../http/call.ts";

type Live = AnswerTo<"GET /v1/agents">["agents"][number]["live"];

/** Commands about agents: who works, their queues, and what they make. */
export function addAgents(program: Command): void {
  const add = callsOf(program, "gateway");
  add("agents", "list agents and the processes that work for them", "GET /v1/agents", {
    list: {
      rows: ({ agents }) => agents,
      columns: [
        "id as agent",
        "team",
        ["processes", (agent) => agent.live.map(({ pid }) => pid).join(" ") || "none"],
        ["waits for", ({ live }) => describeWait(live)],
        "accepts",
        ["hands to", (agent) => agent.hands_to.join(" ")],
      ],
      empty: "No agents.",
    },
  });
}

/** The model whose circuit is open, and why. */
function describeWait(live: Live): string {
  const waits = live.flatMap(({ waits_for_model: one }) => (one === null ? [] : [one]));
  return [...new Set(waits.map(({ model, reason }) => `${model} (${reason})`))].join(", ");
}

export function addQueues(program: Command): void {
  const queues = program.command("queues").description("look at queues, pause and resume agents");
  const add = callsOf(queues, "console");
  const list = {
    rows: (answer: AnswerTo<"GET /v1/queues">) => answer.queues,
    columns: [
      "agent",
      "lane",
      "waiting",
      "active",
      "delayed",
      "failed",
      ["paused", (queue: { readonly is_paused: boolean }) => (queue.is_paused ? "paused" : "")],
      "damage",
    ],
    empty: "No queues.",
  } as const;
  const options = [whyOption()];
  const [pause, resume] = ["POST /v1/queues/{agent}/pause", "POST /v1/queues/{agent}/resume"] as const;
  add("ls", "list queues with what waits in them", "GET /v1/queues", { list });
  add("pause <agent>", "stop giving out messages to an agent; what is in hand ends", pause, {
    options,
    list,
  });
  add("resume <agent>", "give out messages to an agent again", resume, { options, list });
}

export function addProducers(program: Command): void {
  callsOf(program, "console")(
    "producers",
    "list producers by how much of what they make is malformed",
    "GET /v1/producers",
    {
      options: [spanOption("hour")],
      list: {
        rows: ({ producers }) => producers,
        columns: [
          "agent",
          "contract",
          "model",
          "prompt_version as prompt",
          "outputs",
          "malformed",
          ["rate", ({ rate }) => `${(rate * 100).toFixed(1)} %`],
        ],
        empty: "Nothing was made.",
      },
    },
  );
}

/** The times that counts are kept for. */
function spanOption(fallback: string): Option {
  return new Option("--span <span>", "how far back").choices(["hour", "two_days", "month"]).default(fallback);
}

export function addCosts(program: Command): void {
  callsOf(program, "console")(
    "costs",
    "list what agents paid for model calls, the dearest first",
    "GET /v1/costs",
    {
      options: [spanOption("two_days")],
      list: {
        rows: ({ costs }) => costs,
        columns: [
          "team",
          "agent",
          "model",
          "tenant",
          "calls",
          "tokens",
          ["USD", ({ cost }) => cost.toFixed(4)],
        ],
        empty: "No agent has asked a model.",
      },
    },
  );
}
