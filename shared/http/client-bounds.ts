import type { Config } from "#shared/config";
import type { FailureBounds } from "./failed-attempts.ts";
import type { ConnectionBounds } from "./limit-connections.ts";

/** Returns the configured limits on clients. @param connectionsMax - The limit of the service that asks. */
export function clientBoundsOf(
  config: Pick<Config, "anonymousPerAddressMax" | "anonymousMs" | "failuresBurst" | "failuresPerSecond">,
  connectionsMax: number,
): ConnectionBounds & FailureBounds {
  const { anonymousPerAddressMax, anonymousMs, failuresBurst, failuresPerSecond } = config;
  return { connectionsMax, anonymousPerAddressMax, anonymousMs, failuresBurst, failuresPerSecond };
}
