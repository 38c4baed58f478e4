import { Option } from "commander";
import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printListing } from "../print/print-answer.ts";
import { readCount } from "../read-option.ts";

const groupSchema = z.looseObject({
  fingerprint: z.string(),
  count: z.number(),
  open: z.number(),
  quarantined: z.number(),
  attention: z.string(),
  last_seen_ms: z.number(),
  producer: z.string(),
  lifecycle: z.string(),
  replays: z.number(),
  cost: z.number(),
  rest: z.object({ until_ms: z.number().nullable(), why: z.string() }).default({ until_ms: null, why: "" }),
});

const groupsSchema = z.looseObject({ groups: z.array(groupSchema) });

/** As the console sorts them. */
const SORTS = ["need", "last_seen", "first_seen", "open", "count", "replays", "cost"];

interface GroupOptions extends Connection {
  readonly limit: number;
  readonly sort: string;
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
  const answer = await callApi(findApi("console", options), {
    path: "/api/v1/ward/groups",
    query: { limit, sort },
  });
  const { groups: rows } = groupsSchema.parse(answer);
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
