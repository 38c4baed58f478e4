import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testPrefix, testRedis } from "#shared/testing";
import { encoderOf, prologueOf } from "./script-arguments.ts";
import type { ValuesOf } from "./script-arguments.ts";
import { flag, listOf, number, oneOf, orNull, record, text, variants } from "./script-reply.ts";
import { ARGUMENTS_JOINED, CALLS_GROUPED, joinArguments, Script } from "./script.ts";
import type { Declaration } from "./script.ts";
import { workCommands } from "./access-commands.ts";
import * as attachedScripts from "./scripts/attached.ts";
import { findGlobals } from "./testing/lua-names.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const SPLIT = readFileSync(new URL("./scripts/split-arguments.lua", import.meta.url), "utf8");

it("joins arguments, unless one of them would be taken for several", () => {
  expect(joinArguments(["a", "", 1])).toEqual(["a\n\n1"]);
  expect(joinArguments(["a\n", "b"])).toEqual(["", "a\n", "b"]);
  expect(joinArguments([""])).toEqual(["", ""]);
});

const KINDS = {
  texts: "texts",
  one: "text",
  maybe: "text?",
  amount: "number",
  limit: "number?",
  handedOn: "digits",
  isSo: "flag",
  stored: "pairs",
  perhaps: { optional: { a: "text", more: "texts" } },
  nested: { list: { id: "text", isSo: "flag", inner: { list: { a: "text?", n: "number" } } } },
} as const;

it("gives a script its named arguments as locals, joined or not, whatever they hold", async () => {
  const word = fc.string({
    unit: fc.constantFrom("a", "\n", "\r", "ü", "\u2028", '"', "\\", "\0", "|", "1"),
  });
  const whole = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  // An empty text is nil where it may be null.
  const maybe = fc.option(word.filter((one) => one !== ""));
  const values: fc.Arbitrary<ValuesOf<typeof KINDS>> = fc.record({
    texts: fc.array(word),
    one: word,
    maybe,
    amount: whole,
    limit: fc.option(whole),
    handedOn: whole,
    isSo: fc.boolean(),
    stored: fc.dictionary(word, fc.oneof(word, whole)),
    perhaps: fc.option(fc.record({ a: word, more: fc.array(word) })),
    nested: fc.array(
      fc.record({ id: word, isSo: fc.boolean(), inner: fc.array(fc.record({ a: maybe, n: whole })) }),
    ),
  });
  const names = Object.keys(KINDS);
  const source = [
    prologueOf({ keys: ["first", "second"], args: KINDS, constants: { STEP: 10, WORD: "w" } }),
    `local all = { first = first, second = second, STEP = STEP, WORD = WORD }`,
    ...names.map((name) => `if ${name} == nil then all.${name} = cjson.null else all.${name} = ${name} end`),
    "return cjson.encode(all)",
  ].join("\n");
  const encode = encoderOf(KINDS);
  await fc.assert(
    fc.asyncProperty(values, fc.boolean(), async (given, isJoined) => {
      const args: (string | number)[] = [];
      encode(given, args);
      const [lua, sent] = isJoined ? [`${SPLIT}\n${source}`, joinArguments(args)] : [source, args];
      const seen = JSON.parse(String(await redis.eval(lua, 2, "k1", "k2", ...sent))) as object;
      const expected = {
        ...given,
        first: "k1",
        second: "k2",
        STEP: 10,
        WORD: "w",
        handedOn: String(given.handedOn),
        stored: Object.entries(given.stored).flatMap(([field, value]) => [field, String(value)]),
      };
      expect(withoutEmpty(seen)).toEqual(withoutEmpty(expected));
    }),
    { numRuns: 300 },
  );
});

