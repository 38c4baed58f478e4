import { Option } from "commander";
import type { Command } from "commander";
import { readAmount } from "../read-option.ts";
import { callsOf } from "./call-command.ts";
import { countOption, required } from "./with-connection.ts";

const COUNT = { max: 100_000_000 };
const WHY = "why, for the record of what people did";

export function addApiKeys(program: Command): void {
  const keys = program.command("api-keys").description("make, list and revoke API keys while services run");
  const add = callsOf(keys, "console");
  add({
    name: "create <name>",
    description: "make a key; its secret is printed once and kept nowhere",
    call: "POST /v1/api-keys",
    options: [
      required("--scope <scope>", "viewer, submit, operator or admin"),
      new Option("--tenant <tenant>", "owner of what the key makes (default: local)"),
      new Option("--teams <names>", "teams it may use, with commas between them (default: all)"),
      new Option("--expires <time>", "UTC, as in 2027-01-31T00:00:00Z (default: never)"),
      countOption("--requests-per-minute <n>", "over all gateways", COUNT),
      countOption("--running-runs <n>", "runs that have not ended, waiting ones included", COUNT),
      countOption("--waiting-runs <n>", "runs that no agent has begun", COUNT),
      new Option("--cost-per-day <usd>", "by the day of UTC").argParser(readAmount),
      new Option("--why <reason>", WHY),
    ],
    input: ({ scope, tenant, teams, expires, why, ...quotas }, name) => ({
      name,
      scope,
      tenant,
      teams: typeof teams === "string" ? teams.split(",").map((team) => team.trim()) : undefined,
      expires_at: expires,
      why,
      quotas,
    }),
    say: ({ secret, name }) => `${secret}\n\nThe secret of ${name}. It is not shown again.`,
  });
  add({
    name: "list",
    description: "list the keys made here; configured ones are not among them",
    call: "GET /v1/api-keys",
    list: {
      rows: (answer) => answer.keys,
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
  });
  add({
    name: "revoke <name>",
    description: "revoke a key by its full name, as in tenant/name",
    call: "POST /v1/api-keys/{name}/revoke",
    options: [new Option("--why <reason>", WHY)],
    say: (_answer, name) => `${name} is revoked: every service refuses it within a second.`,
  });
}

function describe(quotas: Readonly<Record<string, number>>): string {
  return Object.entries(quotas)
    .map(([name, most]) => `${name} ${most}`)
    .join(", ");
}
