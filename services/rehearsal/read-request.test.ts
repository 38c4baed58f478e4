import fc from "fast-check";
import { expect, test } from "vitest";
import { createAttemptCounter } from "./count-attempts.ts";
import { readRequest } from "./read-request.ts";

const system = { role: "system", content: "Do." };
const user = (content: string): object => ({ role: "user", content });
const assistant = (content: string): object => ({ role: "assistant", content });

test("finds the step's input after a conversation and before a re-ask", () => {
  const history = [user('{"old":1}'), assistant('{"old":2}'), user("and then?"), assistant("ok")];
  const reask = [assistant('{"x":'), user("Your answer cannot be used:\n/x: {}")];
  const input = user('{"now":1}');
  const first = readRequest({ model: "m", messages: [system, ...history, input] });
  expect(first).toMatchObject({ input: { now: 1 }, isReask: false });
  const again = readRequest({ model: "m", messages: [system, ...history, input, ...reask] });
  expect(again).toMatchObject({ input: { now: 1 }, inputText: '{"now":1}', isReask: true });
});

test("reads content parts, and takes any JSON value as input, null too", () => {
  const parts = {
    role: "user",
    content: [
      { type: "text", text: "[1," },
      { type: "text", text: "2]" },
    ],
  };
  expect(readRequest({ model: "m", messages: [parts] })).toMatchObject({ input: [1, 2] });
  expect(readRequest({ model: "m", messages: [user("null")] })).toMatchObject({ input: null });
});

test("never throws", () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => void readRequest(body)));
});

test("counts first questions and re-asks of one thing, and forgets what was asked longest ago", () => {
  const count = createAttemptCounter(2);
  expect(count("a", false)).toEqual({ attempt: 1, reask: 0 });
  expect(count("a", true)).toEqual({ attempt: 1, reask: 1 });
  expect(count("a", false)).toEqual({ attempt: 2, reask: 0 });
  expect(count("b", true)).toEqual({ attempt: 1, reask: 1 });
  count("c", false);
  expect(count("a", false)).toEqual({ attempt: 1, reask: 0 });
});
