import { describe, expect, it } from "vitest";
import { derivedId, timestamp } from "#shared/clock";
import { agentNameOf, createDischarge } from "#shared/envelope";
import { open, originalSealOf, seal, sealBytes } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { OriginalSeal, SealedMessage } from "#shared/envelope/seals";
import { rankOf } from "#shared/store/runs";
import { forgingKeys } from "#shared/testing";
import { findCases } from "#shared/ward";
import { openIsolatedDeployment } from "./deployment.ts";
import type { IsolatedDeployment } from "./deployment.ts";

/**
 * Somebody holds the whole key file of one service, and may put what they like into queues: past Redis' users, so that
 * the seals alone stand between them and the handlers of real agents.
 */

const WAIT_MS = 60_000;

/** A run whose message waits, genuine, at an agent that is not started yet. */
async function waitingAt(deployment: IsolatedDeployment, agent: string, id: string) {
  const { system } = deployment;
  const runId = await deployment.submit({ id });
  const find = async (): Promise<string> =>
    (await system.store.runs.messages(runId)).find((one) => one.agent === agent)?.message_id ?? "";
  await expect.poll(find, { timeout: WAIT_MS }).not.toBe("");
  const messageId = await find();
  const queue = system.store.queues.of(agent, "fresh");
  await expect
    .poll(async () => (await queue.getJob(messageId)) !== undefined, { timeout: WAIT_MS })
    .toBe(true);
  const job = await queue.getJob(messageId);
  // As the sender stored it.
  const message = job?.data as SealedMessage;
  const ring = deployment.ringOf(agent);
  const { envelope, digest } = open({ message, queue: agent, jobId: messageId, keyring: ring });
  return { runId, messageId, job, message, envelope, digest };
}

async function put(
  deployment: IsolatedDeployment,
  agent: string,
  jobId: string,
  data: object,
): Promise<void> {
  const request = { lane: "fresh", agent, jobId, data: { ...data }, delayMs: 0, priority: "normal" } as const;
  await deployment.system.store.queues.add(request);
}

const withBoxes = (envelope: Envelope, boxes: number): Envelope => ({
  ...envelope,
  data_payload: { ...(envelope.data_payload as object), boxes },
});

/** What became of the run, and why its message waits for a person where it does. */
async function outcome(deployment: IsolatedDeployment, runId: string) {
  const run = await deployment.until(runId, ["quarantined", "completed", "failed"]);
  if (run.status !== "quarantined") return { status: run.status };
  const look = async () =>
    (await findCases(deployment.system.store, { filter: { run_id: runId }, limit: 1 })).cases;
  // The run is told first.
  await expect.poll(look, { timeout: WAIT_MS }).toHaveLength(1);
  return { status: run.status, failureClass: (await look())[0]?.failure_class };
}

it.each(["surgeon", "relay", "crane"])(
  "the key file of %s puts no other load into dock's message",
  async (thief) => {
    const deployment = await openIsolatedDeployment();
    deployment.spawnRelay();
    const dock = deployment.spawnAgent("dock");
    const held = await waitingAt(deployment, "crane", `stolen-by-${thief}`);
    await dock.end();
    await held.job?.remove();
    const [key] = forgingKeys(deployment.ringOf(thief), { from: "dock", to: "crane" });
    if (key === undefined) throw new RangeError("nothing to forge with");
    const bytes = JSON.stringify(withBoxes(held.envelope, 99));
    await put(
      deployment,
      "crane",
      held.messageId,
      sealBytes({ bytes, queue: "crane", id: held.messageId, key }),
    );
    deployment.spawnAgent("crane");
    deployment.spawnAgent("ledge");
    expect(await outcome(deployment, held.runId)).toMatchObject({
      status: "quarantined",
      failureClass: "untrusted",
    });
  },
  120_000,
);

describe("the surgeon's key file", () => {
  /** Sealed with the surgeon's own key for ledge, as a message that went from crane to it or was rerouted to it. */
  async function discharge(deployment: IsolatedDeployment, forge: (genuine: OriginalSeal) => OriginalSeal) {
    const held = await waitingAt(deployment, "crane", "rerouted");
    await held.job?.remove();
    const { runId, messageId } = held;
    const envelope = createDischarge({
      dead: withBoxes(held.envelope, 99),
      deadDigest: held.digest,
      operation: "forged",
      caseId: derivedId("case", messageId),
      originalSeal: forge(originalSealOf(held.message, messageId)),
      to: "ledge@1",
      diedAtMs: Date.parse(timestamp()),
    });
    const { message_id, target_agent } = envelope.meta;
    const agent = agentNameOf(target_agent);
    const key = deployment.ringOf("surgeon").signing("surgeon", agent);
    const { message } = seal({ envelope, queue: agent, key });
    // The surgeon's user of Redis may tell the run so.
    const event = {
      id: derivedId(messageId, "forged"),
      run_id: runId,
      type: "rerouted",
      at: timestamp(),
      message_id: messageId,
      agent: "crane",
      detail: {},
    } as const;
    const moves = { state: "closed", rank: rankOf.closed() } as const;
    await deployment.system.store.journal.apply([{ event, moves, opens: [{ message_id, agent }] }]);
    await put(deployment, agent, message_id, message);
    deployment.spawnAgent("ledge");
    return outcome(deployment, runId);
  }

  it.each<[string, (genuine: OriginalSeal) => OriginalSeal]>([
    ["a seal that nobody made", (genuine) => ({ ...genuine, value: "A".repeat(genuine.value.length) })],
    [
      "a seal of another message",
      (genuine) => ({ ...genuine, sealed_digest: "0".repeat(64), encoding: "gzip" }),
    ],
    ["a seal under the name of another edge", (genuine) => ({ ...genuine, key_id: "dock>ledge#1" })],
    ["a seal under a generation that there is not", (genuine) => ({ ...genuine, key_id: "dock>crane#7" })],
  ])(
    "starts no agent with a message that was rerouted with %s",
    async (_what, forge) => {
      const deployment = await openIsolatedDeployment();
      deployment.spawnRelay();
      deployment.spawnAgent("dock");
      expect(await discharge(deployment, forge)).toMatchObject({
        status: "quarantined",
        failureClass: "untrusted",
      });
    },
    120_000,
  );

  it("reroutes a message that an agent sealed to another agent of its team", async () => {
    const deployment = await openIsolatedDeployment();
    deployment.spawnRelay();
    deployment.spawnAgent("dock");
    expect(await discharge(deployment, (genuine) => genuine)).toMatchObject({ status: "completed" });
  }, 120_000);
});
