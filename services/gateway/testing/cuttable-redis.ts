import { openLink, testRedisUrl } from "#shared/testing";

/** A way to the real Redis that can be cut, silenced and mended. */
export interface CuttableRedis {
  readonly url: string;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  /** Keeps connections and lets nothing come back: commands arrive, answers do not. */
  silence(): void;
  mend(): void;
}

export async function cuttableRedis(): Promise<CuttableRedis> {
  const { hostname: host, port } = new URL(testRedisUrl());
  let state: "open" | "cut" | "silent" = "open";
  const link = await openLink(
    () => (state === "cut" ? null : { host, port: Number(port) }),
    ({ client }) => ({ toClient: (bytes) => void (state === "open" && client.write(bytes)) }),
  );
  const become = (next: typeof state): void => {
    state = next;
    if (next !== "silent") link.breakAll();
  };
  return {
    url: `redis://127.0.0.1:${link.port}`,
    cut: () => become("cut"),
    silence: () => become("silent"),
    mend: () => become("open"),
  };
}
