import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { recorded, recordingKey } from "./recorded.ts";
import { StandInCalls } from "./stand-in-calls.ts";

it("answers what was recorded whatever the order of members, calls tools first, and else cannot tell", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const found = { tool: "find", arguments: { id: 1 }, outcome: { total: 5 } };
  const lines = [
    { sample: "a", step: "route", key: recordingKey("route", { text: "Hi", n: 1 }), answer: { route: "x" } },
    {
      sample: "b",
      step: "route",
      key: recordingKey("route", { id: 1 }),
      calls: [{ tool: "find", arguments: { id: 1 } }],
    },
    { sample: "b", step: "route", key: recordingKey("route", { id: 1 }, [found]), answer: { route: "y" } },
  ];
  const file = join(folder, "desk.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { route } = recorded(pathToFileURL(file), { route: () => ({ route: "cannot tell" }) });
  const ask = (input: object, results: (typeof found)[] = []): unknown =>
    route(input as never, Math.random, [], { offered: ["find"], results });
  expect(ask({ n: 1, text: "Hi" })).toEqual({ route: "x" });
  expect(ask({ id: 1 })).toEqual(new StandInCalls([{ tool: "find", arguments: { id: 1 } }]));
  expect(ask({ id: 1 }, [found])).toEqual({ route: "y" });
  expect(ask({ n: 2, text: "Hi" })).toEqual({ route: "cannot tell" });
});
