import fc from "fast-check";
import { expect, it } from "vitest";
import { TextIndex } from "./text-index.ts";
import type { Place } from "./text-index.ts";

const all = { teams: null, limit: 100 };

function place(id: string, more: Partial<Place> = {}): Place {
  return { kind: "run", id, team: "shop", atMs: 1_700_000_000_000, ...more };
}

it("finds what has every word, the last as a beginning, whatever its case and accents, the newest first", () => {
  const index = new TextIndex(10);
  index.put([[place("a", { atMs: 1 }), JSON.stringify({ order: "AB-4711", by: "Jörg Müller" })]]);
  index.put([
    [place("b", { atMs: 2, kind: "case" }), JSON.stringify({ order: "AB-4712", by: "Jorge Muller" })],
  ]);
  const ids = (words: string): string[] => index.find(words, all).map(({ id }) => id);
  expect(ids("muller")).toEqual(["b", "a"]);
  expect(ids("Müller AB-4711")).toEqual(["a"]);
  expect(ids("ab-471")).toEqual(["b", "a"]);
  expect(ids("mu")).toEqual(["b", "a"]);
  expect(ids("m")).toEqual([]);
  expect(ids("4711-AB")).toEqual([]);
  expect(index.find("muller", { ...all, kind: "case" })).toEqual([place("b", { atMs: 2, kind: "case" })]);
});

it("shows what is of the caller's teams alone", () => {
  const index = new TextIndex(10);
  index.put([[place("a", { team: "shop" }), "parcel"]]);
  index.put([[place("b", { team: "bank" }), "parcel"]]);
  expect(index.find("parcel", { teams: ["bank"], limit: 5 }).map(({ id }) => id)).toEqual(["b"]);
  expect(index.find("parcel", { teams: [], limit: 5 })).toEqual([]);
});

it("forgets what was said before, what is taken out, and the oldest beyond its bound", () => {
  const index = new TextIndex(2);
  index.put([[place("a", { atMs: 1 }), "red"]]);
  index.put([[place("a", { atMs: 1 }), "green"]]);
  expect(index.find("red", all)).toEqual([]);
  index.put([[place("b", { atMs: 2 }), "green"]]);
  index.put([[place("c", { atMs: 3 }), "green"]]);
  expect(index.find("green", all).map(({ id }) => id)).toEqual(["c", "b"]);
  expect([index.isFull, index.oldestMs]).toEqual([true, 2]);
  index.remove(place("c"));
  expect(index.find("green", all).map(({ id }) => id)).toEqual(["b"]);
});

it("holds more of one millisecond than it tells apart", () => {
  const index = new TextIndex(5000);
  for (let n = 0; n < 1500; n += 1) index.put([[place(`r${n}`), `word${n}`]]);
  expect(index.find("word1499", all).map(({ id }) => id)).toEqual(["r1499"]);
});

it("takes any text, and any words asked for, as text", () => {
  const index = new TextIndex(100);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, words) => {
      index.put([[place("x"), `${text} needle`]]);
      index.find(words, all);
      index.find(`"${words}" OR NEAR(*) text: ^`, all);
      expect(index.find("needle", all)).toHaveLength(1);
    }),
  );
});
