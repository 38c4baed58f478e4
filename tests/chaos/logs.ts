import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { TaskKind } from "./task.ts";
import type { ModelFault } from "./plan/faults.ts";

/** An append-only log of JSON lines that is on the disk when `write` returns. It lies outside the Redis under test. */
export class DurableLog<Line extends object> {
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, "a", 0o600);
  }

  /** Adds the line with the time, in ms since the epoch. */
  write(line: Line): void {
    writeSync(this.file, `${JSON.stringify({ at_ms: Date.now(), ...line })}\n`);
    fsyncSync(this.file);
  }

  close(): void {
    closeSync(this.file);
  }
}

export type Logged<Line extends object> = Line & { readonly at_ms: number };

/** Every whole line of a log; a last one without its end was never promised to anybody. */
export function readLog<Line extends object>(path: string): Logged<Line>[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  // Written by `write` above, in the form that the caller names.
  return lines.map((line) => JSON.parse(line) as Logged<Line>);
}

/** One line of the submitter's log. What a client knows, and nothing else. */
export type SubmitLine =
  | { readonly type: "began"; readonly task: string; readonly kind: TaskKind }
  /** 202: from now on nothing may lose it. */
  | { readonly type: "acked"; readonly task: string; readonly run_id: string }
  /** No answer, or one that says that the outcome is unknown. */
  | { readonly type: "unknown"; readonly task: string }
  /** The gateway says that nothing was changed, and to come again. */
  | { readonly type: "turned_away"; readonly task: string; readonly status: number }
  /** An answer that ends it. No task of ours deserves one. */
  | { readonly type: "refused"; readonly task: string; readonly status: number }
  /** An unknown outcome that is left so on purpose. */
  | { readonly type: "abandoned"; readonly task: string };

/** One line of the outside world's log. Written before the answer goes out. */
export type OutsideLine =
  | {
      readonly type: "model";
      readonly task: string;
      readonly call: number;
      readonly fault: ModelFault | null;
    }
  /** The call is over: the answer went out, or whoever asked is gone. */
  | { readonly type: "answered"; readonly task: string; readonly call: number }
  /** A question of the surgeon. */
  | { readonly type: "repair" }
  | {
      readonly type: "effect";
      readonly task: string;
      readonly key: string;
      readonly effect_id: string;
      /** The same key came before: nothing happened now. */
      readonly is_repeat: boolean;
    };
