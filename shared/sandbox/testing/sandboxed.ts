import type { SandboxBounds, SandboxedCommand } from "../command.ts";

const MEBIBYTE = 1024 * 1024;

export const TEST_BOUNDS: SandboxBounds = {
  timeMs: 20_000,
  outputBytesMax: 10_000,
  resultBytesMax: 10_000,
  memoryBytesMax: 512 * MEBIBYTE,
  writtenBytesMax: 4 * MEBIBYTE,
  filesMax: 200,
  tasksMax: 64,
};

export type TestCommand = Partial<Omit<SandboxedCommand, "bounds">> & {
  readonly bounds?: Partial<SandboxBounds>;
};

/** Describes a script for `node --eval` with nothing to see, nothing given and bounds for tests. */
export function sandboxed(script: string, { bounds, ...more }: TestCommand = {}): SandboxedCommand {
  return {
    args: () => ["--eval", script],
    env: () => ({}),
    visible: [],
    folders: null,
    input: null,
    signal: new AbortController().signal,
    ...more,
    bounds: { ...TEST_BOUNDS, ...bounds },
  };
}
