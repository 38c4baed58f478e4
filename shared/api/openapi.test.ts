import { expect, test, vi } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { isRecord } from "#shared/json";
import { agent, team } from "#shared/runtime";
import { checkAnswer, keepDeclared } from "./check-operation.ts";
import { describeApi } from "./openapi.ts";

const Tally = contract("tally@1", z.object({ votes: z.record(z.enum(["yes", "no"]), z.int()) }));
const counter = agent("counter@1", {
  accepts: Tally,
  handle: (_, ctx) => ctx.complete({ votes: { yes: 1, no: 0 } }),
});
const document = describeApi([team("counters", [counter], { result: Tally })], "https://suture.example.org");

/** Places of schemas that require a member which they do not describe. */
function undescribed(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => undescribed(one, `${at}/${key}`));
  const { required, properties = {} } = value as {
    readonly required?: unknown;
    readonly properties?: object;
  };
  if (!Array.isArray(required)) return inner;
  const open = required.filter((name) => !Object.hasOwn(properties, String(name)));
  return [...inner, ...open.map((name) => `${at}: ${String(name)}`)];
}

test("describes every member that it requires, those of a record by enum included", () => {
  expect(undescribed(document)).toEqual([]);
  expect(JSON.stringify(document.components)).toContain('"properties":{"yes":{"type":"integer"');
});

test("says where the gateway is, and where operations of the console alone are", () => {
  expect(document.servers).toMatchObject([{ url: "https://suture.example.org" }]);
  expect(describeApi().servers).toMatchObject([{ url: "/" }]);
  for (const operation of operations()) {
    const tags = JSON.stringify(operation["tags"]);
    expect(Array.isArray(operation["servers"]), String(operation["operationId"])).toBe(
      tags === '["console"]',
    );
  }
});

test("asks for a key everywhere, save where an operation says that it takes none", () => {
  expect(document.security).toEqual([{ key: [] }]);
  const open = operations().filter(({ security }) => security !== undefined);
  expect(open.map(({ security }) => security)).toEqual(open.map(() => []));
  expect(open.map(({ operationId }) => operationId)).toContain("showLiveness");
  expect(open.map(({ operationId }) => operationId)).not.toContain("submitTask");
});

function operations(): Readonly<Record<string, unknown>>[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods).filter(isRecord));
}

const operation = {
  id: "showLamp",
  answers: { 200: z.object({ name: z.string(), since: z.string().exactOptional() }), 204: null },
};

const LAMP = { name: "hall" };

test("an answer as declared passes, with members that are undefined and without what may be missing", () => {
  checkAnswer(operation, { status: 200, answer: LAMP });
  checkAnswer(operation, { status: 200, answer: { ...LAMP, since: undefined } });
  checkAnswer(operation, { status: 204, answer: undefined });
});

test.each([
  ["a field more", 200, { ...LAMP, secret: "x" }],
  ["a field less", 200, {}],
  ["another type", 200, { name: 7 }],
  ["a status that is not declared", 201, LAMP],
])("%s is refused with the operation's name", (_, status, answer) => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const check = (): void => checkAnswer(operation, { status, answer });
  expect(check).toThrow(expect.objectContaining({ code: "ANSWER_UNDECLARED" }));
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining("showLamp") }),
  );
});

test("drops what is not declared where services send answers", () => {
  expect(keepDeclared(operation, { status: 200, answer: { ...LAMP, secret: "x" } })).toEqual(LAMP);
});
