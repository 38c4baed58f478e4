import { Option } from "commander";
import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import type { AnswerTo } from "./call-command.ts";
import { whyOption } from "./with-connection.ts";

type Live = AnswerTo<"GET /v1/agents">["agents"][number]["live"];
type Circuit = AnswerTo<"POST /v1/circuits/{agent}/open">;

/** Commands about agents: who works, their queues, and their circuits. */
export function addAgents(program: Command): void {
  callsOf(
    program,
    "gateway",
  )({
    name: "agents",
    description: "list agents and the processes that work for them",
    call: "GET /v1/agents",
    list: {
      rows: ({ agents }) => agents,
      columns: [
        ["agent", (agent) => agent.id],
        ["team", (agent) => agent.team],
        ["processes", (agent) => agent.live.map(({ pid }) => pid).join(" ") || "none"],
        ["waits for", ({ live }) => describeWait(live)],
        ["accepts", (agent) => agent.accepts],
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
    rows: ({ queues: rows }: AnswerTo<"GET /v1/queues">) => rows,
    columns: [
      ["agent", (queue) => queue.agent],
      ["lane", (queue) => queue.lane],
      ["waiting", (queue) => queue.waiting],
      ["active", (queue) => queue.active],
      ["delayed", (queue) => queue.delayed],
      ["failed", (queue) => queue.failed],
      ["paused", (queue) => (queue.is_paused ? "paused" : "")],
      ["damage", (queue) => queue.damage ?? ""],
    ] satisfies Columns<AnswerTo<"GET /v1/queues">["queues"][number]>,
    empty: "No queues.",
  } as const;
  add({ name: "ls", description: "list queues with what waits in them", call: "GET /v1/queues", list });
  add({
    name: "pause <agent>",
    description: "stop giving out messages to an agent; what is in hand ends",
    call: "POST /v1/queues/{agent}/pause",
    options: [whyOption()],
    list,
  });
  add({
    name: "resume <agent>",
    description: "give out messages to an agent again",
    call: "POST /v1/queues/{agent}/resume",
    options: [whyOption()],
    list,
  });
}

type Columns<Row> = readonly (readonly [string, (row: Row) => unknown])[];

export function addCircuits(program: Command): void {
  const circuits = program
    .command("circuits")
    .description("see who makes malformed outputs, open and close circuits");
  const add = callsOf(circuits, "console");
  const list = {
    columns: [
      ["agent", (one) => one.agent],
      ["state", (one) => one.state],
      ["outputs", (one) => one.outputs],
      ["malformed", (one) => one.malformed],
      ["while open", (one) => one.reaction],
      ["held by", (one) => one.held_by ?? ""],
    ] satisfies Columns<Circuit>,
    empty: "No circuits: no agent has worked yet.",
  } as const;
  add({
    name: "ls",
    description: "list circuits",
    call: "GET /v1/circuits",
    list: { ...list, rows: ({ circuits: rows }) => rows },
  });
  add({
    name: "rates",
    description: "list producers by how much of what they make is malformed",
    call: "GET /v1/producers",
    options: [new Option("--span <span>", "hour or two_days").default("hour")],
    list: {
      rows: ({ producers }) => producers,
      columns: [
        ["agent", (one) => one.agent],
        ["contract", (one) => one.contract],
        ["model", (one) => one.model ?? ""],
        ["prompt", (one) => one.prompt_version ?? ""],
        ["outputs", (one) => one.outputs],
        ["malformed", (one) => one.malformed],
        ["rate", (one) => `${(one.rate * 100).toFixed(1)} %`],
      ],
      empty: "Nothing was made.",
    },
  });
  const switches = [
    ["open", "have an agent replaced or paused, as its team declares, until it is closed"],
    ["close", "have an agent work as usual again"],
  ] as const;
  for (const [kind, description] of switches)
    add({
      name: `${kind} <agent>`,
      description,
      call: `POST /v1/circuits/{agent}/${kind}`,
      options: [whyOption()],
      list: { ...list, rows: (circuit) => [circuit] },
      json: (circuit) => ({ circuits: [circuit] }),
    });
}
