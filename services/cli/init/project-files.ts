import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { composeFile } from "../compose/compose-file.ts";
import { fillTemplates } from "../templates/fill-templates.ts";
import { mergeManifest, testsByVitest } from "./merge-manifest.ts";

/** A file to be written: a new one, or one to which something is added. */
export interface ProjectFile {
  readonly path: string;
  /** Null: there is none. */
  readonly before: string | null;
  readonly text: string;
}

/** The team that a new project begins with. */
const FIRST = "hello";
const NOT_KEPT = ["node_modules/", ".suture/", ".env"];
const REDIS_CONF = fileURLToPath(new URL("../../../infra/redis/redis.conf", import.meta.url));

/**
 * Returns what a project lacks.
 *
 * @param read - Returns the text of a file of the folder; null for none.
 * @param name - Of the folder.
 * @throws {CommandRefusedError} Its package.json cannot be used.
 */
export function projectFiles(read: (path: string) => string | null, name: string): ProjectFile[] {
  const isOfVitest = ({ path }: { readonly path: string }): boolean =>
    path === "vitest.config.ts" || path.endsWith(".test.ts");
  const hasVitest = testsByVitest(read("package.json"));
  const added = [
    ...fillTemplates("project", FIRST),
    ...[...fillTemplates("team", FIRST), ...fillTemplates("agent", FIRST)].map(({ path, text }) => ({
      path: `teams/${FIRST}/${path}`,
      text,
    })),
    { path: "compose.yml", text: composeFile([firstTeam()], { fileTeams: ["documents"] }) },
    { path: "redis.conf", text: readFileSync(REDIS_CONF, "utf8") },
  ].filter((one) => read(one.path) === null && (hasVitest || !isOfVitest(one)));
  const merged = [
    { path: "package.json", text: mergeManifest(read("package.json"), name) },
    { path: ".gitignore", text: mergeIgnored(read(".gitignore")) },
  ];
  return [...merged, ...added]
    .map(({ path, text }) => ({ path, before: read(path), text }))
    .filter(({ before, text }) => before !== text);
}

/** The first team's graph, from which its compose file is made before it can be loaded. */
function firstTeam() {
  const anything = contract("hello.request@1", z.object({}));
  const options = { accepts: anything, answers: [anything] };
  return team(FIRST, [agent(`${FIRST}@1`, { ...options, handle: (_input, ctx) => ctx.complete({}) })]);
}

function mergeIgnored(before: string | null): string {
  const lines = (before ?? "").split("\n").map((line) => line.trim());
  const lacking = NOT_KEPT.filter(
    (one) => !lines.some((line) => [one, one.replace(/\/$/, "")].includes(line)),
  );
  if (lacking.length === 0) return before ?? "";
  const start = before === null || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  return `${start}${lacking.join("\n")}\n`;
}
