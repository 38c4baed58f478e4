import type { ChainPeer, PeerName, PeerOptions } from "./peer.ts";

/** Opens a peer in this process, and loads no other. @throws {Error} Its packages are not installed. */
export async function openPeer(name: PeerName, options: PeerOptions): Promise<ChainPeer> {
  switch (name) {
    case "bullmq":
      return (await import("./raw-bullmq.ts")).openRawBullmq(options);
    case "suture":
    case "suture_replicated":
    case "suture_durable":
      return (await import("./suture.ts")).openSuture({
        ...options,
        ...(name === "suture_replicated" ? { durability: "replicated" } : {}),
        ...(name === "suture_durable" ? { durability: "durable" } : {}),
      });
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
