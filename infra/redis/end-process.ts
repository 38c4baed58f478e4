import { now, sleep } from "#shared/clock";
import { isSameProcess } from "../lock-folder.mjs";

const STOP_TIMEOUT_MS = 15_000;

/** Stops the process after it has saved everything; kills it after a timeout. */
export async function endProcess({ pid, identity }: { pid: number; identity: string }): Promise<void> {
  const killAtMs = now() + STOP_TIMEOUT_MS;
  let isForced = false;
  sendSignal(pid, "SIGTERM");
  while (isSameProcess(identity)) {
    if (!isForced && now() > killAtMs) {
      sendSignal(pid, "SIGKILL");
      isForced = true;
    }
    await sleep(20);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
