import fc from "fast-check";
import { expect, it } from "vitest";
import { toStoredText } from "./job-data.ts";

it("writes what JSON.stringify writes, in the same order, whatever the job holds", () => {
  const data = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record({ sealed: fc.string({ unit: "binary" }), attempt: fc.nat(), seal: fc.jsonValue() }),
    fc.record({ sealed: fc.jsonValue(), encoding: fc.constantFrom(undefined, "gzip") }),
    fc.record({ attempt: fc.nat(), sealed: fc.string() }),
  );
  fc.assert(
    fc.property(data, (job) => {
      expect(toStoredText(job)).toBe(JSON.stringify(job));
    }),
  );
});
