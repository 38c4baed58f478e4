import type { ChainPeer, PeerName, PeerOptions } from "./peer.ts";

/**
 * Opens a peer in this process, and loads no other: what one of them does to the engine is not the others'.
 */
export async function openPeer(name: PeerName, options: PeerOptions): Promise<ChainPeer> {
  switch (name) {
    case "bullmq":
      return (await import("./raw-bullmq.ts")).openRawBullmq(options);
    case "suture":
    case "suture_replicated":
      return (await import("./suture.ts")).openSuture({
        ...options,
        isReplicated: name === "suture_replicated",
      });
  }
}
