import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Driven } from "./drive.ts";
import type { PeerName, PeerOptions } from "./peer.ts";

const THIS_CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const PEER_PROCESS = "bench/peer/peer-process.ts";

const CALL_TIMEOUT_MS = 120_000;
/** What a process gets beyond a call's own time to say that it failed, in ms. */
const ANSWER_WITHIN_MS = 5000;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A peer in a child process, as the benchmark holds it. */
export class RemotePeer {
  readonly name: PeerName;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  private constructor(name: PeerName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.on("message", (message) => this.#hear(message));
    child.on("exit", (code, signal) => this.#fail(`the process of ${name} ended with ${code ?? signal}`));
    child.on("error", (error) => this.#fail(`the process of ${name} failed: ${error.message}`));
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
    const timeoutMs = CALL_TIMEOUT_MS;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const timer = setTimeout(
      () => reject(new Error(`${this.name} did not answer ${call} within ${timeoutMs} ms`)),
      timeoutMs + ANSWER_WITHIN_MS,
    );
    if (!this.#child.connected) reject(new Error(`the process of ${this.name} has ended`));
    else this.#child.send({ id, call, argument, timeoutMs });
    try {
      // `peer-process.ts` answers each call with its own answer.
      return (await promise) as Calls[Name][1];
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
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

  #hear(message: unknown): void {
    // Sent by `peer-process.ts` alone.
    const reply = message as AnswerMessage;
    const waiting = this.#waiting.get(reply.id);
    if ("problem" in reply) waiting?.reject(new Error(`${this.name}: ${reply.problem}`));
    else waiting?.resolve(reply.answer);
  }

  #fail(problem: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(problem));
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
