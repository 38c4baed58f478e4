import type { Socket } from "node:net";
import { openLink } from "#shared/testing";

/** A link to Redis on which one kind of connection can fall silent while the others go on. */
export interface WedgingProxy {
  readonly url: string;
  /**
   * From now on nothing passes on connections that have blocked for work, in either direction, and they stay open:
   * what a firewall does that forgot them. They are lost for good. Other connections go on.
   *
   * @param wedge.newOnes - Whether connections made from now on fall silent too.
   */
  wedge(wedge: { readonly newOnes: boolean }): void;
  /** Pieces that were swallowed: proof that the fault bit. */
  readonly swallowed: number;
}

const BLOCKING = "bzpopmin";

export async function openWedgingProxy(targetPort: number): Promise<WedgingProxy> {
  const open = new Set<{ isBlocking: boolean; isDead: boolean }>();
  let swallowsNew = false;
  let swallowed = 0;
  const link = await openLink(
    () => ({ port: targetPort }),
    ({ client, server }) => {
      const own = { isBlocking: false, isDead: swallowsNew };
      open.add(own);
      const pass = (to: Socket, bytes: Buffer): void => {
        if (own.isDead) swallowed += 1;
        else to.write(bytes);
      };
      return {
        toServer: (bytes) => {
          own.isBlocking ||= bytes.includes(BLOCKING);
          pass(server, bytes);
        },
        toClient: (bytes) => pass(client, bytes),
        onClose: () => open.delete(own),
      };
    },
  );
  return {
    url: `redis://127.0.0.1:${link.port}`,
    wedge({ newOnes }) {
      swallowsNew = newOnes;
      for (const one of open) one.isDead ||= one.isBlocking;
    },
    get swallowed() {
      return swallowed;
    },
  };
}
