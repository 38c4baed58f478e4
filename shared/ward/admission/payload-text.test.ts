import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { payloadTextOf } from "./payload-text.ts";

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
