// The health check of a container: ends with 0 if the address answers that all is well. The image has no curl.
// Without an address it asks the service's own port: that for health where there is one, else the gateway's.

const WITHIN_MS = 4000;

const { SUTURE_HEALTH_PORT, SUTURE_GATEWAY_PORT } = process.env;
const port = SUTURE_HEALTH_PORT || SUTURE_GATEWAY_PORT || "8080";
const address = process.argv[2] ?? `http://127.0.0.1:${port}/readyz`;
const reply = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => null);
process.exitCode = reply?.ok === true ? 0 : 1;
