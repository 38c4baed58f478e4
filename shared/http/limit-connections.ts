import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { now } from "#shared/clock";
import { clientAddressOf } from "./addresses.ts";
import { TooManyConnectionsError } from "./errors.ts";
import { FairLimit } from "./rate-limit.ts";
import type { PlaceHolder } from "./rate-limit.ts";

/** Limits on open connections. A connection is anonymous until a request on it was authenticated. */
export interface ConnectionBounds {
  /** Open connections of all clients. Anonymous ones take at most half of them. */
  readonly connectionsMax: number;
  /** Anonymous connections of one client address. */
  readonly anonymousPerAddressMax: number;
  /** Life of an anonymous connection, in ms; a request on it is answered first. */
  readonly anonymousMs: number;
}

/** The share of all connections that anonymous ones may take; the rest is kept for authenticated clients. */
const ANONYMOUS_SHARE = 0.5;

const SWEEP_MS_MAX = 1000;

/** One authenticated connection. */
interface Known {
  readonly key: string;
  /** Gives its place back. */
  readonly leave: () => void;
}

/** One anonymous connection. */
interface Anonymous {
  readonly socket: Socket;
  readonly address: string;
  readonly openedMs: number;
  /** Requests in hand. */
  requests: number;
}

/** Closes anonymous connections that are too many or too old; keys and tenants have fair shares of the others. */
class ConnectionLimit {
  private readonly bounds: ConnectionBounds;
  /** Oldest first. */
  private readonly anonymous = new Map<Socket, Anonymous>();
  private readonly byAddress = new Map<string, Set<Anonymous>>();
  private readonly known = new Map<Socket, Known>();
  private readonly places: FairLimit;
  private open = 0;

  constructor(bounds: ConnectionBounds, tenantShare: () => number) {
    this.bounds = bounds;
    this.places = new FairLimit(bounds.connectionsMax, tenantShare);
  }

  add(socket: Socket): void {
    const address = clientAddressOf(socket.remoteAddress);
    const own = this.byAddress.get(address) ?? new Set();
    const { connectionsMax, anonymousPerAddressMax } = this.bounds;
    if (own.size >= anonymousPerAddressMax) this.closeOldest(own);
    if (this.anonymous.size >= Math.max(1, Math.floor(connectionsMax * ANONYMOUS_SHARE)))
      this.closeOldest(this.anonymous.values());
    if (this.open >= connectionsMax && !this.closeOldest(this.anonymous.values())) {
      socket.destroy();
      return;
    }
    const entry = { socket, address, openedMs: now(), requests: 0 };
    this.open += 1;
    this.anonymous.set(socket, entry);
    this.byAddress.set(address, own.add(entry));
    socket.once("close", () => {
      this.open -= 1;
      this.forget(socket);
      this.known.get(socket)?.leave();
      this.known.delete(socket);
    });
  }

  /** Counts a request until it is answered. */
  serve(socket: Socket, reply: ServerResponse): void {
    const entry = this.anonymous.get(socket);
    if (entry === undefined) return;
    entry.requests += 1;
    reply.once("close", () => {
      entry.requests -= 1;
    });
  }

  /** Counts a connection for the key that was shown on it last. @throws {TooManyConnectionsError} */
  keep(socket: Socket, key: PlaceHolder): void {
    const before = this.known.get(socket);
    if (before?.key === key.name || socket.destroyed) return;
    const leave = this.places.enter(key);
    if (leave === null) throw new TooManyConnectionsError();
    before?.leave();
    this.known.set(socket, { key: key.name, leave });
    this.forget(socket);
  }

  /** Takes a connection out of the anonymous ones. */
  private forget(socket: Socket): void {
    const entry = this.anonymous.get(socket);
    if (entry === undefined) return;
    this.anonymous.delete(socket);
    const own = this.byAddress.get(entry.address);
    own?.delete(entry);
    if (own?.size === 0) this.byAddress.delete(entry.address);
  }

  closeOld(): void {
    const openedBeforeMs = now() - this.bounds.anonymousMs;
    for (const { socket, openedMs, requests } of this.anonymous.values()) {
      if (openedMs > openedBeforeMs) return;
      if (requests === 0) this.close(socket);
    }
  }

  /** Closes the oldest idle connection, or the oldest of all when none is idle. Returns false when there is none. */
  private closeOldest(candidates: Iterable<Anonymous>): boolean {
    let oldest: Anonymous | undefined;
    for (const candidate of candidates) {
      oldest ??= candidate;
      if (candidate.requests > 0) continue;
      oldest = candidate;
      break;
    }
    if (oldest === undefined) return false;
    this.close(oldest.socket);
    return true;
  }

  /** Forgets it at once, because the socket's "close" comes later. */
  private close(socket: Socket): void {
    this.forget(socket);
    socket.destroy();
  }
}

const limits = new WeakMap<Socket, ConnectionLimit>();

/** Holds a server to its limits of connections until it closes. @param tenantShare - As for `FairLimit`. Default: 1. */
export function limitConnections(
  server: Server,
  bounds: ConnectionBounds,
  tenantShare = (): number => 1,
): void {
  const limit = new ConnectionLimit(bounds, tenantShare);
  server.on("connection", (socket: Socket) => {
    limits.set(socket, limit);
    limit.add(socket);
  });
  server.on("request", (request: IncomingMessage, reply: ServerResponse) =>
    limit.serve(request.socket, reply),
  );
  const sweep = setInterval(
    () => limit.closeOld(),
    Math.min(SWEEP_MS_MAX, Math.ceil(bounds.anonymousMs / 4)),
  );
  sweep.unref();
  server.once("close", () => clearInterval(sweep));
}

/** Marks a connection as authenticated: it counts for its key from now on. @throws {TooManyConnectionsError} */
export function keepConnection(socket: Socket, key: PlaceHolder): void {
  limits.get(socket)?.keep(socket, key);
}
