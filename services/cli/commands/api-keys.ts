import type { Command } from "commander";
import type { ApiScope } from "#shared/config";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { readAmount, readCount } from "../read-option.ts";

const COUNT_MAX = 100_000_000;

const WHY = ["--why <reason>", "why, for the record of what people did"] as const;

interface Reasoned extends Connection {
  readonly why?: string;
}

interface Wanted extends Reasoned {
  readonly tenant?: string;
  readonly scope: ApiScope;
  readonly teams?: string;
  readonly expires?: string;
  readonly requestsPerMinute?: number;
  readonly runningRuns?: number;
  readonly waitingRuns?: number;
  readonly costPerDay?: number;
}

export function addApiKeys(program: Command): void {
  const keys = program.command("api-keys").description("make, list and revoke API keys while services run");
  addCreate(keys);
  withConnection(
    keys.command("list").description("list the keys made here; configured ones are not among them"),
    "console",
  ).action(async (options: Connection) => {
    const answer = await answerOf(openClient(findApi("console", options)).GET("/v1/api-keys"));
    printListing(
      {
        answer,
        rows: answer.keys,
        columns: [
          ["name", (key) => key.name],
          ["tenant", (key) => key.tenant],
          ["scope", (key) => key.scope],
          ["teams", (key) => key.teams?.join(", ") ?? "all"],
          ["quotas", (key) => describe(key.quotas)],
          ["use", ({ use }) => (use === null ? "" : describe(use))],
          ["expires", (key) => key.expires_at ?? "never"],
          ["made by", (key) => key.created_by],
        ],
        empty: "No keys were made here.",
      },
      options,
    );
  });
  withConnection(
    keys.command("revoke <name>").description("revoke a key by its full name, as in tenant/name"),
    "console",
  )
    .option(...WHY)
    .action(async (name: string, options: Reasoned) => {
      const request = { params: { path: { name } }, body: { why: options.why ?? "" } };
      const answer = await answerOf(
        openClient(findApi("console", options)).POST("/v1/api-keys/{name}/revoke", request),
      );
      if (options.json === true) return printJson(answer);
      write(`${name} is revoked: every service refuses it within a second.`);
    });
}

function addCreate(keys: Command): void {
  const command = keys
    .command("create <name>")
    .description("make a key; its secret is printed once and kept nowhere")
    .requiredOption("--scope <scope>", "viewer, submit, operator or admin")
    .option("--tenant <tenant>", "owner of what the key makes (default: local)")
    .option("--teams <names>", "teams it may use, with commas between them (default: all)")
    .option("--expires <time>", "UTC, as in 2027-01-31T00:00:00Z (default: never)")
    .option("--requests-per-minute <n>", "over all gateways", readCount(1, COUNT_MAX))
    .option("--running-runs <n>", "runs that have not ended, waiting ones included", readCount(1, COUNT_MAX))
    .option("--waiting-runs <n>", "runs that no agent has begun", readCount(1, COUNT_MAX))
    .option("--cost-per-day <usd>", "by the day of UTC", readAmount)
    .option(...WHY);
  withConnection(command, "console").action(async (name: string, options: Wanted) => {
    const { tenant, scope, teams, expires, requestsPerMinute, runningRuns, waitingRuns, costPerDay, why } =
      options;
    const body = {
      name,
      scope,
      ...(why === undefined ? {} : { why }),
      ...(tenant === undefined ? {} : { tenant }),
      ...(teams === undefined ? {} : { teams: teams.split(",").map((team) => team.trim()) }),
      ...(expires === undefined ? {} : { expires_at: expires }),
      quotas: {
        ...(requestsPerMinute === undefined ? {} : { requests_per_minute: requestsPerMinute }),
        ...(runningRuns === undefined ? {} : { running_runs: runningRuns }),
        ...(waitingRuns === undefined ? {} : { waiting_runs: waitingRuns }),
        ...(costPerDay === undefined ? {} : { cost_per_day: costPerDay }),
      },
    };
    const made = await answerOf(openClient(findApi("console", options)).POST("/v1/api-keys", { body }));
    if (options.json === true) return printJson(made);
    write(`${made.secret}\n\nThe secret of ${made.name}. It is not shown again.`);
  });
}

function describe(quotas: Readonly<Record<string, number>>): string {
  return Object.entries(quotas)
    .map(([name, most]) => `${name} ${most}`)
    .join(", ");
}
