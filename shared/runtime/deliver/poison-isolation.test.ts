import { describe, expect, it } from "vitest";
import { PoisonIsolation } from "./poison-isolation.ts";

const never = new AbortController().signal;

/** Work that runs until `end`, and which work ran at the same time. */
function openWork() {
  const atWork = new Set<string>();
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    atWork.add(name);
    seen.push([...atWork].toSorted().join("+"));
    await new Promise<void>((resolve) => ends.set(name, resolve));
    atWork.delete(name);
    return name;
  };
  const isAtWork = (name: string) => expect.poll(() => atWork.has(name)).toBe(true);
  return { work, seen, isAtWork, end: (name: string) => ends.get(name)?.() };
}

describe("messages whose worker died", () => {
  it("are handled one at a time, beside fresh ones", async () => {
    const { work, seen, isAtWork, end } = openWork();
    const isolation = new PoisonIsolation();
    const fresh = isolation.runBesideOthers(never, work("fresh"));
    const first = isolation.run({ signal: never, isLastChance: false }, work("first"));
    const second = isolation.run({ signal: never, isLastChance: false }, work("second"));
    await isAtWork("first");
    end("first");
    await isAtWork("second");
    end("second");
    end("fresh");
    expect(await Promise.all([fresh, first, second])).toEqual(["fresh", "first", "second"]);
    expect(seen).toEqual(["fresh", "first+fresh", "fresh+second"]);
  });

  it("have the process to themselves at their last chance, and the others go on afterwards", async () => {
    const { work, seen, isAtWork, end } = openWork();
    const isolation = new PoisonIsolation();
    const before = isolation.runBesideOthers(never, work("before"));
    const suspect = isolation.run({ signal: never, isLastChance: true }, work("suspect"));
    await isAtWork("before");
    const after = isolation.runBesideOthers(never, work("after"));
    end("before");
    await isAtWork("suspect");
    end("suspect");
    await isAtWork("after");
    end("after");
    await Promise.all([before, suspect, after]);
    expect(seen).toEqual(["before", "suspect", "after"]);
  });
});
