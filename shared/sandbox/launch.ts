import type { SandboxPlaces } from "./command.ts";

/**
 * A program that sets up the isolation and then runs the command. File descriptors: 0 stays open as long as we live,
 * 1 and 2 are the command's, 3 takes its result, 5 gives its input; it writes to 4 when the set-up is complete. The
 * command does not inherit 4.
 */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder to start in. */
  readonly cwd: string;
  /** Paths of the command's folders. */
  readonly places: SandboxPlaces;
  /** True when its only child is the first process of a pid namespace and it ends after everything in there. */
  readonly hasNamespaces: boolean;
}
