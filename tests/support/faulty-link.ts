import { openLink } from "#shared/testing";

/** A fault of the network that happens once. */
export interface Fault {
  /** Happens to the next request that contains this text. */
  readonly on: string;
  /** `request`: breaks off within it. `answer`: the request arrives, and its answer breaks off. */
  readonly cuts: "request" | "answer";
  /** Bytes that still pass. Default 0. */
  readonly after?: number;
}

/** A way to an HTTP server, on which connections break where a test says. */
export interface FaultyLink {
  readonly url: string;
  /** Faults to come, in order. One that has happened is no longer there. */
  readonly faults: Fault[];
  /** Breaks every connection; from then on they lead to another port. Null: none is taken. */
  leadTo(port: number | null): void;
}

/** Opens a link to a port of this machine; closes it after the test. */
export async function openFaultyLink(port: number): Promise<FaultyLink> {
  let target: number | null = port;
  const faults: Fault[] = [];
  const link = await openLink(
    () => (target === null ? null : { port: target }),
    ({ client, server }) => {
      /** Bytes of the answer that still pass. */
      let left = Infinity;
      const breakOff = (): void => {
        client.resetAndDestroy();
        server.resetAndDestroy();
      };
      return {
        toServer: (bytes) => {
          const fault = faults[0] !== undefined && bytes.includes(faults[0].on) ? faults.shift() : undefined;
          if (fault?.cuts === "answer") left = fault.after ?? 0;
          if (fault?.cuts !== "request") return void server.write(bytes);
          server.write(bytes.subarray(0, fault.after ?? 0), breakOff);
        },
        toClient: (bytes) => {
          const passing = bytes.subarray(0, left);
          left -= passing.length;
          if (passing.length === bytes.length) client.write(passing);
          // Ended in order after its last byte, so that this byte arrives.
          else client.end(passing, () => client.destroy());
        },
      };
    },
  );
  return {
    url: `http://127.0.0.1:${link.port}`,
    faults,
    leadTo(next) {
      target = next;
      link.breakAll();
    },
  };
}
