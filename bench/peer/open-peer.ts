import { openRawBullmq } from "./raw-bullmq.ts";
import type { ChainPeer, PeerName, PeerOptions } from "./peer.ts";
import { openSuture } from "./suture.ts";

/** Opens a peer in this process. @throws {Error} Its packages are not installed. */
export async function openPeer(name: PeerName, options: PeerOptions): Promise<ChainPeer> {
  switch (name) {
    case "bullmq":
      return openRawBullmq(options);
    case "suture":
    case "suture_replicated":
      return openSuture({ ...options, isReplicated: name === "suture_replicated" });
    case "dbos":
    case "langgraph":
    case "restate":
      return (await loadDurable(name))(options);
  }
}

type Open = (options: PeerOptions) => Promise<ChainPeer>;

async function loadDurable(name: string): Promise<Open> {
  const file = new URL(`../peers/open-${name}.mjs`, import.meta.url);
  // Plain JavaScript: the compiler cannot see packages that are not installed. Each exports `open` of this type.
  const loaded = (await import(file.href)) as { readonly open: Open };
  return loaded.open;
}
