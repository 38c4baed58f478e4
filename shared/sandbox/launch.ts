import type { SandboxPlaces } from "./command.ts";

/**
 * A program to start in place of the command, which sets up what holds it and then runs it. Its file descriptors: 0
 * is open as long as we live, 1 and 2 are the command's, 3 takes its result, 5 gives its input. On 4 it writes
 * something when everything is set up; the command does not get that one.
 */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder to start in. */
  readonly cwd: string;
  /** Where the command finds its folders. */
  readonly places: SandboxPlaces;
  /** Whether its one child is the first process of a process id namespace, and it ends when nothing is left there. */
  readonly hasNamespaces: boolean;
}
