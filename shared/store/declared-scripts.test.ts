import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { workCommands } from "./access-commands.ts";
import { Script } from "./script.ts";
import type { Declaration } from "./script.ts";
import { ARGUMENTS_JOINED } from "./script.ts";
import * as attachedScripts from "./scripts/attached.ts";
import { findGlobals } from "./testing/lua-names.ts";

const folder = new URL("./scripts/", import.meta.url);
const files = readdirSync(folder);
const bodies = files.filter((name) => name.endsWith(".lua"));

/** What Redis gives to a script. */
const LIBRARY =
  "redis cjson string table math tonumber tostring ipairs pairs unpack type pcall KEYS ARGV".split(" ");

async function declaredScripts(): Promise<Script<Declaration>[]> {
  const modules = files.filter((name) => name.endsWith(".ts"));
  const loaded = await Promise.all(
    modules.map(async (name) => (await import(`./scripts/${name.slice(0, -3)}.ts`)) as object),
  );
  return loaded.flatMap((one) => Object.values(one).filter((value) => value instanceof Script));
}

const scripts = await declaredScripts();

it("declares every Lua file once, as a script or as a part of some", () => {
  const parts = new Set(scripts.flatMap(({ declared }) => declared.parts ?? []));
  const names = scripts.map(({ fileName }) => fileName);
  expect([...names, ...parts, ARGUMENTS_JOINED].toSorted()).toEqual(bodies.toSorted());
});

it.each(bodies)("%s reads keys and arguments by name alone, and composes no hash tag", (name) => {
  const body = readFileSync(new URL(name, folder), "utf8");
  expect(body).not.toMatch(/(?:ARGV|KEYS)\s*\[/);
  // A key whose hash tag is made here could be of another slot than the script's, unseen by TypeScript.
  expect(body).not.toMatch(/[:/]\{["']?\s*\.\./);
});

it.each(scripts.map((script) => [script.fileName, script] as const))(
  "%s uses all that is declared, and nothing else",
  (fileName, { declared, source }) => {
    expect(findGlobals(source).filter((name) => !LIBRARY.includes(name))).toEqual([]);
    const { keys = [], args = {}, constants = {}, parts = [] } = declared;
    const bodiesOf = [...parts, fileName].map((name) => readFileSync(new URL(name, folder), "utf8"));
    // Without what is declared, these have to be missing.
    const missing = findGlobals(bodiesOf.join("\n"));
    const names = [...keys, ...Object.keys(args), ...Object.keys(constants)];
    expect(names.filter((name) => !missing.includes(name))).toEqual([]);
  },
);

const attached = new Set<unknown>(Object.values(attachedScripts));

it.each(scripts.filter((one) => !attached.has(one)).map((script) => [script.fileName, script] as const))(
  "%s and all of its commands are allowed to the users of Redis",
  (_, { source }) => {
    expect(workCommands()).toContain(`+evalsha|${createHash("sha1").update(source).digest("hex")}`);
    for (const [, command = ""] of source.matchAll(/redis\.p?call\(\s*"(\w+)/g))
      expect(workCommands()).toContain(`+${command.toLowerCase()}`);
  },
);
