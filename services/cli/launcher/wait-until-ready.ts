import { now, sleep } from "#shared/clock";
import { ServiceFailedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { ServiceSpec } from "./spawn-service.ts";

const POLL_EVERY_MS = 100;
const REQUEST_TIMEOUT_MS = 3000;
/** A slow machine compiles every service at its first start. */
const READY_WITHIN_MS = 120_000;

export interface Readiness {
  readonly spec: ServiceSpec;
  /** Aborted when starting is given up. */
  readonly signal: AbortSignal;
}

/** Waits until a service answers. @throws {ServiceFailedError} It does not within two minutes. */
export async function waitForHttp(readiness: Readiness, url: string): Promise<void> {
  await waitUntil(readiness, () => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    return fetch(url, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}

/** Waits until the gateway lists all these agents as live. @throws {ServiceFailedError} */
export async function waitForAgents(
  readiness: Readiness,
  wanted: { readonly gatewayUrl: string; readonly key: string; readonly agents: readonly string[] },
): Promise<void> {
  const api = { service: "gateway", url: wanted.gatewayUrl, key: wanted.key } as const;
  const client = openClient(api, REQUEST_TIMEOUT_MS);
  await waitUntil(readiness, async () => {
    // Nobody answers yet, or not with an answer.
    const { agents } = await answerOf(client.GET("/v1/agents")).catch(() => ({ agents: [] }));
    const live = new Set(agents.flatMap((agent) => (agent.live.length > 0 ? [agent.agent] : [])));
    return wanted.agents.every((name) => live.has(name));
  });
}

/** Polls until a service is ready. @throws {ServiceFailedError} It is not within two minutes. */
export async function waitUntil({ spec, signal }: Readiness, isReady: () => Promise<boolean>): Promise<void> {
  const untilMs = now() + READY_WITHIN_MS;
  while (!(await isReady())) {
    if (now() > untilMs) {
      const problem = `was not ready within ${READY_WITHIN_MS / 1000} seconds`;
      throw new ServiceFailedError({ service: spec.name, problem, logFile: spec.logFile });
    }
    await sleep(POLL_EVERY_MS, signal);
  }
}
