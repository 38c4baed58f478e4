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

test("the description says where each operation is and which key it takes, and requires only properties that it has", () => {
  const document = describeApi();
  expect(document).toMatchObject({ servers: [{ url: "{gateway}" }], security: [{ key: [] }] });
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, servers, security } = operation as Record<string, unknown>;
    const [id, { scopes }] = declared.find(([name]) => name === operationId) ?? ["", { scopes: undefined }];
    expect([id, security]).toEqual([id, scopes === null ? [] : undefined]);
    expect([id, JSON.stringify(servers ?? []).includes("{console}")]).toEqual([id, !(id in GATEWAY_API)]);
  }
  const lacking: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    const { required, properties } = (value ?? {}) as { required?: unknown; properties?: object };
    if (Array.isArray(required))
      lacking.push(
        ...required
          .filter((name: string) => !Object.hasOwn(properties ?? {}, name))
          .map((name) => `${key} ${name}`),
      );
    return value;
  });
  expect(lacking).toEqual([]);
});
