import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../services/agents/main.ts", import.meta.url));
const TEAMS_DIR = fileURLToPath(new URL("teams", import.meta.url));

export interface HolderOptions {
  readonly url: string;
  readonly prefix: string;
  readonly keyFile: string;
  readonly dataDir: string;
}

/** A real process of agents, as it is deployed, with every setting at its default. */
export class HolderProcess {
  private readonly child: ChildProcess;
  private readonly taken = new Map<number, () => void>();

  constructor(options: HolderOptions) {
    this.child = spawn(process.execPath, [SCRIPT], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: {
        PATH: process.env["PATH"] ?? "",
        REDIS_URL: options.url,
        SUTURE_PREFIX: options.prefix,
        SUTURE_KEYS: `@${options.keyFile}`,
        SUTURE_DATA_DIR: options.dataDir,
        SUTURE_TEAMS: TEAMS_DIR,
        OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
        LOG_LEVEL: "silent",
      },
    });
    this.child.on("message", (said) => {
      // Sent by the handler of `teams/recovery/team.ts` alone.
      const { took } = said as { took: number };
      this.taken.get(took)?.();
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when this process has begun to handle work number `n`. */
  whenTaken(n: number): Promise<this> {
    return new Promise((resolve) => this.taken.set(n, () => resolve(this)));
  }

  /** Lets the handler of work number `n` end. */
  release(n: number): void {
    this.child.send(n);
  }

  /** Ends it as a power cut would. */
  kill(): void {
    this.child.kill("SIGKILL");
  }

  /** Resolves when the process is gone. */
  whenGone(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => this.child.once("exit", () => resolve()));
  }
}
