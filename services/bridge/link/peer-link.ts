import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { now, randomHex } from "#shared/clock";
import type { BridgeConfig, BridgePeer, Secret } from "#shared/config";
import { PeerUnreachableError } from "../errors.ts";
import { readBounded } from "./read-bounded.ts";
import { findSecret, macOfReply, REPLY_HEADER, REQUEST_HEADER, writeHead } from "./signature.ts";

export interface PeerReply {
  readonly status: number;
  readonly body: Buffer;
}

const REPLY_BYTES_MAX = 64 * 1024;

/**
 * A client for one peer over one HTTP/2 connection, which is opened on demand and again after it broke. Signs every
 * request, and rejects a reply that the peer has not signed for that request.
 */
export class PeerLink {
  readonly peer: BridgePeer;
  readonly #own: Pick<BridgeConfig, "tls" | "requestMs"> & { readonly cluster: string };
  readonly #secret: Secret;
  #session: Promise<ClientHttp2Session> | null = null;
  #live: ClientHttp2Session | null = null;

  constructor(peer: BridgePeer, own: Pick<BridgeConfig, "tls" | "requestMs"> & { readonly cluster: string }) {
    const [secret] = peer.secrets;
    if (secret === undefined) throw new RangeError("a peer has at least one secret");
    this.peer = peer;
    this.#own = own;
    this.#secret = secret;
  }

  /** True while the connection is established. */
  get isUp(): boolean {
    return this.#live !== null;
  }

  /** Opens the connection. @throws {PeerUnreachableError} */
  async reach(): Promise<void> {
    await this.#open();
  }

  /**
   * Sends one request and returns the peer's reply.
   * @throws {PeerUnreachableError} No authentic reply in time. The request may have been carried out.
   * @throws The abort reason of `signal`.
   */
  async post(path: string, body: Uint8Array, signal: AbortSignal): Promise<PeerReply> {
    signal.throwIfAborted();
    const session = await this.#open();
    const sentMs = now();
    const nonce = randomHex(16);
    const { cluster: from } = this.#own;
    const head = { method: "POST", path, from, to: this.peer.cluster, sentMs, nonce, body };
    let stream: ClientHttp2Stream;
    try {
      stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-length": String(body.length),
        [REQUEST_HEADER]: writeHead(head, this.#secret),
      });
    } catch (cause) {
      this.#drop(session);
      throw new PeerUnreachableError(this.peer.cluster, "the connection is closing", cause);
    }
    return this.#answered(stream, { session, nonce, body, signal });
  }

  close(): void {
    const session = this.#session;
    this.#session = null;
    session?.then(
      (open) => open.destroy(),
      () => undefined,
    );
  }

  async #answered(
    stream: ClientHttp2Stream,
    asked: {
      readonly session: ClientHttp2Session;
      readonly nonce: string;
      readonly body: Uint8Array;
      readonly signal: AbortSignal;
    },
  ): Promise<PeerReply> {
    const { session, nonce, signal } = asked;
    const cut = (): void => void stream.destroy();
    // A connection that loses replies is closed; the next request opens another.
    const timer = setTimeout(() => this.#drop(session), this.#own.requestMs);
    signal.addEventListener("abort", cut, { once: true });
    try {
      const headers = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
        stream.once("response", resolve);
        stream.once("error", reject);
        stream.once("close", () => reject(new Error("the stream was closed")));
      });
      stream.end(asked.body);
      const { ":status": status, [REPLY_HEADER]: mac } = await headers;
      const body = await readBounded(stream, REPLY_BYTES_MAX);
      const reply = { nonce, status: Number(status), body: body ?? Buffer.alloc(0) };
      const macUnder = (secret: Secret): string => macOfReply(reply, secret);
      const isAuthentic =
        typeof mac === "string" && findSecret(mac, { secrets: this.peer.secrets, macUnder }) !== undefined;
      if (body === null || !isAuthentic)
        throw new PeerUnreachableError(
          this.peer.cluster,
          `its reply, a ${String(status)}, is not signed by it`,
        );
      return reply;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof PeerUnreachableError) throw cause;
      throw new PeerUnreachableError(this.peer.cluster, "no reply came", cause);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cut);
      stream.destroy();
    }
  }

  #open(): Promise<ClientHttp2Session> {
    this.#session ??= this.#connect().catch((cause: unknown) => {
      this.#session = null;
      throw cause;
    });
    return this.#session;
  }

  #connect(): Promise<ClientHttp2Session> {
    const { tls, requestMs } = this.#own;
    const identity =
      tls === null
        ? {}
        : { cert: tls.cert, key: tls.key.reveal(), ...(tls.ca === null ? {} : { ca: tls.ca }) };
    return new Promise((resolve, reject) => {
      const session = connect(this.peer.url, { ...identity, settings: { enablePush: false } });
      const fail = (problem: string, cause?: unknown): void => {
        clearTimeout(timer);
        session.destroy();
        reject(new PeerUnreachableError(this.peer.cluster, problem, cause));
      };
      const timer = setTimeout(() => fail("the connection takes too long"), requestMs);
      session.once("error", (cause) => fail("the connection failed", cause));
      // The peer's HTTP/2 settings. A server that only accepts connections sends none.
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        this.#live = session;
        resolve(session);
      });
      session.on("error", () => this.#drop(session));
      session.once("goaway", () => this.#forget(session));
      session.once("close", () => {
        this.#drop(session);
        fail("the connection was closed");
      });
    });
  }

  /** Detaches a connection: requests in flight go on, the next one opens another. */
  #forget(session: ClientHttp2Session): void {
    if (this.#live !== session) return;
    this.#live = null;
    this.#session = null;
  }

  #drop(session: ClientHttp2Session): void {
    this.#forget(session);
    session.destroy();
  }
}
