import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testRedis } from "#shared/testing";
import { encoderOf, prologueOf } from "./script-arguments.ts";
import type { ArgumentKinds, ValuesOf } from "./script-arguments.ts";
import { ENDED_STATUSES } from "./runs/run-record.ts";
import { groupVersion } from "./cases/group-record.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const parts = ["run-status.lua"];

/** Runs Lua code with the parts of our scripts and named arguments in a real Redis. */
async function runLua<const Kinds extends ArgumentKinds>(
  lua: { readonly parts: readonly string[]; readonly args: Kinds; readonly body: string },
  values: ValuesOf<Kinds>,
): Promise<unknown> {
  const { parts: files, args, body } = lua;
  const source = [
    prologueOf({ keys: [], args, constants: {} }),
    ...files.map((name) => readFileSync(new URL(`./scripts/${name}`, import.meta.url), "utf8")),
    body,
  ].join("\n");
  const sent: (string | number)[] = [];
  encoderOf(args)(values, sent);
  return redis.eval(source, 0, ...sent);
}

it("calls the same statuses ended", async () => {
  const body = "local names = {}\nfor name in pairs(ENDED) do names[#names + 1] = name end\nreturn names";
  const answered = await runLua({ parts, args: {}, body }, {});
  expect(answered).toEqual(expect.arrayContaining([...ENDED_STATUSES]));
  expect(answered).toHaveLength(ENDED_STATUSES.length);
});

it("gives a group the version that its script compares", async () => {
  const ms = fc.option(fc.nat(2_000_000_000_000));
  const lua = {
    parts: ["group-lifecycle.lua"],
    args: { markedMs: "text?", regressedMs: "text?" },
    body: "return groupVersion(markedMs, regressedMs)",
  } as const;
  const property = fc.asyncProperty(ms, ms, async (marked, regressed) => {
    const values = { markedMs: marked?.toString() ?? null, regressedMs: regressed?.toString() ?? null };
    expect(await runLua(lua, values)).toBe(groupVersion(marked ?? 0, regressed ?? 0));
  });
  await fc.assert(property);
});

it("reopens a resolved group unless the message is of a version before the resolution", async () => {
  const party = fc.record({ name: fc.constantFrom("a", "b", "c"), version: fc.nat(4) });
  const lua = {
    parts: ["group-lifecycle.lua"],
    args: { name: "text?", version: "text?", parties: { list: { name: "text", version: "number" } } },
    body: "return isRegression(name, version, parties) and 1 or 0",
  } as const;
  const property = fc.asyncProperty(
    fc.option(party),
    fc.array(party, { maxLength: 4 }),
    async (since, parties) => {
      const values = { name: since?.name ?? null, version: since?.version.toString() ?? null, parties };
      const version = parties.find(({ name }) => name === since?.name)?.version ?? Infinity;
      expect(await runLua(lua, values)).toBe(since === null || version >= since.version ? 1 : 0);
    },
  );
  await fc.assert(property);
});
