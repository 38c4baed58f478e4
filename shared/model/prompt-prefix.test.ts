import { describe, expect, test } from "vitest";
import { buildRequest } from "./build-request.ts";
import type { ModelCall } from "./model-client.ts";
import { ANSWER_MODES, FULL_FORM } from "./request-form.ts";
import type { RequestForm } from "./request-form.ts";

/** Providers bill what begins like an earlier prompt at a lower price: the same must come first, byte for byte. */

const call: ModelCall = {
  tier: "worker",
  instructions: "Sort the mail by what it asks for.",
  input: '{"text":"Where is my order?"}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: { route: { type: "string" }, note: { type: "string" } },
    required: ["route"],
    additionalProperties: false,
  },
  tokensMax: 500,
  temperature: 0,
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};
const other = { ...call, input: '{"text":"I want my money back."}', room: 2000 };
const TURNS = [
  { role: "user", content: "Hello." },
  { role: "assistant", content: "Good morning." },
] as const;

const forms = ANSWER_MODES.flatMap((mode) =>
  [true, false].flatMap((takesSystem) =>
    [true, false].map((isSpelledOut): RequestForm => ({ ...FULL_FORM, mode, takesSystem, isSpelledOut })),
  ),
);

function textOf(asked: ModelCall, form: RequestForm): string {
  return buildRequest(asked, "m", form)
    .body.messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)?.slice(1, -1)}`)
    .join("\n");
}

function shared(one: string, two: string): string {
  let length = 0;
  while (length < one.length && one[length] === two[length]) length += 1;
  return one.slice(0, length);
}

describe.each(forms.map((form) => [`${form.mode}, ${JSON.stringify(form)}`, form] as const))(
  "%s",
  (_, form) => {
    test("two calls differ in nothing before their data", () => {
      for (const history of [[], TURNS]) {
        const both = shared(textOf({ ...call, history }, form), textOf({ ...other, history }, form));
        expect(both).toContain(call.instructions);
        expect(both.includes('\\"route\\"')).toBe(form.isSpelledOut);
        for (const turn of history) expect(both).toContain(turn.content);
        expect(both).toMatch(/text\\*":\\*"$/);
      }
    });

    test("a question that is asked again only adds to its end", () => {
      for (const previousAnswer of ["", '{"rout'])
        for (const history of [[], TURNS]) {
          const first = { ...call, history };
          const again = { ...first, reask: { previousAnswer, problems: "/: not JSON" } };
          expect(textOf(again, form).startsWith(textOf(first, form))).toBe(true);
        }
    });

    test("the schema beside the messages is the same in every call", () => {
      const besides = [call, other, { ...call, reask: { previousAnswer: "{", problems: "no" } }].map(
        (one) => {
          const { messages: _messages, ...beside } = buildRequest(one, "m", form).body;
          return JSON.stringify(beside);
        },
      );
      expect(new Set(besides).size).toBe(1);
    });
  },
);
