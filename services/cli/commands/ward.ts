import { Option } from "commander";
import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { readJson } from "../read-json.ts";
import { readCount } from "../read-option.ts";
import { addApply } from "./ward-apply.ts";
import { addGroupMarks } from "./ward-groups.ts";

const caseSchema = z.looseObject({
  case_id: z.string(),
  status: z.string(),
  agent: z.string(),
  contract: z.string(),
  failure_class: z.string(),
  operations: z.number(),
  fingerprint: z.string(),
  diagnosis: z.string().nullable(),
  cost: z.number().default(0),
  waits: z.object({ why: z.string(), until_ms: z.number() }).nullable().default(null),
});

const casesSchema = z.looseObject({ cases: z.array(caseSchema), cursor: z.string().nullable() });

const groupSchema = z.looseObject({
  fingerprint: z.string(),
  count: z.number(),
  open: z.number(),
  last_seen_ms: z.number(),
  producer: z.string(),
  lifecycle: z.string(),
  replays: z.number(),
  cost: z.number(),
  rest: z
    .object({ until_ms: z.number().nullable(), why: z.string(), waiting: z.number() })
    .default({ until_ms: null, why: "", waiting: 0 }),
});

const overviewSchema = z.looseObject({
  surgery_cost_this_hour: z.number(),
  surgery_put_off_this_hour: z.number().default(0),
  surgery_limits: z.object({
    cost_per_case: z.number(),
    cost_per_hour: z.number(),
    cost_per_group: z.number(),
  }),
});

const groupsSchema = z.looseObject({ groups: z.array(groupSchema) });

interface ListOptions extends Connection {
  readonly status?: string;
  readonly fingerprint?: string;
  readonly agent?: string;
  readonly run?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface DecideOptions extends Connection {
  readonly why?: string;
  readonly payload?: string;
}

const pathOf = (caseId: string): string => `/api/v1/ward/cases/${encodeURIComponent(caseId)}`;
const limitOption = (): Option =>
  new Option("--limit <n>", "at most this many").argParser(readCount(1, 200)).default(50);

export function addWard(program: Command): void {
  const ward = program.command("ward").description("look at dead letters and decide what becomes of them");
  withConnection(
    ward.command("groups").description("list groups of cases with one fingerprint").addOption(limitOption()),
    "console",
  ).action(listGroups);
  withConnection(
    ward.command("costs").description("show what surgery costs in this hour, and what it may cost"),
    "console",
  ).action(showCosts);
  const ls = ward
    .command("ls")
    .description("list cases, newest first")
    .option("--status <status>", "only cases that stand there, such as quarantined")
    .option("--fingerprint <fingerprint>", "only cases of this group")
    .option("--agent <agent>", "only letters to this agent")
    .option("--run <run_id>", "only cases of this run")
    .addOption(limitOption())
    .option("--cursor <cursor>", "cursor of the page before");
  withConnection(ls, "console").action(listCases);
  withConnection(
    ward.command("show <case_id>").description("show a case with its letter and operations, as JSON"),
    "console",
  ).action(async (id: string, options: Connection) =>
    printJson(await callApi(findApi("console", options), { path: pathOf(id) })),
  );
  addDecision(ward, "operate", "have the ladder try again");
  addDecision(ward, "release", "send the letter on, as it is or with another payload");
  addDecision(ward, "discard", "end the case without sending the letter on");
  addApply(ward);
  addGroupMarks(ward);
}

/** Of a time in ms, as UTC. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

async function showCosts(options: Connection): Promise<void> {
  const answer = await callApi(findApi("console", options), { path: "/api/v1/overview" });
  const overview = overviewSchema.parse(answer);
  const {
    surgery_cost_this_hour: spent,
    surgery_limits: limits,
    surgery_put_off_this_hour: putOff,
  } = overview;
  if (options.json === true) return printJson({ spent_this_hour: spent, put_off_this_hour: putOff, limits });
  write(`This hour: ${spent.toFixed(4)} of ${limits.cost_per_hour.toFixed(2)} USD.`);
  write(
    `At most ${limits.cost_per_case.toFixed(2)} USD a case, ${limits.cost_per_group.toFixed(2)} USD a group.`,
  );
  if (putOff > 0) write(`${putOff} questions wait for the next hour, and go on by themselves then.`);
}

async function listGroups(options: Connection & { readonly limit: number }): Promise<void> {
  const answer = await callApi(findApi("console", options), {
    path: "/api/v1/ward/groups",
    query: { limit: options.limit },
  });
  const { groups: rows } = groupsSchema.parse(answer);
  printListing(
    {
      answer,
      rows,
      columns: [
        ["fingerprint", (group) => group.fingerprint],
        ["letters", (group) => group.count],
        ["open", (group) => group.open],
        ["last seen", (group) => new Date(group.last_seen_ms).toISOString()],
        ["begun by", (group) => group.producer],
        ["lifecycle", (group) => group.lifecycle],
        ["came back", (group) => group.replays],
        ["USD", (group) => group.cost.toFixed(4)],
        [
          "rests",
          ({ rest }) => (rest.until_ms === null ? "" : `until ${timeOf(rest.until_ms)}: ${rest.why}`),
        ],
      ],
      empty: "The ward is empty.",
    },
    options,
  );
}

async function listCases(options: ListOptions): Promise<void> {
  const { status, fingerprint, agent, run, limit, cursor } = options;
  const query = { status, fingerprint, agent, run_id: run, limit, cursor };
  const answer = await callApi(findApi("console", options), { path: "/api/v1/ward/cases", query });
  const page = casesSchema.parse(answer);
  printListing(
    {
      answer,
      rows: page.cases,
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
    },
    options,
  );
  if (page.cursor !== null && options.json !== true) write(`More with --cursor ${page.cursor}`);
}

function addDecision(ward: Command, kind: "operate" | "release" | "discard", description: string): void {
  const command = ward.command(`${kind} <case_id>`).description(description);
  if (kind === "operate") command.option("--why <reason>", "for whoever reads the audit");
  else command.requiredOption("--why <reason>", "for whoever reads the audit");
  if (kind === "release")
    command.option("--payload <file>", "the payload to send instead, as JSON; - reads standard input");
  withConnection(command, "console").action(async (id: string, options: DecideOptions) => {
    const body = {
      ...(options.why === undefined ? {} : { why: options.why }),
      ...(await payloadOf(options)),
    };
    const answer = await callApi(findApi("console", options), {
      method: "POST",
      path: `${pathOf(id)}/${kind}`,
      body,
    });
    if (options.json === true) printJson(answer);
    else write(`Written down: ${kind} case ${id}. The surgeon carries it out; see "suture ward show".`);
  });
}

/** Sent as text, so that digits stay as typed. */
async function payloadOf(options: DecideOptions): Promise<{ payload_text?: string }> {
  if (options.payload === undefined) return {};
  const text = await readInput(options.payload);
  readJson(text, "The payload");
  return { payload_text: text };
}
