// The health check of a container: ends with 0 if the address answers that all is well. The image has no curl.

const WITHIN_MS = 4000;

const reply = await fetch(process.argv[2], { signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => null);
process.exitCode = reply?.ok === true ? 0 : 1;
