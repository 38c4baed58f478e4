import { useEffect, useRef } from "react";

/** Something that can be done now: by its key, by its name in the list of commands (Ctrl K), or by both. */
export interface Command {
  readonly name: string;
  /** As `j`, `g h` for one after the other, or `Ctrl K`, which works while somebody types too. */
  readonly key?: string | undefined;
  readonly run: () => void;
}

/** Fields that take keys as letters. The editor lies in a shadow tree, so the path of the event is searched. */
const TYPED = "input, textarea, select, [contenteditable='true']";
/** After `g`, a letter names a page for this long, in ms. */
const GO_MS = 1500;

/** Commands of the parts of the page that are shown. */
const offered = new Set<{ current: readonly Command[] }>();

/** Offers commands for as long as the part that calls this is shown. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => void (latest.current = commands));
  useEffect(() => {
    offered.add(latest);
    return () => void offered.delete(latest);
  }, []);
}

/** Returns what can be done now: what has a key first, and what is of the page before what is of all pages. */
export function commandsNow(): readonly Command[] {
  const all = [...offered].toReversed().flatMap(({ current }) => current);
  return all.toSorted((a, b) => Number(a.key === undefined) - Number(b.key === undefined));
}

/** Returns true for a key that a field takes, or the dialog that is open. */
function isTaken(event: KeyboardEvent): boolean {
  const [at] = event.composedPath();
  const isTyped = at instanceof Element && at.closest(TYPED) !== null;
  return isTyped || document.querySelector("[role=dialog]") !== null;
}

let goUntilMs = 0;
document.addEventListener("keydown", (event) => {
  const { key, timeStamp, altKey, defaultPrevented } = event;
  const isCtrl = event.ctrlKey || event.metaKey;
  if (altKey || defaultPrevented || (!isCtrl && isTaken(event))) return;
  const isGoing = timeStamp < goUntilMs;
  goUntilMs = key === "g" && !isGoing ? timeStamp + GO_MS : 0;
  const pressed = isCtrl ? `Ctrl ${key.toUpperCase()}` : `${isGoing ? "g " : ""}${key}`;
  const command = commandsNow().find((one) => one.key === pressed);
  if (command === undefined) return;
  event.preventDefault();
  command.run();
});
