import { expect, test } from "vitest";
import { CONSOLE_API, describeApi, GATEWAY_API } from "#shared/api";
import { readErrors } from "../reference/read-errors.ts";

const declared = Object.entries({ ...GATEWAY_API, ...CONSOLE_API });

test("every problem that an operation declares is the code of an error", () => {
  const codes = new Set(readErrors().map(({ code }) => code.toLowerCase()));
  const unknown = declared.flatMap(([id, operation]) =>
    ("problems" in operation ? operation.problems : [])
      .filter((code) => !codes.has(code))
      .map((code) => `${id}: ${code}`),
  );
  expect(unknown).toEqual([]);
});

test("the description has every operation once, with its answers, and refers to nothing that it lacks", () => {
  const document = describeApi();
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(described).toHaveLength(declared.length);
  expect(new Set(described.map(({ operationId }) => operationId))).toEqual(
    new Set(declared.map(([id]) => id)),
  );
  const refs = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
  expect([...new Set(refs)].toSorted()).toEqual([
    '"$ref":"#/components/schemas/Problem"',
    '"$ref":"#/components/schemas/RunEvent"',
  ]);
});
