import type { Case } from "./case.ts";
import { attempt } from "./judge-answers.ts";
import type { Attempt } from "./judge-answers.ts";
import { loadPeers } from "./load-peers.ts";
import type { PeerName } from "./load-peers.ts";

/** What the process is asked to try, in that order. */
export interface Ask {
  readonly peer: PeerName;
  readonly cases: readonly Case[];
}

/** One answer for each case in turn; the first message of all says that the process has loaded the peers. */
export type Told = Attempt | "ready";

const peers = new Map((await loadPeers()).map(({ name, repair }) => [name, repair]));

/** Resolves when the message is written, so that none waits while the next text is tried. */
function tell(told: Told): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(told, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

process.on("message", (ask: Ask) => void tryAll(ask));

async function tryAll({ peer, cases }: Ask): Promise<void> {
  for (const one of cases) {
    const tried = await attempt(peers.get(peer) ?? (() => undefined), one);
    try {
      await tell(tried);
    } catch {
      // It holds a function or another thing that is no JSON and that no message carries.
      await tell({ ...tried, got: undefined, ending: "nothing" });
    }
  }
}

await tell("ready");
