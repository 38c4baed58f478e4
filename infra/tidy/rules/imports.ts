import { posix } from "node:path";
import type { Finding, SourceFile } from "../source-file.ts";

/** `shared/<room>`, `services/<name>` or `services/agents/<team>` of a path; null outside them. */
export function roomOf(path: string): string | null {
  return (
    /^(?:shared\/[^/]+|services\/agents\/[^/]+|services\/(?!agents\/)[^/]+)(?=\/)/.exec(path)?.[0] ?? null
  );
}

/** Each room says what it is for, and a room of the library has one door. */
export function checkRooms(files: readonly SourceFile[]): Finding[] {
  const paths = new Set(files.map(({ path }) => path));
  const rooms = new Set(files.filter(({ isCode }) => isCode).flatMap(({ path }) => roomOf(path) ?? []));
  const findings: Finding[] = [];
  for (const room of rooms) {
    const demand = (name: string, message: string): void => {
      if (!paths.has(`${room}/${name}`)) findings.push({ path: `${room}/${name}`, line: 0, message });
    };
    demand("README.md", "write what the room is for, its files in reading order, and what it may import");
    if (room.startsWith("shared/"))
      demand("index.ts", "give the room its door: what others may use is exported there");
  }
  return findings;
}

/** Rungs of the rooms: each may import only rooms of a lower rung. Rungs 0 and 1 are open to all above. */
const RUNGS: Readonly<Record<string, number>> = {
  errors: 0,
  clock: 0,
  json: 0,
  "compiled-schema": 0,
  "crash-points": 1,
  envelope: 1,
  config: 1,
  sandbox: 1,
  telemetry: 1,
  contract: 2,
  http: 2,
  store: 3,
  blobs: 3,
  files: 3,
  failure: 3,
  schema: 3,
  context: 3,
  guard: 3,
  masking: 3.1,
  repair: 3.1,
  proof: 3.2,
  recipes: 3.3,
  model: 3.5,
  doctor: 4,
  people: 4,
  ward: 4,
  feedback: 4,
  archive: 3.1,
  "bullmq-ward": 4.5,
  runtime: 5,
  api: 5.5,
  client: 5.6,
  patterns: 6,
  mcp: 6,
  a2a: 6,
};

/** Packages that one room keeps from the others, so that they can be exchanged there. */
const KEPT_PACKAGES: readonly { pattern: RegExp; rooms: readonly string[]; message: string }[] = [
  {
    pattern: /^(?:ioredis|bullmq)(?:\/|$)/,
    rooms: ["shared/store"],
    message: "only #shared/store knows Redis and BullMQ: use it, or let it offer what is missing",
  },
  {
    pattern: /^pg(?:\/|$)/,
    rooms: ["shared/archive"],
    message: "only #shared/archive knows PostgreSQL: use it, or let it offer what is missing",
  },
  {
    pattern: /^openai(?:\/|$)/,
    rooms: ["shared/model"],
    message: "only #shared/model knows a provider: use its ModelClient",
  },
  {
    pattern: /^@modelcontextprotocol\//,
    rooms: ["shared/mcp", "services/gateway", "services/console"],
    message:
      "only #shared/mcp, the gateway and the console know the Model Context Protocol: use the tools of #shared/mcp",
  },
];

/** The room that the package offers to others' tests too. */
const PUBLIC_ENTRIES = "infra/package/entries/";

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])/g;

/** Imports point down, through doors, and never from one service to another; types included. */
export function checkImports(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ isCode }) => isCode)
    .flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }) => {
        const message = findProblem(file, specifier);
        return message === null ? [] : [{ path: file.path, line, message }];
      }),
    );
}

/** Lists the imports of a file, static and dynamic, by line. */
export function importsOf(file: SourceFile): { readonly specifier: string; readonly line: number }[] {
  return file.masked.flatMap((masked, index) =>
    [...masked.matchAll(SPECIFIER)].map((match) => {
      const start = match.index + match[0].length;
      const specifier = (file.lines[index] ?? "").slice(start).split(match[1] ?? '"')[0] ?? "";
      return { specifier, line: index + 1 };
    }),
  );
}

function findProblem(file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith("."))
    return findRelativeProblem(file, posix.join(posix.dirname(file.path), specifier));
  if (specifier.startsWith("#shared/")) return findLadderProblem(file, specifier.slice("#shared/".length));
  if (file.isTest || !/^(?:shared|services)\//.test(file.path)) return null;
  const kept = KEPT_PACKAGES.find(({ pattern }) => pattern.test(specifier));
  return kept === undefined || kept.rooms.includes(roomOf(file.path) ?? "") ? null : kept.message;
}

function findRelativeProblem(file: SourceFile, target: string): string | null {
  const [from, to] = [roomOf(file.path), roomOf(target)];
  if (to?.startsWith("shared/") && from !== to) return `enter the room by its door: import from "#${to}"`;
  if (file.isTest || to === null || from === to) return null;
  return "no service imports another: they meet in queues and over HTTP; what both need belongs into a room of shared/";
}

/** @param door - A room, or one door of a room that has several: `store/runs`. */
function findLadderProblem(file: SourceFile, door: string): string | null {
  const [room = ""] = door.split("/");
  if (room === "testing")
    return file.isTest || file.path.startsWith(PUBLIC_ENTRIES) ? null : "#shared/testing is for tests alone";
  const rung = RUNGS[room];
  if (rung === undefined)
    return `there is no room ${room} in the ladder: add it to RUNGS in infra/tidy, with a decision record`;
  const from = roomOf(file.path);
  // Tests may use what stands above; outside the library everything is below.
  if (file.isTest || from === null || !from.startsWith("shared/")) return null;
  const own = RUNGS[from.slice("shared/".length)];
  if (own === undefined || rung < own) return null;
  return `imports point down: ${from} is on rung ${own}, ${room} on ${rung}; pass the value in, or move what both need down`;
}
