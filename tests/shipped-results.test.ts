import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { describeApi } from "#shared/api";
import { checkPayload } from "#shared/contract";
import { redactValue } from "#shared/guard";
import { isRecord } from "#shared/json";
import { loadTeams } from "#shared/runtime/process";
import { typesOfTeams } from "../services/cli/teams/types-of-teams.ts";
import { SupportResult } from "../services/agents/support/result.ts";

const names = globSync("services/agents/*/team.ts").map((file) => basename(dirname(file)));

it("gives every shipped team's result a name in OpenAPI, and a type in what `suture types` writes", async () => {
  const teams = (await loadTeams("services/agents")).filter(({ name }) => names.includes(name));
  expect(teams.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const document = describeApi(teams);
  const { schemas } = document.components;
  expect(isRecord(schemas)).toBe(true);
  const types = await typesOfTeams(document);
  for (const { name, options } of teams) {
    const schema = options.result?.id.replace("@", ".v") ?? "";
    expect(schema).toMatch(new RegExp(`^${name}\\.result\\.v\\d+$`));
    expect(schemas).toHaveProperty([schema]);
    expect(schemas).toHaveProperty(["Teams", "properties", name, "properties", "result"], {
      $ref: `#/components/schemas/${schema}`,
    });
    expect(types).toContain(`result: components["schemas"]["${schema}"]`);
  }
  expect(types).toContain('status: "follow_up"');
});

it("does not fail a run because sensitive data was taken out of its result", () => {
  const card = "4111111111111111";
  const result = {
    status: "escalated",
    cause: "unclear",
    ticket_id: card,
    customer_email: `${card}@example.org`,
    language: "en",
    packet: {
      headline: `password: abcd ${"x".repeat(105)}`,
      what_happened: card,
      what_is_wanted: card,
      suggested_next: card,
      tone: "calm",
    },
    decided: { category: "refunds", order_id: card },
  };
  const { value, found } = redactValue(result, ["card", "iban", "secret"]);
  expect(found).toMatchObject({ card: 6, secret: 1 });
  expect(checkPayload(SupportResult, value)).toEqual(value);
  expect(() => checkPayload(SupportResult, { ...result, cause: "bored" })).toThrow();
});
