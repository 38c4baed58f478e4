import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "#shared/json";
import { findStrictFaults, toStrictSchema } from "#shared/model";
import { loadTeams } from "#shared/runtime/process";
import { ANSWER_SCHEMA } from "../services/surgeon/propose/model/question.ts";

/** Every schema that a model's endpoint can be sent: one that breaks a documented rule is answered 400. */

interface Sent {
  readonly name: string;
  readonly jsonSchema: JsonSchema;
}

async function sentByTeams(): Promise<Sent[]> {
  const names = globSync("services/agents/*/team.ts").map((file) => basename(dirname(file)));
  const loaded = [];
  // A team's variants are loaded beside all teams; of a team without any, nothing is added.
  for (const name of names) loaded.push(...(await loadTeams("services/agents", name)));
  const contracts = loaded.flatMap((team) =>
    [...team.agents.values()].flatMap((agent) =>
      (agent.options.answers ?? [])
        .filter((contract) => contract.options.answersIn !== "xml")
        .map((contract): [string, Sent] => [
          `${agent.id} ${contract.id}`,
          { name: `${agent.id} ${contract.id}`, jsonSchema: contract.jsonSchema },
        ]),
    ),
  );
  return [...new Map(contracts).values()];
}

const sent: readonly Sent[] = [
  { name: "surgeon repair", jsonSchema: ANSWER_SCHEMA },
  ...(await sentByTeams()),
];

describe("a schema that is sent", () => {
  it("is one of all agents that ask a model, of six teams and the surgeon", () => {
    expect(sent.length).toBeGreaterThan(45);
    for (const agent of [
      "surgeon",
      "triage@1",
      "planner@1",
      "invoice@1",
      "electronics@1",
      "intake@1",
      "chat@1",
    ])
      expect(sent.some(({ name }) => name.startsWith(`${agent} `))).toBe(true);
  });

  it.each(sent)("is taken in strict mode: $name", ({ jsonSchema }) => {
    const { strict, schema } = toStrictSchema(jsonSchema);
    expect(findStrictFaults(schema)).toEqual([]);
    expect(strict).toBe(true);
  });
});
