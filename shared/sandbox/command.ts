/** What a command may use. At a bound it is ended, except that a full folder and further tasks are only refused. */
export interface SandboxBounds {
  /** Time from start to end, in milliseconds. */
  readonly timeMs: number;
  /** Bytes of standard output and standard error together. */
  readonly outputBytesMax: number;
  /** Bytes that may be written to file descriptor 3. */
  readonly resultBytesMax: number;
  /** Resident bytes of all its processes together, looked at ten times a second. */
  readonly memoryBytesMax: number;
  /** Bytes of all files that it writes. */
  readonly writtenBytesMax: number;
  /** Files and folders that it makes. */
  readonly filesMax: number;
  /** Processes and threads at a time. Node itself takes about twelve. */
  readonly tasksMax: number;
}

/** Where the command finds its folders. */
export interface SandboxPlaces {
  /** The folder that it starts in. */
  readonly work: string;
  /** An empty folder for temporary files. */
  readonly temporary: string;
}

/** A Node program to run where it can reach nothing but what is listed here. */
export interface SandboxedCommand {
  /** Arguments for Node: its options, the script, the script's arguments. */
  readonly args: (places: SandboxPlaces) => readonly string[];
  /** The whole environment: nothing of ours is passed on. Other users of this machine can see it, as arguments. */
  readonly env: (places: SandboxPlaces) => Readonly<Record<string, string>>;
  /** Files and folders that it may read, under their own absolute paths. Node and its libraries are always there. */
  readonly visible: readonly string[];
  /**
   * Folders of the caller's own. What is in `work` is what the command starts with; what it changes there is kept
   * nowhere. `work` may hold no links that lead out. Null: it starts in an empty folder.
   */
  readonly folders: SandboxPlaces | null;
  /** Given on standard input. Null: nothing. */
  readonly input: Uint8Array | null;
  readonly bounds: SandboxBounds;
  readonly signal: AbortSignal;
  /** Called with the id of the process group before the end is waited for. */
  readonly onGroup?: (pid: number) => Promise<void>;
}

/** How a command ended. */
export interface SandboxedEnd {
  /** Null: a signal ended it. */
  readonly exitCode: number | null;
  /** From the kernel when memory is short, from the command itself, or from a person. Null: it ended by itself. */
  readonly signal: NodeJS.Signals | null;
  /** The bound at which it was killed. Null: none. */
  readonly stopped: "time" | "output" | "memory" | null;
  /** Standard output and standard error together, cut at the bound. */
  readonly output: string;
  /** What was written to file descriptor 3, cut at the bound. It says what the command says, true or not. */
  readonly result: string;
  /** Where it had its folders, as its output names them. */
  readonly places: SandboxPlaces;
}
