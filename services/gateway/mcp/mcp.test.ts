import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway, TestGatewayOptions } from "../testing/start-test-gateway.ts";

const Ask = contract(
  "mcp.ask@1",
  z.strictObject({ text: z.string().min(1), fail: z.boolean().default(false) }),
);
const Words = contract("mcp.words@1", z.string().min(1));

/** With definitions of its own, one of them the whole. */
interface Saying {
  readonly said: string;
  readonly next: Saying | null;
}
const saying: z.ZodType<Saying> = z.strictObject({
  said: sensitive(z.string()),
  get next() {
    return saying.nullable();
  },
});
const pair = z.strictObject({ words: z.int() }).meta({ id: "mcp-pair" });
const Said = contract("mcp.said@1", z.union([saying, z.strictObject({ many: z.array(pair) })]));

const asked = team(
  "mcp-team",
  [
    agent("mcp-reader@1", {
      accepts: Ask,
      to: { "mcp-writer": Words },
      deliveriesMax: 1,
      handle: ({ text, fail }, ctx) => {
        if (fail) throw new Error("broken on purpose");
        return ctx.handoff("mcp-writer", text.toUpperCase());
      },
    }),
    agent("mcp-writer@1", {
      accepts: Words,
      handle: (said, ctx) =>
        ctx.complete(said === "MANY" ? { many: [{ words: 1 }, { words: 2 }] } : { said, next: null }),
    }),
  ],
  { description: "Says it louder.", onFailure: "end", result: Said },
);

const TRANSPORTS = ["http", "http of 2025"] as const;

async function connect(
  gateway: TestGateway,
  how: (typeof TRANSPORTS)[number],
  key: string = SECRETS.submit,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    how === "http" ? { versionNegotiation: { mode: "auto" } } : {},
  );
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${gateway.url}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await client.connect(transport, { timeout: 60_000 });
  onTestFinished(() => client.close());
  return client;
}

const open = (options: TestGatewayOptions = {}): Promise<TestGateway> =>
  startTestGateway({ team: asked, ...options });

const callsOf = async (gateway: TestGateway): Promise<number> =>
  (await gateway.store.runs.counts()).submitted;

describe.each(TRANSPORTS)("the teams as tools over %s", (how) => {
  it("have the contract as schema, run with progress to their result, and say what is wrong", async () => {
    const gateway = await open();
    await gateway.system.start();
    const client = await connect(gateway, how);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["mcp-team", "suture_get_run", "suture_cancel_run"]);
    expect(tools[0]).toMatchObject({
      description: "Says it louder.",
      inputSchema: { type: "object", required: ["text"], additionalProperties: false },
      outputSchema: {
        properties: {
          run_id: {},
          result: { anyOf: [{ $ref: "#/$defs/suture_result" }, { type: "null" }, {}] },
        },
        $defs: { suture_result: { title: "mcp.said@1" }, "mcp-pair": { type: "object" } },
      },
    });
    const heard: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: "mcp-team", arguments: { text: "hello" } },
      { onprogress: ({ message }) => void heard.push(message), timeout: 60_000 },
    );
    expect(result.structuredContent).toMatchObject({
      status: "completed",
      result: { said: "HELLO" },
      error: null,
    });
    expect(heard).toEqual(expect.arrayContaining(["submitted: mcp-reader", "handed off: mcp-reader"]));
    const many = await client.callTool({ name: "mcp-team", arguments: { text: "many" } });
    expect(many.structuredContent).toMatchObject({ result: { many: [{ words: 1 }, { words: 2 }] } });
    const refused = await client.callTool({ name: "mcp-team", arguments: { text: "" } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("/text");
    const failed = await client.callTool({ name: "mcp-team", arguments: { text: "x", fail: true } });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: "failed" } });
    await expect(client.callTool({ name: "other", arguments: {} })).rejects.toThrow("no tool");
    expect(await callsOf(gateway)).toBe(3);
  });
});

it("cancels the run of a call that its client cancels, for a key that may", async () => {
  const gateway = await open();
  const client = await connect(gateway, "http", SECRETS.operator);
  const leave = new AbortController();
  const heard: (string | undefined)[] = [];
  const call = client.callTool(
    { name: "mcp-team", arguments: { text: "never" } },
    { signal: leave.signal, onprogress: ({ message }) => void heard.push(message), timeout: 60_000 },
  );
  await expect.poll(() => heard).toContain("submitted: mcp-reader");
  leave.abort();
  await expect(call).rejects.toThrow();
  // The client has gone before the gateway hears of it: agents that start earlier may complete the run.
  const { runs } = gateway.store;
  const [run] = await runs.list({ limit: 1 });
  const isAsked = (): Promise<boolean> => runs.isCancelled(run?.run_id ?? "");
  await expect.poll(isAsked).toBe(true);
  const cancelled = async (): Promise<number> => (await gateway.store.runs.counts()).cancelled;
  await gateway.system.start();
  await expect.poll(cancelled).toBe(1);
  const next = await client.callTool({ name: "mcp-team", arguments: { text: "hello" } });
  expect(next.structuredContent).toMatchObject({ status: "completed", result: { said: "HELLO" } });
});

describe("the address of the tools", () => {
  it("shows and cancels no run of another tenant, and begins none for a key that only reads", async () => {
    const gateway = await open({ bounds: { waitSecondsMax: 0.1 } });
    const acme = await connect(gateway, "http", SECRETS.acme);
    const { structuredContent } = await acme.callTool({
      name: "mcp-team",
      arguments: { text: "secret words" },
    });
    const { run_id } = z.object({ run_id: z.string() }).parse(structuredContent);
    const globex = await connect(gateway, "http", SECRETS.globex);
    for (const name of ["suture_get_run", "suture_cancel_run"]) {
      const answer = await globex.callTool({ name, arguments: { run_id } });
      expect(answer.isError).toBe(true);
      expect(JSON.stringify(answer)).not.toContain("secret words");
    }
    expect((await gateway.store.runs.find(run_id))?.status).toBe("queued");
    const viewer = await connect(gateway, "http", SECRETS.viewer);
    const refused = await viewer.callTool({ name: "mcp-team", arguments: { text: "x" } });
    expect(refused.isError).toBe(true);
    expect(await callsOf(gateway)).toBe(1);
  });
});
