import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Driven } from "./drive.ts";
import type { PeerName, PeerOptions } from "./peer.ts";

const THIS_CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const PEER_PROCESS = "bench/peer/peer-process.ts";

const CALL_TIMEOUT_MS = 120_000;
/** Time of a process beyond a call's own to say that it failed, in ms. */
const ANSWER_WITHIN_MS = 5000;

/** A peer in a child process, as the benchmark holds it. */
export class RemotePeer {
  readonly name: PeerName;
  readonly #child: ChildProcess;
  #calls = 0;

  private constructor(name: PeerName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    // The call that waits then learns of it.
    child.on("error", () => undefined);
  }

  /** Starts the process and opens the peer; agents do not work yet. @param checkout - Its source. Default: this one. */
  static async open(
    name: PeerName,
    options: PeerOptions,
    checkout: string = THIS_CHECKOUT,
  ): Promise<RemotePeer> {
    const child = fork(join(checkout, PEER_PROCESS), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const peer = new RemotePeer(name, child);
    try {
      await peer.ask("open", { ...options, peer: name });
      return peer;
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  /** @throws {Error} The call failed or took too long, or the process ended. */
  async ask<Name extends CallName>(call: Name, argument: Calls[Name][0]): Promise<Calls[Name][1]> {
    const id = (this.#calls += 1);
    if (!this.#child.connected) throw new Error(`the process of ${this.name} has ended`);
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS + ANSWER_WITHIN_MS);
    const replies = on(this.#child, "message", { signal, close: ["exit"] });
    this.#child.send({ id, call, argument, timeoutMs: CALL_TIMEOUT_MS });
    // `peer-process.ts` alone sends them, and answers each call with its own answer.
    for await (const [reply] of replies as AsyncIterable<[AnswerMessage]>) {
      if (reply.id !== id) continue;
      if ("problem" in reply) throw new Error(`${this.name}: ${reply.problem}`);
      return reply.answer as Calls[Name][1];
    }
    throw new Error(`the process of ${this.name} ended during ${call}`);
  }

  /** Ends the process, in order if it can. Safe to call whatever happened before. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    await this.ask("close", null).catch(() => undefined);
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), ANSWER_WITHIN_MS);
    await exited;
    clearTimeout(timer);
  }
}

/** The calls to a peer's process: each with its argument and its answer. Another checkout's process hears the same. */
export interface Calls {
  open: [PeerOptions & { readonly peer: PeerName }, void];
  /** Starts the agents. */
  work: [null, void];
  drive: [LoadRequest, Load];
  close: [null, void];
}

export type CallName = keyof Calls;

interface LoadRequest {
  readonly runs: number;
  /** Runs under way at once. */
  readonly outstanding: number;
}

export interface Load extends Driven {
  /** CPU time of this process: agents and the driver that submits. */
  readonly nodeCpuMs: number;
}

/** As it travels between the processes. */
export interface CallMessage {
  readonly id: number;
  readonly call: CallName;
  readonly argument: unknown;
  readonly timeoutMs: number;
}

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: string };
