import { Option } from "commander";
import type { Command } from "commander";
import { answerOf, definedOf, openClient } from "../http/call-api.ts";
import type { JsonOf } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { readInput } from "../read-input.ts";
import { readJson } from "../read-json.ts";
import { readCount } from "../read-option.ts";
import { addRevealCase } from "./reveal.ts";
import { addApplied } from "./ward-applied.ts";
import { addApproval } from "./ward-approval.ts";
import { addApply } from "./ward-apply.ts";
import { addAttached } from "./ward-attached.ts";
import { addCosts } from "./ward-costs.ts";
import { addGroupMarks } from "./ward-group-marks.ts";
import { addGroups } from "./ward-groups.ts";
import { addUndo } from "./ward-undo.ts";

interface ListOptions extends Connection {
  readonly status?: JsonOf<"listCases">["cases"][number]["status"];
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

const paramsOf = (case_id: string) => ({ path: { case_id } });
const limitOption = (): Option =>
  new Option("--limit <n>", "at most this many").argParser(readCount(1, 200)).default(50);

export function addWard(program: Command): void {
  const ward = program.command("ward").description("look at dead messages and decide what becomes of them");
  addGroups(ward);
  addCosts(ward);
  const ls = ward
    .command("ls")
    .alias("list")
    .description("list cases, newest first")
    .option("--status <status>", "only cases that stand there, such as quarantined")
    .option("--fingerprint <fingerprint>", "only cases of this group")
    .option("--agent <agent>", "only messages to this agent")
    .option("--run <run_id>", "only cases of this run")
    .addOption(limitOption())
    .option("--cursor <cursor>", "cursor of the page before");
  withConnection(ls, "console").action(listCases);
  withConnection(
    ward.command("show <case_id>").description("show a case with its message and operations, as JSON"),
    "console",
  ).action(async (id: string, options: Connection) =>
    printJson(
      await answerOf(
        openClient(findApi("console", options)).GET("/v1/ward/cases/{case_id}", { params: paramsOf(id) }),
      ),
    ),
  );
  addDecision(ward, "operate", "have the ladder try again");
  addDecision(ward, "release", "send the message on, as it is or with another payload");
  addDecision(ward, "discard", "end the case without sending the message on");
  addDecision(ward, "restore", "undo a discard: the case waits for a person again");
  addApproval(ward);
  addRevealCase(ward);
  addApply(ward);
  addApplied(ward);
  addUndo(ward);
  addGroupMarks(ward);
  addAttached(ward);
}

async function listCases(options: ListOptions): Promise<void> {
  const { status, fingerprint, agent, run, limit, cursor } = options;
  const query = definedOf({ status, fingerprint, agent, run_id: run, limit, cursor });
  const page = await answerOf(
    openClient(findApi("console", options)).GET("/v1/ward/cases", { params: { query } }),
  );
  printListing(
    {
      answer: page,
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

function addDecision(
  ward: Command,
  kind: "operate" | "release" | "discard" | "restore",
  description: string,
): void {
  const command = ward.command(`${kind} <case_id>`).description(description);
  if (kind === "operate" || kind === "restore")
    command.option("--why <reason>", "for whoever reads the audit");
  else command.requiredOption("--why <reason>", "for whoever reads the audit");
  if (kind === "release")
    command.option("--payload <file>", "the payload to send instead, as JSON; - reads standard input");
  withConnection(command, "console").action(async (id: string, options: DecideOptions) => {
    const body = { why: options.why ?? "", ...(await payloadOf(options)) };
    const request = { params: paramsOf(id), body };
    const answer = await answerOf(
      openClient(findApi("console", options)).POST(`/v1/ward/cases/{case_id}/${kind}`, request),
    );
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
