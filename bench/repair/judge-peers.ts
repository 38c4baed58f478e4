import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Case } from "./case.ts";
import { WARM_UP, withVerdict } from "./judge-answers.ts";
import type { Attempt, Judged } from "./judge-answers.ts";
import type { PeerName } from "./load-peers.ts";
import type { Ask, Told } from "./peer-process.ts";

/** A peer that works that long on one text counts as stuck in a loop. */
const STUCK_AFTER_MS = 5_000;

/** Judges peers in a process of their own, which is ended where one of them is stuck. */
export class PeerJudge {
  #process: ChildProcess | undefined;

  /** Lets a peer try every case; the first ones twice, to warm up. */
  async judge<One extends Case>(peer: PeerName, cases: readonly One[]): Promise<Judged<One>[]> {
    const attempts = new Map<One, Attempt>();
    let waiting: readonly One[] = [...cases.slice(0, WARM_UP), ...cases];
    while (waiting.length > 0) {
      const tried = await this.#tryUntilStuck({ peer, cases: waiting });
      for (const [at, one] of tried.entries()) {
        const known = waiting[at];
        if (known !== undefined) attempts.set(known, one);
      }
      const stuck = waiting[tried.length];
      if (stuck === undefined) break;
      attempts.set(stuck, { got: undefined, ending: "stuck", micros: STUCK_AFTER_MS * 1000 });
      waiting = waiting.slice(tried.length).filter((one) => one !== stuck);
    }
    return cases.flatMap((one) => {
      const tried = attempts.get(one);
      return tried === undefined ? [] : [withVerdict(one, tried)];
    });
  }

  close(): void {
    // A loop in native code hears nothing else.
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }

  /** Attempts in order, up to the case on which the peer is stuck. */
  async #tryUntilStuck(ask: Ask): Promise<Attempt[]> {
    const peers = (this.#process ??= await start());
    const tried: Attempt[] = [];
    const isWhole = await new Promise<boolean>((resolve, reject) => {
      const timer = setTimeout(() => resolve(false), STUCK_AFTER_MS);
      peers.removeAllListeners("message").removeAllListeners("error");
      peers.once("error", reject);
      peers.on("message", (told: Told) => {
        if (told === "ready") return;
        tried.push(told);
        timer.refresh();
        if (tried.length < ask.cases.length) return;
        clearTimeout(timer);
        resolve(true);
      });
      peers.send(ask);
    });
    if (!isWhole) this.close();
    return tried;
  }
}

async function start(): Promise<ChildProcess> {
  const path = fileURLToPath(new URL("peer-process.ts", import.meta.url));
  const peers = fork(path, { serialization: "advanced" });
  await once(peers, "message");
  return peers;
}
