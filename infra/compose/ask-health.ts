import { Redis } from "ioredis";

const ANSWER_MS = 2000;

/** Whether something answers at an address that all is well. */
export function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Asks a Redis what `valkey-cli` would with these arguments, as the same user. */
export async function answersPing(
  { host, port }: { readonly host: string; readonly port: number },
  args: readonly string[],
): Promise<boolean> {
  const valueOf = (flag: string): string => args[args.indexOf(flag) + 1] ?? "";
  const redis = new Redis({
    host,
    port,
    username: valueOf("--user"),
    password: valueOf("--pass"),
    lazyConnect: true,
    // It may not ask for more than an answer.
    enableReadyCheck: false,
    disableClientInfo: true,
    retryStrategy: () => null,
  });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