/** Lua knows neither null in a table nor whether an empty table is a list. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? "empty" : value.map(withoutEmpty);
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  if (entries.length === 0) return "empty";
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutEmpty(one)]));
}

it("refuses names that Lua or another argument has", () => {
  const declare = (keys: string[], args: object): string =>
    prologueOf({ keys, args: { ...args }, constants: {} });
  expect(() => declare(["end"], {})).toThrow(TypeError);
  expect(() => declare([], { redis: "text" })).toThrow(TypeError);
  expect(() => declare(["a"], { a: "text" })).toThrow(TypeError);
});

it("reads replies of the declared form, and no others", () => {
  const read = variants({ done: { count: number, of: orNull(text) }, none: {} });
  expect(read(["done", "3", "x"])).toEqual({ kind: "done", count: 3, of: "x" });
  expect(read(["done", 3])).toEqual({ kind: "done", count: 3, of: null });
  expect(read(["none"])).toEqual({ kind: "none" });
  for (const wrong of [["done", "x"], ["done"], ["other"], [], "done", null])
    expect(read(wrong)).toBeUndefined();
  expect(listOf(record({ id: text, isSo: flag }))([["a", 1], ["b"]])).toEqual([
    { id: "a", isSo: true },
    { id: "b", isSo: false },
  ]);
  expect(listOf(text)(["a", 1])).toBeUndefined();
  expect(oneOf(["a", "b"])("c")).toBeUndefined();
  expect(flag(2)).toBeUndefined();
});

it("throws where Redis answers in another form than is declared", async () => {
  const args = { nowMs: "number", leaseMs: "number", limit: "number" } as const;
  const misdeclared = new Script("take-due.lua", { keys: ["due"], args, reply: text });
  const call = { due: testPrefix(), nowMs: 0, leaseMs: 0, limit: 1 };
  await expect(misdeclared.run(redis, call)).rejects.toMatchObject({ code: "STORE_UNFIT" });
});

const folder = new URL("./scripts/", import.meta.url);
const files = readdirSync(folder);
const bodies = files.filter((name) => name.endsWith(".lua"));

/** Names that Redis gives to a script. */
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

function sourcesOf({ single, group }: Script<Declaration>["sources"]): string[] {
  return [single, group].flatMap((one) => one?.source ?? []);
}

it("declares every Lua file once, as a script or as a part of some", () => {
  const parts = new Set(scripts.flatMap(({ declared }) => declared.parts ?? []));
  const names = scripts.map(({ fileName }) => fileName);
  expect([...names, ...parts, ARGUMENTS_JOINED, CALLS_GROUPED].toSorted()).toEqual(bodies.toSorted());
});

const named = bodies.filter((name) => name !== CALLS_GROUPED);

it.each(named)("%s reads keys and arguments by name alone, and composes no hash tag", (name) => {
  const body = readFileSync(new URL(name, folder), "utf8");
  expect(body).not.toMatch(/(?:ARGV|KEYS)\s*\[/);
  // A key whose hash tag is made here could be of another slot than the script's, unseen by TypeScript.
  expect(body).not.toMatch(/[:/]\{["']?\s*\.\./);
});

it.each(scripts.map((script) => [script.fileName, script] as const))(
  "%s uses all that is declared, and nothing else",
  async (fileName, { declared, sources }) => {
    for (const source of sourcesOf(sources))
      expect((await findGlobals(redis, source)).filter((name) => !LIBRARY.includes(name))).toEqual([]);
    const { keys = [], args = {}, constants = {}, parts = [] } = declared;
    const bodiesOf = [...parts, fileName].map((name) => readFileSync(new URL(name, folder), "utf8"));
    // Without what is declared, these have to be missing.
    const missing = await findGlobals(redis, bodiesOf.join("\n"));
    const names = [...keys, ...Object.keys(args), ...Object.keys(constants)];
    expect(names.filter((name) => !missing.includes(name))).toEqual([]);
  },
);

const attached = new Set<unknown>(Object.values(attachedScripts));

it.each(scripts.filter((one) => !attached.has(one)).map((script) => [script.fileName, script] as const))(
  "%s and all of its commands are allowed to the users of Redis",
  (_, { sources }) => {
    for (const source of sourcesOf(sources)) {
      expect(workCommands()).toContain(`+evalsha|${createHash("sha1").update(source).digest("hex")}`);
      for (const [, command = ""] of source.matchAll(/redis\.p?call\(\s*"(\w+)/g))
        expect(workCommands()).toContain(`+${command.toLowerCase()}`);
    }
  },
);
