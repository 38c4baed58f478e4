import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/**
 * Behaviour of a link while a fault lasts.
 * - `refuse`: breaks every connection and takes no new one.
 * - `delay`: everything arrives late.
 * - `swallow_replies`: requests arrive and are carried out, no reply comes back; connections stay open.
 * - `swallow_requests`: nothing arrives; connections stay open.
 * - `lose_reply`: the next reply of every connection is lost and the connection with it: carried out, and nobody knows.
 * - `cut_after`: a connection is reset once it has brought back some bytes, in the middle of a reply.
 */
export type LinkMode =
  | "refuse"
  | "delay"
  | "swallow_replies"
  | "swallow_requests"
  | "lose_reply"
  | "cut_after";

/** One way. A worker still keeps its locks with it. */
const DELAY_MS = 120;
const CUT_AFTER_BYTES = 700;

/** One direction of a connection. What is late makes late what comes after it: a stream keeps its order. */
class Stream {
  readonly #to: Socket;
  readonly #late: { readonly bytes: Buffer; readonly dueMs: number }[] = [];
  #isPumping = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  pass(bytes: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#late.length === 0) return void this.#to.write(bytes);
    this.#late.push({ bytes, dueMs: performance.now() + delayMs });
    if (this.#isPumping) return;
    this.#isPumping = true;
    setTimeout(() => this.#pump(), delayMs);
  }

  #pump(): void {
    for (let first = this.#late[0]; first !== undefined; first = this.#late[0]) {
      const waitMs = first.dueMs - performance.now();
      if (waitMs > 0) {
        setTimeout(() => this.#pump(), waitMs);
        return;
      }
      this.#to.write(first.bytes);
      this.#late.shift();
    }
    this.#isPumping = false;
  }
}

/** A TCP link between two processes that can be made to misbehave. Counts what it does, so that a fault is proved. */
export class TcpProxy {
  #target: number;
  readonly #pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();
  readonly #listener: Server;
  /** Pieces delayed or swallowed and connections broken so far. */
  harmed = 0;
  #mode: LinkMode | null = null;

  private constructor(target: number) {
    this.#target = target;
    this.#listener = createServer((client) => this.#join(client));
  }

  /** @param target - The port on the loopback that it leads to. */
  static async open(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.#listener.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    // A TCP server that listens has an address of this form.
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Leads to another port from now on; connections to the one before are broken. */
  leadTo(target: number): void {
    this.#target = target;
    for (const pair of this.#pairs) this.#part(pair);
  }

  misbehave(mode: LinkMode): void {
    this.#mode = mode;
    if (mode === "refuse") this.#breakAll();
  }

  /** Behaves again. What was swallowed is gone for ever: such connections are broken, as a firewall's would be. */
  mend(): void {
    const wasSwallowing = this.#mode === "swallow_replies" || this.#mode === "swallow_requests";
    this.#mode = null;
    if (wasSwallowing) this.#breakAll();
  }

  close(): void {
    this.#listener.close();
    for (const pair of this.#pairs) this.#part(pair);
  }

  #join(client: Socket): void {
    if (this.#mode === "refuse") {
      this.harmed += 1;
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, "127.0.0.1");
    const pair = { client, server };
    const [requests, replies] = [new Stream(server), new Stream(client)];
    this.#pairs.add(pair);
    let broughtBack = 0;
    for (const socket of [client, server]) {
      socket.on("error", () => undefined);
      socket.on("close", () => this.#part(pair));
    }
    client.on("data", (bytes) => {
      if (this.#mode === "swallow_requests") this.harmed += 1;
      else this.#pass(requests, bytes);
    });
    server.on("data", (bytes) => {
      broughtBack += bytes.length;
      if (this.#mode === "swallow_replies") {
        this.harmed += 1;
      } else if (this.#mode === "lose_reply") {
        this.#harm(pair);
      } else if (this.#mode === "cut_after" && broughtBack >= CUT_AFTER_BYTES) {
        client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => this.#harm(pair));
      } else {
        this.#pass(replies, bytes);
      }
    });
  }

  #pass(stream: Stream, bytes: Buffer): void {
    const isLate = this.#mode === "delay";
    if (isLate) this.harmed += 1;
    stream.pass(bytes, isLate ? DELAY_MS : 0);
  }

  #harm(pair: { readonly client: Socket; readonly server: Socket }): void {
    this.harmed += 1;
    this.#part(pair);
  }

  #breakAll(): void {
    for (const pair of this.#pairs) this.#harm(pair);
  }

  #part(pair: { readonly client: Socket; readonly server: Socket }): void {
    this.#pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }
}
