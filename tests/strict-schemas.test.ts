import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonSchema } from "#shared/json";
import { findStrictFaults, toStrictSchema } from "#shared/model";
import { loadTeams } from "#shared/runtime/process";
import { openSurgeonTestSystem } from "../services/surgeon/testing/surgeon-test-system.ts";
import editorialTeam from "../services/agents/editorial/team.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";
import { ANSWER_SCHEMA } from "../services/surgeon/propose/model/question.ts";

/** The tests' endpoints enforce the rules of strict output. Here they are asked what no sound client sends. */

const response_format = {
  type: "json_schema",
  json_schema: {
    name: "repair",
    strict: true,
    schema: {
      type: "object",
      properties: { verdict: { enum: ["repaired", "irreparable"] } },
      required: ["verdict"],
      additionalProperties: false,
    },
  },
};

const body = { model: "gpt-5", messages: [{ role: "user", content: "{}" }], response_format };

async function post(url: string, sent: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(sent),
  });
  return { status: response.status, text: await response.text() };
}

it.each([
  ["the rehearsal", async () => `${(await openRehearsal(editorialTeam)).url}/v1`],
  ["the endpoint of the teams' tests", openEndpoint],
  ["the endpoint of the surgeon's tests", async () => (await openSurgeonTestSystem()).endpoint.url],
])("%s refuses a schema that breaks a rule of strict mode", async (_, open) => {
  const { status, text } = await post(await open(), body);
  expect(status).toBe(400);
  expect(text).toContain("invalid_request_error");
  expect(text).toContain("/properties/verdict");
});

async function openEndpoint(): Promise<string> {
  const endpoint = await startModelEndpoint([editorialTeam]);
  onTestFinished(() => endpoint.close());
  return endpoint.url;
}

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
