import { Ajv } from "ajv";
import type { AnySchemaObject } from "ajv";
import specs from "@asyncapi/specs";
import { expect, it } from "vitest";
import { z } from "zod";
import { WEBHOOK_EVENTS } from "#shared/config";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { describeEvents } from "./asyncapi.ts";

const Mail = contract("mail@2", z.object({ text: z.string(), parts: z.json() }));
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});
const Answer = contract("answer@1", z.object({ tree: Tree }));

const first = agent("first@1", {
  description: "Reads mails.",
  accepts: Mail,
  to: { second: Answer },
  handle: (mail, ctx) => ctx.handoff("second", { tree: { name: mail.text, children: [] } }),
});
const second = agent("second@3", { accepts: Answer, handle: (answer, ctx) => ctx.complete(answer) });
const DOCUMENT = describeEvents([team("letters", [first, second])], "here");

it("is valid AsyncAPI 3.0", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const schema: AnySchemaObject = JSON.parse(JSON.stringify(specs.schemasWithoutId["3.0.0"]));
  const validate = ajv.compile(schema);
  expect(validate(DOCUMENT), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
  expect(validate({ ...DOCUMENT, channels: { wrong: { address: 1 } } })).toBe(false);
});

it("has every agent, event and contract, and no reference that leads nowhere", () => {
  const { channels, operations, components } = DOCUMENT;
  expect(channels["queue.second"]).toMatchObject({
    address: "second",
    title: "second@3 of the team letters",
    messages: { "answer.v1": { $ref: "#/components/messages/answer.v1" } },
    "x-bullmq": { prefix: "here:{second}" },
  });
  expect(operations["receive.first"]).toEqual({
    action: "receive",
    channel: { $ref: "#/channels/queue.first" },
  });
  for (const event of WEBHOOK_EVENTS) expect(components.messages).toHaveProperty([`${event}.cloudevents`]);
  expect(components.messages["run.ended"]).toMatchObject({
    payload: {
      properties: {
        type: { const: "suture.run.ended" },
        data: { required: expect.arrayContaining(["result"]) },
      },
    },
  });
  const text = JSON.stringify(DOCUMENT);
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
  const dead = refs.filter((ref) => {
    const steps = ref.replace("#/", "").split("/");
    const [part = "", ...rest] = steps;
    return !hasPath(DOCUMENT, [part, ...rest]);
  });
  expect(dead).toEqual([]);
  expect(refs.some((ref) => ref.startsWith("#/components/schemas/answer.v1."))).toBe(true);
});

it("says what a queue's job holds so that a real payload fits and a wrong one does not", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile({ ...DOCUMENT, $ref: "#/components/schemas/answer.v1" });
  expect(validate({ tree: { name: "a", children: [{ name: "b", children: [] }] } })).toBe(true);
  expect(validate({ tree: { name: "a", children: [{ name: 1, children: [] }] } })).toBe(false);
});

function hasPath(value: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
  return hasPath(Reflect.get(value, step), rest);
}
