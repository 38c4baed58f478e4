import { expect, it } from "vitest";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashDeployment } from "./crash-deployment.ts";
import { WAIT_MS } from "./struck-process.ts";

/** Windows W0 and W1: the gateway is struck between Redis' yes and the client's. */

const TEST_MS = 4 * WAIT_MS;
const SECRET = "crash-secret-0123456789";

async function openDoor() {
  const deployment = await openCrashDeployment(chain, "tests/chaos/teams");
  const port = await chooseFreePort(null);
  const url = `http://127.0.0.1:${port}`;
  return {
    deployment,
    open: async (more: Parameters<typeof deployment.spawn>[1] = {}) => {
      const env = {
        SUTURE_API_KEYS: `crash:admin:${SECRET}`,
        SUTURE_GATEWAY_PORT: String(port),
        SUTURE_READY_WITHOUT_AGENTS: "true",
      };
      const gateway = deployment.spawn("gateway", { ...more, env });
      const isReady = async (): Promise<boolean> =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isReady, { timeout: WAIT_MS }).toBe(true);
      return gateway;
    },
    /** @returns The answer's status and body; null when the connection was lost. */
    submit: async () => {
      try {
        const reply = await fetch(`${url}/v1/tasks`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${SECRET}`,
            "content-type": "application/json",
            "idempotency-key": "task-1",
          },
          body: JSON.stringify({
            team: "chaos",
            input: { task: "t-1", amount: 12, note: "", mood: "calm" },
          }),
        });
        return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
      } catch {
        return null;
      }
    },
  };
}

it(
  "W0:after_accept_before_reply: a client that heard nothing asks again and gets the same run",
  async () => {
    const { deployment, open, submit } = await openDoor();
    const struck = await open({ strike: { point: "W0:after_accept_before_reply", action: "kill" } });
    expect(await submit()).toBeNull();
    await struck.untilStruck();
    const [runId] = await deployment.system.store.runs.idsIn("queued", 10);
    deployment.spawn("agents");
    await open();
    expect(await submit()).toMatchObject({ status: 202, body: { run_id: runId } });
    expect((await deployment.untilEnd(runId ?? "")).status).toBe("completed");
    expect(deployment.outside.effects).toHaveLength(1);
    await deployment.checkBooks({ completed: 1 });
  },
  TEST_MS,
);

it(
  "W1:accept_reply_lost: the client hears that nobody knows, asks again and gets the same run",
  async () => {
    const { deployment, open, submit } = await openDoor();
    const struck = await open({ strike: { point: "W1:accept_reply_lost", action: "throw" } });
    deployment.spawn("agents");
    const first = await submit();
    await struck.untilStruck();
    expect(first?.status).toBe(503);
    const second = await submit();
    expect(second?.status).toBe(202);
    const runId = String(second?.body["run_id"]);
    expect((await deployment.untilEnd(runId)).status).toBe("completed");
    expect(deployment.outside.effects).toHaveLength(1);
    await deployment.checkBooks({ completed: 1 });
  },
  TEST_MS,
);
