import fc from "fast-check";
import { expect } from "vitest";
import { uuidv7 } from "#shared/clock";
import { itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import type { TextPlace } from "./texts.ts";

const ALL = { teams: null, limit: 100 };

function place(id: string, atMs = 1_700_000_000_000): TextPlace {
  return { kind: "run", id, team: "shop", atMs };
}

async function openTexts() {
  return openTestArchive(await startPostgres()).texts;
}

itWithPostgres("finds by the same rules as the index of what is in Redis", async () => {
  const texts = await openTexts();
  await texts.put([
    [place("a", 1), JSON.stringify({ order: "AB-4711", by: "Jörg Müller" })],
    [{ ...place("b", 2), kind: "case" }, JSON.stringify({ order: "AB-4712", by: "Jorge Muller" })],
  ]);
  const ids = async (words: string) => (await texts.find(words, ALL)).map(({ id }) => id);
  expect(await ids("muller")).toEqual(["b", "a"]);
  expect(await ids("Müller AB-4711")).toEqual(["a"]);
  expect(await ids("ab-471")).toEqual(["b", "a"]);
  expect(await ids("mu")).toEqual(["b", "a"]);
  expect(await ids("m")).toEqual([]);
  expect(await ids("4711-AB")).toEqual([]);
  expect(await texts.find("muller", { ...ALL, kind: "case" })).toEqual([{ ...place("b", 2), kind: "case" }]);
  expect(await texts.find("muller", { ...ALL, teams: [] })).toEqual([]);
  await texts.put([[place("a", 1), "green"]]);
  expect(await ids("4711")).toEqual([]);
  expect(await texts.known("run", ["a", "b"])).toEqual(new Set(["a"]));
});

itWithPostgres("takes any text, and any words asked for, as text", async () => {
  const texts = await openTexts();
  // Characters that become eighteen each, a word without end, and many words.
  const grown = Array.from({ length: 30_000 }, (_, n) => `${n}\u{fdfa}`).join(" ");
  const many = Array.from({ length: 60_000 }, (_, n) => `w${n}`).join(" ");
  for (const text of [grown, "x".repeat(200_000), many]) {
    const id = uuidv7();
    await texts.put([[place(id), `needle ${text}`]]);
    expect(await texts.find("needle", ALL)).toContainEqual(place(id));
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), async (text, words) => {
      await texts.put([[place("x"), `needle ${text}`]]);
      await texts.find(words, ALL);
      await texts.find(`'${words}' | !needle <-> (a & b):*A`, ALL);
      expect(await texts.find("needle", { ...ALL, limit: 1000 })).toContainEqual(place("x"));
    }),
    { numRuns: 100 },
  );
});
