import { Option } from "commander";
import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import type { AnswerTo, Fields } from "./call-command.ts";
import { addAttached } from "./ward-attached.ts";
import { addGroups } from "./ward-groups.ts";
import { countOption, limitOption, required, whyOption } from "./with-connection.ts";

/** Commands about dead messages, one by one; those about groups of them are in `ward-groups.ts`. */
export function addWard(program: Command): void {
  const ward = program.command("ward").description("look at dead messages and decide what becomes of them");
  const add = callsOf(ward, "console");
  addGroups(ward);
  add({
    name: "costs",
    description: "say what surgery costs, and what it may still cost",
    call: "GET /v1/ward/costs",
    say: describeCosts,
  });
  addCases(ward);
  addDecisions(ward);
  const words = [
    ["approve", true, "let the tool call that a case waits with run"],
    ["refuse", false, "have the agent go on without its tool call"],
  ] as const;
  for (const [name, approved, description] of words)
    add({
      name: `${name} <case_id>`,
      description,
      call: "POST /v1/ward/cases/{case_id}/approval",
      options: [required("--why <reason>", "for the agent, and for whoever reads the audit")],
      input: (fields) => ({ ...fields, approved }),
      say: (_answer, id) => `Written down: the call of case ${id} is ${approved ? "approved" : "refused"}.`,
    });
  add({
    name: "reveal <case_id>",
    description: "show a case with what contracts mark as sensitive; who, when and why is written down first",
    call: "POST /v1/ward/cases/{case_id}/reveal",
    options: [
      new Option("--path <pointer>", "only the values at this place of the message, such as /patient"),
      whyOption(true),
    ],
  });
  addApplies(ward);
  addAttached(ward);
}

function addCases(ward: Command): void {
  const add = callsOf(ward, "console");
  add({
    name: "ls",
    description: "list cases, newest first",
    call: "GET /v1/ward/cases",
    options: [
      new Option("--status <status>", "only cases that stand there, such as quarantined"),
      new Option("--fingerprint <fingerprint>", "only cases of this group"),
      new Option("--agent <agent>", "only messages to this agent"),
      new Option("--run <run_id>", "only cases of this run"),
      limitOption(),
      new Option("--cursor <cursor>", "cursor of the page before"),
    ],
    input: ({ run: run_id, ...fields }) => ({ ...fields, run_id }),
    list: {
      rows: ({ cases }) => cases,
      columns: [
        ["case", (one) => one.case_id],
        ["status", (one) => one.status],
        ["agent", (one) => one.agent],
        ["contract", (one) => one.contract],
        ["class", (one) => one.failure_class],
        ["operations", (one) => one.operations],
        ["USD", (one) => one.cost.toFixed(4)],
        ["why it waits", ({ diagnosis, waits }) => diagnosis ?? waits?.why ?? ""],
      ],
      empty: "No cases.",
      next: ({ cursor }) => cursor,
    },
  });
  add({
    name: "show <case_id>",
    description: "show a case with its message and operations, as JSON",
    call: "GET /v1/ward/cases/{case_id}",
  });
}

function addDecisions(ward: Command): void {
  const add = callsOf(ward, "console");
  const payload = new Option(
    "--payload <file>",
    "the payload to send instead, as JSON; - reads standard input",
  );
  const decisions = [
    ["operate", "have the ladder try again", [whyOption()]],
    ["release", "send the message on, as it is or with another payload", [whyOption(true), payload]],
    ["discard", "end the case without sending the message on", [whyOption(true)]],
    ["restore", "undo a discard: the case waits for a person again", [whyOption()]],
  ] as const;
  for (const [kind, description, options] of decisions)
    add({
      name: `${kind} <case_id>`,
      description,
      call: `POST /v1/ward/cases/{case_id}/${kind}`,
      options,
      input: withPayload,
      say: (_answer, id) =>
        `Written down: ${kind} case ${id}. The surgeon carries it out; see "suture ward show".`,
    });
}

/** Sent as text, so that digits stay as typed. */
async function withPayload({ payload, ...fields }: Fields): Promise<Fields> {
  if (typeof payload !== "string") return fields;
  const { readJson, readInput } = await import("../read-input.ts");
  const text = await readInput(payload);
  readJson(text, "The payload");
  return { ...fields, payload_text: text };
}

/** Work on all waiting cases of a group. */
function addApplies(ward: Command): void {
  const add = callsOf(ward, "console");
  add({
    name: "applied <batch_id>",
    description: "list what became of each case of a piece of work on a group",
    call: "GET /v1/ward/applies/{batch_id}/cases",
    options: [
      limitOption(),
      countOption("--offset <n>", "leave out so many", { min: 0, max: 1_000_000 }).default(0),
    ],
    list: {
      rows: ({ cases }) => cases,
      columns: [
        ["case", (one) => one.case_id],
        ["agent", (one) => one.agent],
        ["status", (one) => one.status ?? "kept no more"],
        ["result", (one) => one.result.replaceAll("_", " ")],
      ],
      empty: "No case waited in that group.",
    },
  });
  add({
    name: "undo <batch_id>",
    description: "undo a discard of a whole group: its cases wait for a person again",
    call: "POST /v1/ward/applies/{batch_id}/undo",
    options: [whyOption(true)],
    say: ({ batch_id: id, total }) => `Batch ${id} restores ${total} cases; see "suture ward applied ${id}".`,
  });
}

function describeCosts(costs: AnswerTo<"GET /v1/ward/costs">): string {
  const { this_hour, left_this_hour, hours, limits, held } = costs;
  const usd = (amount: number): string => `$${amount.toFixed(4)}`;
  const day = hours.reduce((sum, one) => sum + one, 0);
  const ofHour = `This hour ${usd(this_hour)} of ${usd(limits.cost_per_hour)}, ${usd(left_this_hour)} left`;
  return [
    `${ofHour}; last 24 hours ${usd(day)}.`,
    `A case may cost ${usd(limits.cost_per_case)}, a group ${usd(limits.cost_per_group)}.`,
    ...(held === null
      ? []
      : [`The hour's limit holds cases back until ${new Date(held.until_ms).toISOString()}.`]),
  ].join("\n");
}
