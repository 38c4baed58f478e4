import { Option } from "commander";
import type { Command } from "commander";
import { callsOf } from "./call-command.ts";
import { countOption, limitOption, whyOption, withConnection } from "./with-connection.ts";

/** As the console sorts them. */
const SORTS = ["need", "last_seen", "first_seen", "open", "count", "replays", "cost"] as const;

/** Commands about groups of cases with one fingerprint. */
export function addGroups(ward: Command): void {
  const add = callsOf(ward, "console");
  add({
    name: "groups",
    description: "list groups of cases with one fingerprint",
    call: "GET /v1/ward/groups",
    options: [
      new Option("--sort <by>", "what comes first").choices(SORTS).default("last_seen"),
      limitOption(),
    ],
    list: {
      rows: ({ groups }) => groups,
      columns: [
        ["fingerprint", (group) => group.fingerprint],
        ["needs", (group) => group.attention.replaceAll("_", " ")],
        ["messages", (group) => group.count],
        ["open", (group) => group.open],
        ["waiting", (group) => group.quarantined],
        ["last seen", (group) => timeOf(group.last_seen_ms)],
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
  });
  addApply(ward);
  addMarks(ward);
}

/** Of a time in ms, as UTC. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

function addApply(ward: Command): void {
  const command = ward
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
  withConnection(command, "console").action(async (fingerprint, options) =>
    (await import("../ward/apply-group.ts")).applyGroup(fingerprint, options),
  );
}

/** What people think of a group. */
function addMarks(ward: Command): void {
  const since = new Option(
    "--since <name@version>",
    "only messages of this agent, contract or producer version, or later, count",
  );
  const marks = [
    ["acknowledge", "say that somebody looks after a group", [whyOption()]],
    [
      "resolve",
      "say that the cause of a group is gone; a message that speaks against it makes it regressed",
      [whyOption(true), since],
    ],
    ["reopen", "take that back", [whyOption()]],
  ] as const;
  for (const [kind, description, options] of marks)
    callsOf(
      ward,
      "console",
    )({
      name: `${kind} <fingerprint>`,
      description,
      call: `POST /v1/ward/groups/{fingerprint}/${kind}`,
      options,
      say: ({ lifecycle }, fingerprint) => `Group ${fingerprint} is ${lifecycle}.`,
    });
}
