import { Option } from "commander";
import type { Command } from "commander";
import { amountOption, callsOf, countOption, required } from "./call-command.ts";

const COUNT = { max: 100_000_000 };

export function addApiKeys(program: Command): void {
  const keys = program.command("api-keys").description("make, list and revoke API keys while services run");
  const add = callsOf(keys, "console");
  const whyOption = new Option("--why <reason>", "why, for the record of what people did");
  add("create <name>", "make a key; its secret is printed once and kept nowhere", "POST /v1/api-keys", {
    options: [
      required("--scope <scope>", "viewer, submit, operator or admin"),
      new Option("--tenant <tenant>", "owner of what the key makes (default: local)"),
      new Option("--teams <names>", "teams it may use, with commas between them (default: all)"),
      new Option("--expires <time>", "UTC, as in 2027-01-31T00:00:00Z (default: never)"),
      countOption("--requests-per-minute <n>", "over all gateways", COUNT),
      countOption("--running-runs <n>", "runs that have not ended, waiting ones included", COUNT),
      countOption("--waiting-runs <n>", "runs that no agent has begun", COUNT),
      amountOption("--cost-per-day <usd>", "by the day of UTC"),
      whyOption,
    ],
    input: ({ scope, tenant, teams, expires: expires_at, why, ...quotas }, name) => {
      const names = typeof teams === "string" ? teams.split(",").map((team) => team.trim()) : undefined;
      return { name, scope, tenant, teams: names, expires_at, why, quotas };
    },
    say: ({ secret, name }) => `${secret}\n\nThe secret of ${name}. It is not shown again.`,
  });
  add("list", "list the keys made here; configured ones are not among them", "GET /v1/api-keys", {
    list: {
      rows: (answer) => answer.keys,
      columns: [
        "name",
        "tenant",
        "scope",
        ["teams", (key) => key.teams?.join(", ") ?? "all"],
        ["quotas", (key) => describe(key.quotas)],
        ["use", ({ use }) => (use === null ? "" : describe(use))],
        ["expires", (key) => key.expires_at ?? "never"],
        "created_by as made by",
      ],
      empty: "No keys were made here.",
    },
  });
  const revoke = "POST /v1/api-keys/{name}/revoke";
  add("revoke <name>", "revoke a key by its full name, as in tenant/name", revoke, {
    options: [whyOption],
    say: (_answer, name) => `${name} is revoked: every service refuses it within a second.`,
  });
}

function describe(quotas: Readonly<Record<string, number>>): string {
  return Object.entries(quotas)
    .map(([name, most]) => `${name} ${most}`)
    .join(", ");
}
