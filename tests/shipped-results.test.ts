import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { describeApi } from "#shared/api";
import { checkPayload } from "#shared/contract";
import { redactValue } from "#shared/guard";
import { isRecord } from "#shared/json";
import { serveMcpRequest } from "#shared/mcp/serve";
import type { TeamsPort } from "#shared/mcp/serve";
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

it("gives tools a result schema by which the SDK's client takes what the contract takes, and nothing else", async () => {
  const teams = (await loadTeams("services/agents")).filter(({ name }) => names.includes(name));
  const card = { card: "index", status: "explained", title: "t", language: "ts", purpose: null, names: [] };
  const results = [{ ...card, example: null }, null, "[sensitive]", { ...card, card: "whole" }, "else"];
  let next = 0;
  const run = { run_id: "r", status: "completed", error: null };
  const port: TeamsPort = {
    listTeams: async () =>
      teams.map(({ name, entry, options }) => ({
        name,
        description: name,
        inputSchema: entry.accepts.jsonSchema,
        resultSchema: options.result?.jsonSchema ?? null,
      })),
    begin: async () => run,
    follow: async () => ({ ...run, result: results[next++] }),
    cancel: async () => ({ ...run, result: null }),
  };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const answer = async (url: URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const body = request.method === "POST" ? await request.clone().json() : null;
    return serveMcpRequest(port, request, { body, heartbeatEveryMs: 60_000 });
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: answer }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  const call = (name: string) => client.callTool({ name, arguments: {} });
  for (const result of results.slice(0, 3))
    expect((await call("gallery")).structuredContent).toMatchObject({ result });
  for (const _ of results.slice(3)) await expect(call("gallery")).rejects.toThrow(/schema/i);
  // Each of the others' schemas is one that the client can read: it refuses what is no result.
  for (const name of names) {
    results.push("else");
    await expect(call(name), name).rejects.toThrow(/schema/i);
  }
});
