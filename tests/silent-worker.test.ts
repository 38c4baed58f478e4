import type { Socket } from "node:net";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { openLink } from "#shared/testing";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";

/** A link to Redis on which one kind of connection can fall silent while the others go on. */
interface WedgingProxy {
  readonly url: string;
  /** Nothing passes from now on where connections blocked for work, nor on `newOnes`; they stay open. */
  wedge(wedge: { readonly newOnes: boolean }): void;
  /** Pieces that were swallowed: proof that the fault bit. */
  readonly swallowed: number;
}

const BLOCKING = "bzpopmin";

async function openWedgingProxy(targetPort: number): Promise<WedgingProxy> {
  const open = new Set<{ isBlocking: boolean; isDead: boolean }>();
  let swallowsNew = false;
  let swallowed = 0;
  const link = await openLink(
    () => ({ port: targetPort }),
    ({ client, server }) => {
      const own = { isBlocking: false, isDead: swallowsNew };
      open.add(own);
      const pass = (to: Socket, bytes: Buffer): void => {
        if (own.isDead) swallowed += 1;
        else to.write(bytes);
      };
      return {
        toServer: (bytes) => {
          own.isBlocking ||= bytes.includes(BLOCKING);
          pass(server, bytes);
        },
        toClient: (bytes) => pass(client, bytes),
        onClose: () => open.delete(own),
      };
    },
  );
  return {
    url: `redis://127.0.0.1:${link.port}`,
    wedge({ newOnes }) {
      swallowsNew = newOnes;
      for (const one of open) one.isDead ||= one.isBlocking;
    },
    get swallowed() {
      return swallowed;
    },
  };
}

function listen() {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: "info" },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const said = (words: string) => lines.filter((line) => String(line["msg"]).includes(words));
  return { logger, said };
}

it("starts a consumer anew whose blocking connection has fallen silent, and loses nothing", async () => {
  const own = await startOwnRedis();
  const proxy = await openWedgingProxy(own.port);
  const { logger, said } = listen();
  const guard = { silentMs: 1000, restartsMax: 3, clockCheckMs: 600_000 };
  const { gateway, order, end } = await openOfficeDeployment({ url: proxy.url }, { logger, guard });
  await end(await order("before"));
  // Every consumer is back in its blocking fetch.
  await untilTrue(
    async () => Number(/blocked_clients:(\d+)/.exec(await own.redis.info("clients"))?.[1]) >= 7,
  );
  proxy.wedge({ newOnes: false });
  const runs = await Promise.all([order("after-1"), order("after-2")]);
  for (const runId of runs) await end(runId);
  expect(said("silent").map((line) => line["queue"])).toContain("inbox");
  await untilTrue(async () =>
    /suture_consumer_restarts\{agent="inbox"\} [1-9]/.test(await (await gateway.send("/metrics")).text()),
  );
});

it("takes no work while its clock is off, says so, and goes on when it is mended", async () => {
  const own = await startOwnRedis();
  const { logger, said } = listen();
  const guard = { silentMs: 600_000, restartsMax: 3, clockCheckMs: 100 };
  const { gateway, system, order, end } = await openOfficeDeployment({ url: own.url }, { logger, guard });
  await end(await order("before"));
  const mend = setClock({ now: () => Date.now() + 3000 });
  onTestFinished(mend);
  await untilTrue(async () => said("differs from that of Redis").length > 2);
  const runId = await order("while-off");
  const states = async () => {
    const answer = await gateway.send("/v1/agents");
    const { agents } = (await answer.json()) as { agents: { live: { state: string }[] }[] };
    return agents.flatMap(({ live }) => live.map(({ state }) => state));
  };
  await untilTrue(async () => (await states()).every((state) => state === "held"));
  await untilTrue(async () => (await system.store.queues.of("inbox", "fresh").getWaitingCount()) === 1);
  expect((await system.store.runs.get(runId)).status).toBe("queued");
  mend();
  await end(runId);
  expect(said("right again")).toHaveLength(1);
});
