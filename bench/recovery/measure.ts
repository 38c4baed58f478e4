import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "#shared/store";
import { createTeamKeyring, openBenchStore, submitRun } from "../suture-system.ts";
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

/** A lock is renewed every half of its life: a kill falls anywhere between two renewals. */
const HELD_MS_MAX = 2500;

/**
 * Kills a real worker process that holds a message, again and again, at a random moment between two renewals of its
 * lock, and measures how long the message is in nobody's hands. Two processes at a time, every setting at its default.
 */
export async function measureRecovery(options: RecoveryOptions): Promise<Recovery[]> {
  const folder = mkdtempSync(join(tmpdir(), "suture-recovery-"));
  const keyring = createTeamKeyring(recovery, ["gateway"]);
  const keyFile = join(folder, "keys.json");
  writeFileSync(keyFile, keyring.exportJson(), { mode: 0o600 });
  const start = (): HolderProcess => new HolderProcess({ ...options, keyFile, dataDir: folder });
  const store = openBenchStore({ url: options.url, prefix: options.prefix, onError: () => undefined });
  let holders = [start(), start()];
  const measured: Recovery[] = [];
  try {
    for (let n = 0; n < options.kills; n += 1) {
      options.signal.throwIfAborted();
      await untilLive(store, { holders, signal: options.signal });
      const taken = Promise.race(holders.map((holder) => holder.whenTaken(n)));
      const runId = await submitRun({ store, keyring, team: recovery }, { payload: { n } });
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
