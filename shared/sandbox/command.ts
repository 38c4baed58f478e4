/** Limits of a command. Exceeding one kills it, except that a full folder and further tasks are refused. */
export interface SandboxBounds {
  /** Wall-clock time, in ms. */
  readonly timeMs: number;
  /** Bytes of standard output and standard error together. */
  readonly outputBytesMax: number;
  /** Bytes written to file descriptor 3. */
  readonly resultBytesMax: number;
  /** Resident bytes of all its processes together, checked ten times a second. */
  readonly memoryBytesMax: number;
  /** Total bytes of the files that it writes. */
  readonly writtenBytesMax: number;
  /** Number of files and folders that it creates. */
  readonly filesMax: number;
  /** Concurrent processes and threads. Node itself takes about twelve. */
  readonly tasksMax: number;
}

/** Paths of the command's folders. */
export interface SandboxPlaces {
  /** Working directory. */
  readonly work: string;
  /** An empty folder for temporary files. */
  readonly temporary: string;
}

/**
 * A program to run with access to nothing but what is listed here. It is started by Node: either it is a script, or a
 * script starts it as a child, in the same namespaces and within the same bounds.
 */
export interface SandboxedCommand {
  /** Arguments for Node: its options, the script, the script's arguments. */
  readonly args: (places: SandboxPlaces) => readonly string[];
  /** The whole environment; nothing is inherited. Other users of this machine can see it, as arguments. */
  readonly env: (places: SandboxPlaces) => Readonly<Record<string, string>>;
  /** Readable files and folders, under their own absolute paths. Node and its libraries are always readable. */
  readonly visible: readonly string[];
  /** Folders. `work`: the working directory's content, without links out; changes are discarded. Null: empty. */
  readonly folders: SandboxPlaces | null;
  /** Standard input. Null: none. */
  readonly input: Uint8Array | null;
  readonly bounds: SandboxBounds;
  readonly signal: AbortSignal;
  /** Called with the process group's id as soon as it runs. */
  readonly onGroup?: (pid: number) => Promise<void>;
}

/** End of a command. */
export interface SandboxedEnd {
  /** Null: ended by a signal. */
  readonly exitCode: number | null;
  /** Sent by the kernel when memory is short, by the command itself, or by a person. Null: it exited. */
  readonly signal: NodeJS.Signals | null;
  /** The limit at which it was killed. Null: none. */
  readonly stopped: "time" | "output" | "memory" | null;
  /** Standard output and standard error together, truncated at the limit. */
  readonly output: string;
  /** Content of file descriptor 3, truncated at the limit. Untrusted. */
  readonly result: string;
  /** Its folders, as its output names them. */
  readonly places: SandboxPlaces;
}

/**
 * A program that sets up the isolation and then runs the command. Descriptors: 0 stays open while we live, 1 and 2 are
 * the command's, 3 takes its result, 5 gives its input; 4 tells that the set-up is complete.
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
