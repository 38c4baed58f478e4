import { Option } from "commander";
import type { Command } from "commander";
import { callsOf, countOption, limitOption, required, whyOption, withConnection } from "./call-command.ts";
import type { AnswerTo, Fields } from "../http/call.ts";
import { addAttached } from "./ward-attached.ts";

/** As the console sorts groups. */
const SORTS = ["need", "last_seen", "first_seen", "open", "count", "replays", "cost"] as const;

/** Commands about dead messages, and about groups of them with one fingerprint. */
export function addWard(program: Command): void {
  const ward = program.command("ward").description("look at dead messages and decide what becomes of them");
  addGroups(ward);
  const add = callsOf(ward, "console");
  add("costs", "say what surgery costs, and what it may still cost", "GET /v1/ward/costs", {
    say: describeCosts,
  });
  addCauses(ward);
  addCases(ward);
  addDecisions(ward);
  const aim = "show a case with what contracts mark as sensitive; who, when and why is written down first";
  const path = new Option(
    "--path <pointer>",
    "only the values at this place of the message, such as /patient",
  );
  add("reveal <case_id>", aim, "POST /v1/ward/cases/{case_id}/reveal", { options: [path, whyOption(true)] });
  addApplies(ward);
  addAttached(ward);
}

function addGroups(ward: Command): void {
  const add = callsOf(ward, "console");
  add("groups", "list groups of cases with one fingerprint", "GET /v1/ward/groups", {
    options: [
      new Option("--sort <by>", "what comes first").choices(SORTS).default("last_seen"),
      limitOption(),
    ],
    list: {
      rows: ({ groups }) => groups,
      columns: [
        "fingerprint",
        ["needs", (group) => group.attention.replaceAll("_", " ")],
        "count as messages",
        "open",
        "quarantined as waiting",
        ["last seen", (group) => timeOf(group.last_seen_ms)],
        "producer as begun by",
        "lifecycle",
        "replays as came back",
        ["USD", (group) => group.cost.toFixed(4)],
        [
          "rests",
          ({ rest }) => (rest.until_ms === null ? "" : `until ${timeOf(rest.until_ms)}: ${rest.why}`),
        ],
      ],
      empty: "The ward is empty.",
    },
  });
  const apply = ward
    .command("apply <fingerprint>")
    .description("decide on every waiting case of a group: a dry run, a canary, then the rest")
    .addOption(whyOption(true))
    .addOption(
      new Option("--decision <kind>", "what to do")
        .choices(["operate", "release", "discard"])
        .default("operate"),
    )
    .option("--dry-run", "only count how many would pass", false)
    .addOption(countOption("--canary <n>", "stop for a look after this many", { min: 0, max: 10_000 }))
    .addOption(countOption("--rate <n>", "at most this many a second", { max: 1000 }));
  withConnection(apply, "console").action(async (fingerprint, options) =>
    (await import("../ward/apply-group.ts")).applyGroup(fingerprint, options),
  );
  const since = new Option(
    "--since <name@version>",
    "only messages of this agent, contract or producer version, or later, count",
  );
  const until = new Option("--until <time>", "until then, such as 2027-01-31T08:00:00Z (default: for good)");
  const marks = [
    ["acknowledge", "say that somebody looks after a group", [whyOption(), until]],
    [
      "resolve",
      "say that the cause of a group is gone; a message that speaks against it makes it regressed",
      [whyOption(true), since],
    ],
    ["reopen", "take that back", [whyOption()]],
  ] as const;
  for (const [kind, description, options] of marks)
    add(`${kind} <fingerprint>`, description, `POST /v1/ward/groups/{fingerprint}/${kind}`, {
      options,
      say: ({ lifecycle }, fingerprint) => `Group ${fingerprint} is ${lifecycle}.`,
    });
}

