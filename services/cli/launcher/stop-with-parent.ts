// For `node --import`: a service that the launcher started stops when the launcher is gone, however it went. The
// channel between them closes even when the launcher is killed, and nobody else would stop the service then.
const FORCED_AFTER_MS = 20_000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), FORCED_AFTER_MS).unref();
});
// Listening alone would keep the process alive for ever.
process.channel?.unref();
