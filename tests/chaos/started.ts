/** Every process that this run of the suite has started and not seen end. */
const pids = new Set<number>();

/** Remembers a process until it ends, so that an interrupted run leaves none behind. */
export function remember(child: {
  readonly pid?: number | undefined;
  once(event: "exit", listener: () => void): unknown;
}): void {
  const { pid } = child;
  if (pid === undefined) return;
  pids.add(pid);
  child.once("exit", () => pids.delete(pid));
}

/** Ends what is left at once; a paused process too. */
export function killStarted(): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, and its exit was not heard of yet.
    }
  }
}
