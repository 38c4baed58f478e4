import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, ContractRegistry } from "#shared/contract";
import { createFirst } from "#shared/envelope";
import { newTraceparent } from "#shared/telemetry";
import { proveRepair } from "#shared/proof";
import { firstAid } from "#shared/repair";
import { admissionOf } from "../testing/admission-of.ts";
import { payloadTextOf, readSubject } from "./subject.ts";

const Order = contract(
  "order@1",
  z.strictObject({ order_id: z.string().meta({ "x-locked": true }), seats: z.int() }),
);

function subjectOf(data_payload: unknown) {
  const envelope = createFirst({
    to: "desk@1",
    contract: "order@1",
    payload: data_payload,
    traceparent: newTraceparent(),
  });
  const record = admissionOf(envelope, { schema: Order.jsonSchema });
  return readSubject({ record, envelope, contracts: new ContractRegistry([Order]) });
}

const GOOD = { order_id: "A-1", seats: 3 };

describe("a message whose payload is a text", () => {
  it.each([
    ["JSON", JSON.stringify(GOOD)],
    ["JSON encoded twice", JSON.stringify(JSON.stringify(GOOD))],
    ["fenced JSON", `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``],
    ["a Python literal", "{'order_id': 'A-1', 'seats': 3}"],
    ["JSON with prose around it", `Here is the JSON:\n${JSON.stringify(GOOD)}\nHope this helps.`],
    ["JSON with a trailing comma", '{"order_id": "A-1", "seats": 3,}'],
  ])("is mended by first aid with proof where it is %s, locked fields and all", (_name, text) => {
    const subject = subjectOf(text);
    const aided = firstAid(subject.text, subject.schema);
    expect(aided).toMatchObject({ ok: true, value: GOOD });
    if (!aided.ok) return;
    const proof = proveRepair(subject, { value: aided.value, provenAs: "first_aid" });
    expect(proof.objections).toEqual([]);
  });

  it("has no value of its own where it is no JSON", () => {
    expect(subjectOf("please refund me")).toMatchObject({ text: "please refund me", value: undefined });
  });
});

describe("raw words that contradict themselves", () => {
  const TWICE = '{"order_id": "A-1", "seats": 3, "order_id": "A-666"}';

  it("have no value, so that nobody takes the last of two for what stands there", () => {
    expect(subjectOf(TWICE)).toMatchObject({ text: TWICE, value: undefined });
    expect(subjectOf(JSON.stringify(TWICE)).value).toBeUndefined();
    expect(subjectOf('{"order_id": "A-1", "seats": 3, "seats": 3}').value).toEqual(GOOD);
  });

  it.each(["A-1", "A-666"])("give no locked value: %s", (order_id) => {
    const proof = proveRepair(subjectOf(TWICE), { value: { order_id, seats: 3 }, provenAs: "model" });
    expect(proof.objections).toContainEqual(expect.objectContaining({ path: "/order_id", code: "locked" }));
  });
});

import fc from "fast-check";

describe("the text of a payload", () => {
  it("keeps every number as it was written", () => {
    const payload = '{"id":12345678901234567890,"price":1.10,"big":1e2,"list":[0.30,-0],"text":"1.10"}';
    expect(payloadTextOf(`{"meta":{"n":1.0},"data_payload":${payload}}`)).toBe(payload);
  });

  it("says the same value as the message, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = payloadTextOf(JSON.stringify({ data_payload: value }));
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      }),
    );
  });
});
