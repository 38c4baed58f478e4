import { createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { listenLocally } from "./support/listen-locally.ts";

/** A server that takes every ticket, and what it was sent. */
async function openDesk() {
  const tickets: { readonly url: string | undefined; readonly token: string | undefined }[] = [];
  const keys = new Set<unknown>();
  const server = createServer((request, response) => {
    request.resume();
    tickets.push({ url: request.url, token: request.headers.authorization });
    keys.add(request.headers["idempotency-key"]);
    response.writeHead(201, { "content-type": "application/json" }).end('{"ticket_id":"T-1"}');
  });
  const port = await listenLocally(server);
  return { tickets, keys, url: `http://127.0.0.1:${port}` };
}

const MODEL = { OPENAI_API_KEY: "sk-not-a-key", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
const ALARM = { visit_id: "v-1", signs: [{ sign: "chest_pain", quote: "my chest hurts" }], certain: true };

/** Opens the shipped medical team with these variables, and raises an alarm at its `emergency`. */
async function alarm(variables: Readonly<Record<string, string>>): Promise<{ readonly message: string }> {
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "SUTURE_DESK_URL", "SUTURE_DESK_TOKEN"])
    vi.stubEnv(name, "");
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = "../services/agents/medical/team.ts";
  const loaded: { readonly default: Team } = await import(path);
  const system = createTestSystem(loaded.default);
  await system.start();
  const { runId } = await system.submit(ALARM, { to: "emergency@1", contract: "medical.alarm@1" });
  const { result } = await system.until(runId);
  // The team declares this form of its result.
  return result as { readonly message: string };
}

it("sends an emergency to the desk that is configured, with its token, and nothing to the sandbox", async () => {
  const [desk, sandbox] = [await openDesk(), await openDesk()];
  const configured = { SUTURE_DESK_URL: `${desk.url}/api`, SUTURE_DESK_TOKEN: "of-the-desk" };
  const { message } = await alarm({ ...MODEL, ...configured, SUTURE_SANDBOX_URL: sandbox.url });
  expect(desk.tickets).toEqual([{ url: "/api/tickets", token: "Bearer of-the-desk" }]);
  // By it a desk tells the same person once, whoever dies in between.
  expect([...desk.keys]).toEqual([expect.stringMatching(/./)]);
  expect(sandbox.tickets).toEqual([]);
  expect(message).toContain("A person here has been told");
});

it("tells no patient that a person was told where no desk is configured, and has them call for help", async () => {
  const sandbox = await openDesk();
  const { message } = await alarm({ ...MODEL, SUTURE_SANDBOX_URL: sandbox.url });
  expect(message).toContain("Call your emergency number now");
  expect(message).toContain("Nobody here has been told");
});

it("keeps a rehearsal in the sandbox, whatever is configured", async () => {
  const [desk, sandbox] = [await openDesk(), await openDesk()];
  await alarm({ SUTURE_DESK_URL: desk.url, SUTURE_SANDBOX_URL: sandbox.url });
  expect(desk.tickets).toEqual([]);
  expect(sandbox.tickets).toEqual([{ url: "/sandbox/tickets", token: undefined }]);
});
