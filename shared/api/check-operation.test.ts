import { expect, test, vi } from "vitest";
import { z } from "zod";
import { checkAnswer, keepDeclared } from "./check-operation.ts";

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