function addCauses(ward: Command): void {
  const add = callsOf(ward, "console");
  const cause = "/v1/ward/groups/{fingerprint}/cause";
  add("cause <fingerprint>", "print the cause note of a group as Markdown", `GET ${cause}`, {
    say: ({ issue, note }, id) =>
      issue ?? note?.problem ?? `There is no note: ask for one with "suture ward write-cause ${id}".`,
  });
  add("write-cause <fingerprint>", "have the surgeon's model write it, once for a group", `POST ${cause}`, {
    say: ({ state, problem }, id) => problem ?? `It is ${state}; see "suture ward cause ${id}".`,
  });
}

/** Of a time in ms, as UTC. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

function addCases(ward: Command): void {
  const add = callsOf(ward, "console");
  add("ls", "list cases, newest first", "GET /v1/ward/cases", {
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
        "case_id as case",
        "status",
        "agent",
        "contract",
        "failure_class as class",
        "operations",
        ["USD", ({ cost }) => cost.toFixed(4)],
        ["why it waits", ({ diagnosis, waits }) => diagnosis ?? waits?.why ?? ""],
      ],
      empty: "No cases.",
      next: ({ cursor }) => cursor,
    },
  });
  add(
    "show <case_id>",
    "show a case with its message and operations, as JSON",
    "GET /v1/ward/cases/{case_id}",
  );
}

const PROPOSE = "POST /v1/ward/cases/{case_id}/propose";

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
    add(`${kind} <case_id>`, description, `POST /v1/ward/cases/{case_id}/${kind}`, {
      options,
      input: withPayload,
      say: (_answer, id) =>
        `Written down: ${kind} case ${id}. The surgeon carries it out; see "suture ward show".`,
    });
  const kind = new Option("--decision <kind>", "release, with --payload, or discard").makeOptionMandatory();
  add("propose <case_id>", "propose a repair or a discard, which goes out once it is signed", PROPOSE, {
    options: [kind.choices(["release", "discard"]), payload, whyOption(true)],
    input: withPayload,
    say: (_answer, id) => `Proposed. Somebody signs it in the console, or with "suture ward sign ${id}".`,
  });
  const answers = [
    ["sign", "approve", "sign what was proposed for a case, or a change as the second person"],
    ["decline", "decline", "turn down what was proposed for a case"],
  ] as const;
  for (const [name, path, description] of answers)
    add(`${name} <case_id>`, description, `POST /v1/ward/cases/{case_id}/${path}`, {
      options: [whyOption(true)],
      say: (_answer, id) => `Written down: ${name} what was proposed for case ${id}.`,
    });
  const approvals = [
    ["approve", true, "let the tool call that a case waits with run"],
    ["refuse", false, "have the agent go on without its tool call"],
  ] as const;
  for (const [name, approved, description] of approvals)
    add(`${name} <case_id>`, description, "POST /v1/ward/cases/{case_id}/approval", {
      options: [required("--why <reason>", "for the agent, and for whoever reads the audit")],
      input: (fields) => ({ ...fields, approved }),
      say: (_answer, id) => `Written down: the call of case ${id} is ${approved ? "approved" : "refused"}.`,
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
  const [applied, undo] = [
    "GET /v1/ward/applies/{batch_id}/cases",
    "POST /v1/ward/applies/{batch_id}/undo",
  ] as const;
  add("applied <batch_id>", "list what became of each case of a piece of work on a group", applied, {
    options: [
      limitOption(),
      countOption("--offset <n>", "leave out so many", { min: 0, max: 1_000_000, fallback: 0 }),
    ],
    list: {
      rows: ({ cases }) => cases,
      columns: [
        "case_id as case",
        "agent",
        ["status", (one) => one.status ?? "kept no more"],
        ["result", (one) => one.result.replaceAll("_", " ")],
      ],
      empty: "No case waited in that group.",
    },
  });
  add("undo <batch_id>", "undo a discard of a whole group: its cases wait for a person again", undo, {
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
    ...(held === null ? [] : [`The hour's limit holds cases back until ${timeOf(held.until_ms)}.`]),
  ].join("\n");
}
