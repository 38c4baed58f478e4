import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFirst, createMaster, issueKeyring, Keyring, seal } from "#shared/envelope";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import { newTraceparent } from "#shared/telemetry";
import { HolderProcess } from "./holder-process.ts";
import recovery from "./teams/recovery/team.ts";

/** One death of a worker and what followed, in order. */
export interface Recovery {
  readonly killedPid: number;
  readonly takenOverByPid: number;
  /** From the kill until another process's handler has begun with the same message, in ms. */
  readonly takeOverMs: number;
  /** The run's state when the second handler had ended. */
  readonly status: string;
}

export interface RecoveryOptions {
  readonly url: string;
  readonly prefix: string;
  readonly kills: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const HOUR_MS = 3_600_000;
/** A lock is renewed every half of its life: a kill falls anywhere between two renewals. */
const HELD_MS_MAX = 2500;

/**
 * Kills a real worker process that holds a message, again and again, at a random moment between two renewals of its
 * lock, and measures how long the message is in nobody's hands. Two processes at a time, every setting at its default.
 */
export async function measureRecovery(options: RecoveryOptions): Promise<Recovery[]> {
  const folder = mkdtempSync(join(tmpdir(), "suture-recovery-"));
  const keyring = createKeyring(recovery);
  const keyFile = join(folder, "keys.json");
  writeFileSync(keyFile, keyring.exportJson(), { mode: 0o600 });
  const start = (): HolderProcess => new HolderProcess({ ...options, keyFile, dataDir: folder });
  const store = new Store({
    url: options.url,
    prefix: options.prefix,
    role: "worker",
    retentionMs: HOUR_MS,
    ledgerLifeMs: HOUR_MS,
    onError: () => undefined,
  });
  let holders = [start(), start()];
  const measured: Recovery[] = [];
  try {
    for (let n = 0; n < options.kills; n += 1) {
      options.signal.throwIfAborted();
      await untilLive(store, { holders, signal: options.signal });
      const taken = Promise.race(holders.map((holder) => holder.whenTaken(n)));
      const runId = await submit(store, keyring, n);
      const victim = await until(taken, options.signal);
      const survivors = holders.filter((holder) => holder !== victim);
      const takenOver = Promise.race(survivors.map((holder) => holder.whenTaken(n)));
      await sleep(Math.random() * HELD_MS_MAX);
      const killedMs = performance.now();
      victim.kill();
      const heir = await until(takenOver, options.signal);
      const takeOverMs = performance.now() - killedMs;
      heir.release(n);
      const status = await untilEnded(store, runId, options.signal);
      measured.push({ killedPid: victim.pid, takenOverByPid: heir.pid, takeOverMs, status });
      options.say(`Kill ${n + 1} of ${options.kills}: taken over after ${Math.round(takeOverMs)} ms.`);
      if (n + 1 < options.kills) holders = [...survivors, start()];
    }
    return measured;
  } finally {
    for (const holder of holders) holder.kill();
    await Promise.all(holders.map((holder) => holder.whenGone()));
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createKeyring(team: Team): Keyring {
  const master = createMaster();
  const edges = edgesOf([team]);
  return Keyring.merge(
    [...team.agents.keys(), "gateway"].map((agent) => issueKeyring({ master, agent, edges })),
  );
}

async function submit(store: Store, keyring: Keyring, n: number): Promise<string> {
  const { entry } = recovery;
  const envelope = createFirst({
    to: entry.id,
    contract: entry.accepts.id,
    payload: { n },
    traceparent: newTraceparent(),
  });
  const { message } = seal({
    envelope,
    queue: entry.name,
    key: keyring.signing("gateway", entry.name),
  });
  const accepted = await store.runs.accept({
    runId: envelope.meta.run_id,
    traceId: envelope.meta.trace_id,
    team: recovery.name,
    send: {
      lane: "fresh",
      agent: entry.name,
      jobId: envelope.meta.message_id,
      data: { ...message },
      delayMs: 0,
      priority: "normal",
    },
    webhook: null,
    idempotency: null,
    idempotencyLifeMs: HOUR_MS,
    waitingMax: 1000,
  });
  if (accepted.kind !== "accepted") throw new Error(`the run was not accepted: ${accepted.kind}`);
  if (!accepted.isDelivered) {
    await store.outbox.deliver(accepted.entry);
    await store.outbox.forgetConfirmed("runs", accepted.entry);
  }
  return envelope.meta.run_id;
}

/** A process that still starts could not take anything over: its birth is not what is measured. */
async function untilLive(
  store: Store,
  wanted: { readonly holders: readonly HolderProcess[]; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    wanted.signal.throwIfAborted();
    const pids = (await store.registry.live()).map((presence) => presence.pid);
    if (wanted.holders.every((holder) => pids.includes(holder.pid))) return;
    await sleep(50);
  }
}

async function untilEnded(store: Store, runId: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    signal.throwIfAborted();
    const { status } = await store.runs.get(runId);
    if (status !== "queued" && status !== "running") return status;
    await sleep(20);
  }
}

function until<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
