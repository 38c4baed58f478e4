import { describe, expect, it } from "vitest";
import { z } from "zod";
import { remoteAgent, sealPart } from "#shared/a2a";
import { contract } from "#shared/contract";
import { deriveEdgeKey, Keyring } from "#shared/envelope/keys";
import { agent, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { newTraceparent } from "#shared/telemetry";
import type { Admission } from "#shared/store/settlement";
import { atOnce, messageOf, openA2aClient } from "../testing/a2a-client.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGatewayOptions } from "../testing/start-test-gateway.ts";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";

const Ask = contract("grpc.ask@1", z.strictObject({ text: z.string().max(100) }));
const Said = contract("grpc.said@1", z.strictObject({ said: z.string() }));
const louder = team("louder", [
  agent("loud@1", { accepts: Ask, handle: ({ text }, ctx) => ctx.complete({ said: text.toUpperCase() }) }),
]);

async function open(options: TestGatewayOptions = {}) {
  const a2aGrpcPort = await chooseFreePort(null);
  const gateway = await startTestGateway({
    team: louder,
    ...options,
    parts: { a2aGrpcPort, ...options.parts },
  });
  const client = (key: string) => openA2aClient(gateway, { team: "louder", key, binding: "GRPC" });
  return { gateway, a2aGrpcPort, client };
}

const say = (text: string) => atOnce(messageOf({ $case: "data", value: { text } }));

describe("the gRPC door", () => {
  it.each([
    ["a wrong key", "a-stranger-0123456789", /16 /],
    ["a key that only reads", SECRETS.viewer, /7 /],
  ])("refuses %s", async (_what, key, told) => {
    const { gateway } = await open();
    const client = await openA2aClient(gateway, {
      team: "louder",
      key,
      binding: "GRPC",
      cardKey: SECRETS.submit,
    });
    await expect(client.sendMessage(say("x"))).rejects.toThrow(told);
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
  });

  it("refuses a message that is too large, and one that comes too fast", async () => {
    const { client } = await open({ bounds: { bodyBytesMax: 10_000, rateBurst: 3, ratePerSecond: 0.001 } });
    const own = await client(SECRETS.submit);
    await expect(own.sendMessage(say("x".repeat(20_000)))).rejects.toThrow(/8 .*larger/);
    await own.sendMessage(say("x"));
    await own.sendMessage(say("x"));
    await expect(own.sendMessage(say("x"))).rejects.toThrow(/8 .*faster/);
  });

  it("tells limits of tasks as RESOURCE_EXHAUSTED", async () => {
    const { client } = await open({ parts: { wardIsFull: async () => true } });
    await expect((await client(SECRETS.submit)).sendMessage(say("x"))).rejects.toThrow(/8 /);
  });
});

const master = Buffer.alloc(32, 1).toString("base64url");
const keysOf = (secret: string) =>
  new Keyring(
    [
      { from: "far", to: "louder" },
      { from: "louder", to: "far" },
    ].map((edge) => deriveEdgeKey({ ...edge, master: secret, generation: 1 })),
  );

describe("a sealed message between two clusters", () => {
  async function cross(ours: Keyring | undefined, theirs: Keyring | null) {
    const { gateway, a2aGrpcPort } = await open({ parts: { a2aKeys: theirs } });
    await gateway.system.start();
    const far = remoteAgent("far@1", {
      card: `${gateway.url}/a2a/louder/.well-known/agent-card.json`,
      origins: [`http://127.0.0.1:${a2aGrpcPort}`],
      headers: { authorization: `Bearer ${SECRETS.submit}` },
      accepts: Ask,
      answers: Said,
      pollMs: 20,
      deliveriesMax: 1,
      ...(ours === undefined ? {} : { keys: ours }),
    });
    const admissions: Admission[] = [];
    const home = await startTestSystem(team("home", [far]), {}, { admissions });
    const { runId } = await home.submit({ text: "hello 1.0" });
    return { gateway, home, runId, admissions };
  }

  it("is verified there, its answer here, and the run there records who sealed what", async () => {
    const { gateway, home, runId } = await cross(keysOf(master), keysOf(master));
    expect((await home.until(runId)).result).toEqual({ said: "HELLO 1.0" });
    const [first] = await gateway.store.queues.of("loud", "fresh").getJobs();
    const { meta } = JSON.parse(first?.data.sealed ?? "");
    expect(meta.a2a_sealed).toEqual(["far@1", expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)]);
  });

  it.each([
    ["with another secret", keysOf(Buffer.alloc(32, 2).toString("base64url")), keysOf(master)],
    ["where the receiver has no keys", keysOf(master), null],
  ])("is refused %s", async (_how, ours, theirs) => {
    const { gateway, home, runId } = await cross(ours, theirs);
    await home.until(runId, ["in_ward"]);
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
  });

  it("is refused as another message's, and a result without a seal is no answer", async () => {
    const keys = keysOf(master);
    const { gateway, client } = await open({ parts: { a2aKeys: keys } });
    const traceparent = newTraceparent();
    const crossing = { keys, from: "far@1", to: "louder@1", contract: "grpc.ask@1", traceparent };
    const part = sealPart({ text: "x" }, { ...crossing, id: "one" });
    const sent = messageOf({ $case: "text", value: "" }, { messageId: "two", parts: [part] });
    await expect((await client(SECRETS.submit)).sendMessage(sent)).rejects.toThrow(/SIGNATURE/);
    expect((await gateway.store.runs.counts()).submitted).toBe(0);
    const oneWay = new Keyring([deriveEdgeKey({ master, from: "far", to: "louder", generation: 1 })]);
    const { home, runId, admissions } = await cross(keys, oneWay);
    await home.until(runId, ["in_ward"]);
    await expect.poll(() => JSON.stringify(admissions)).toContain("REMOTE_AGENT_PROTOCOL");
  });
});
