// For `node --import`: the launcher's service stops when the channel closes, even by a kill of the launcher.
const FORCED_AFTER_MS = 20_000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), FORCED_AFTER_MS).unref();
});
// Listening alone would keep the process alive for ever.
process.channel?.unref();
