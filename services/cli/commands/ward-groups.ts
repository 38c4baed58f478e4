import { Option } from "commander";
import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";
import { readCount } from "../read-option.ts";

/** As the console sorts them. */
const SORTS = ["need", "last_seen", "first_seen", "open", "count", "replays", "cost"] as const;

interface GroupOptions extends Connection {
  readonly limit: number;
  readonly sort: (typeof SORTS)[number];
}

export function addGroups(ward: Command): void {
  const command = ward
    .command("groups")
    .description("list groups of cases with one fingerprint")
    .addOption(new Option("--sort <by>", "what comes first").choices(SORTS).default("last_seen"))
    .addOption(new Option("--limit <n>", "at most this many").argParser(readCount(1, 200)).default(50));
  withConnection(command, "console").action(listGroups);
}

/** Of a time in ms, as UTC. */
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

async function listGroups(options: GroupOptions): Promise<void> {
  const { limit, sort } = options;
  const query = { limit, sort };
  const answer = await answerOf(
    openClient(findApi("console", options)).GET("/v1/ward/groups", { params: { query } }),
  );
  const { groups: rows } = answer;
  printListing(
    {
      answer,
      rows,
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
    options,
  );
}
