import { useEffect, useRef } from "react";

/** Something that can be chosen from the list of commands (Ctrl K). */
export interface Command {
  readonly name: string;
  readonly run: () => void;
}

/** What the parts of the page that are shown offer. */
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

/** Returns the commands of the page that is shown. */
export function pageCommands(): readonly Command[] {
  return [...offered].flatMap(({ current }) => current);
}
