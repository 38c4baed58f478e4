import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { remoteAgent } from "#shared/a2a";
import { team } from "#shared/runtime";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import { chooseFreePort } from "../infra/redis/redis-process.ts";
import { Page, Words } from "./support/served-agents/reader.ts";

const TOKEN = "a-token-of-the-team";
const AGENT = "tests/support/served-agents/reader.ts";

/** The real command in a process of its own, with nothing of ours in its environment. */
async function serve(ports: { readonly http: number; readonly grpc: number }, environment = {}) {
  const tokenFile = join(temporaryFolder(), "token");
  writeFileSync(tokenFile, TOKEN);
  const args = ["services/cli/main.ts", "serve-agent", AGENT, "--token-file", tokenFile];
  const child = spawn(
    process.execPath,
    [...args, "--port", `${ports.http}`, "--grpc-port", `${ports.grpc}`],
    { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"], ...environment } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const told = (word: string): string[] => said.split("\n").filter((line) => line.startsWith(word));
  const ended = once(child, "exit");
  await Promise.race([ended, expect.poll(() => told("Serves").length).toBe(1)]);
  return { child, ended, told, said: () => said };
}

async function freePorts() {
  return { http: await chooseFreePort(null), grpc: await chooseFreePort(null) };
}

function systemAt(
  ports: { readonly http: number; readonly grpc: number },
  how: { readonly token?: string; readonly grpc?: true } = {},
) {
  const reader = remoteAgent("reader@1", {
    card: `http://127.0.0.1:${ports.http}/.well-known/agent-card.json`,
    origins: how.grpc === true ? [`http://127.0.0.1:${ports.grpc}`] : [],
    headers: { authorization: `Bearer ${how.token ?? TOKEN}` },
    accepts: Page,
    answers: Words,
    costMax: 0.5,
    pollMs: 50,
    deliveriesMax: 3,
  });
  return createTestSystem(team("with-a-stranger", [reader]));
}

const QUICK = { text: "one two", forMs: 0, usd: 0.25 };

it.each([{}, { grpc: true }] as const)(
  "answers for its place in the team, once for each message: %o",
  async (how) => {
    const ports = await freePorts();
    const { told } = await serve(ports);
    const system = systemAt(ports, how);
    await system.start();
    const { runId, envelope } = await system.submit(QUICK);
    expect(await system.until(runId)).toMatchObject({
      status: "completed",
      result: { words: ["one", "two"] },
      cost: 0.25,
      tokens: 3,
    });
    const dear = await system.submit({ ...QUICK, usd: 90 });
    expect((await system.until(dear.runId)).cost).toBe(0.5);
    expect(told("began")).toEqual([
      `began ${envelope.meta.message_id}`,
      `began ${dear.envelope.meta.message_id}`,
    ]);
  },
);

it("does not do a message again whose worker died while it was at work", async () => {
  const ports = await freePorts();
  const { told } = await serve(ports);
  const system = systemAt(ports);
  const workers = await system.start();
  const { runId } = await system.submit({ ...QUICK, forMs: 2000 });
  await expect.poll(() => told("began").length).toBe(1);
  await workers.stop(0);
  await system.start();
  expect((await system.until(runId)).status).toBe("completed");
  expect(told("began")).toHaveLength(1);
});

it("lets more tasks wait than it takes, and does them all", async () => {
  const ports = await freePorts();
  const { told } = await serve(ports);
  const system = systemAt(ports);
  await system.start();
  const begun = await Promise.all(
    Array.from({ length: 6 }, async () => system.submit({ ...QUICK, forMs: 300 })),
  );
  for (const { runId } of begun) expect((await system.until(runId)).status).toBe("completed");
  let atWork = 0;
  const counts = told("").map(
    (line) => (atWork += Number(line.startsWith("began")) - Number(line.startsWith("ended"))),
  );
  expect(Math.max(...counts)).toBe(2);
});

it("is aborted when the run is cancelled", async () => {
  const ports = await freePorts();
  const { told } = await serve(ports);
  const system = systemAt(ports);
  await system.start();
  const { runId } = await system.submit({ ...QUICK, forMs: 60_000 });
  await expect.poll(() => told("began").length).toBe(1);
  await system.store.runs.cancel({ runId, by: "test", markLifeMs: 60_000 });
  await expect.poll(() => told("aborted").length).toBe(1);
  expect((await system.until(runId)).status).toBe("cancelled");
});

it("sends a message that it cannot do to the ward, and tells the team no words of its errors", async () => {
  const ports = await freePorts();
  await serve(ports);
  const system = systemAt(ports);
  await system.start();
  const ended = await system.run({ ...QUICK, text: "crash" }, {}, ["in_ward"]);
  expect(JSON.stringify(ended)).not.toContain("sk-secret-words");
});

it.each([{}, { grpc: true }] as const)("takes nothing from who does not know its token: %o", async (how) => {
  const ports = await freePorts();
  const { told } = await serve(ports);
  const system = systemAt(ports, { ...how, token: "a-guess" });
  await system.start();
  await system.run(QUICK, {}, ["in_ward"]);
  expect(told("began")).toEqual([]);
});

it("does not start where secrets of the team lie about", async () => {
  const { ended, said, told } = await serve(await freePorts(), {
    REDIS_URL: "redis://:hidden@127.0.0.1:6379",
  });
  expect(await ended).toEqual([2, null]);
  expect(said()).toContain("REDIS_URL");
  expect(said()).not.toContain("hidden");
  expect(told("Serves")).toEqual([]);
});
