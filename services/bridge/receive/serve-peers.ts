import { constants, createSecureServer, createServer } from "node:http2";
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { now, sleep } from "#shared/clock";
import type { BridgePeer, Secret } from "#shared/config";
import { SutureError } from "#shared/errors";
import { RequestRefusedError } from "#shared/http";
import { PATHS } from "../bridge.ts";
import {
  ClusterFullError,
  CrossingTooLargeError,
  UnauthenticatedError,
  UnknownOperationError,
} from "../errors.ts";
import { readBounded } from "../link/read-bounded.ts";
import { SeenNonces } from "../link/seen-nonces.ts";
import {
  findSecret,
  macOfReply,
  macOfRequest,
  readHead,
  REPLY_HEADER,
  REQUEST_HEADER,
} from "../link/signature.ts";
import { takeMessage } from "./take-message.ts";
import type { Receiver } from "./take-message.ts";
import { takeNews } from "./take-news.ts";

/** HTTP status "Too Early". */
const STATUS_EARLY = 425;

/** Inclusive limits of one bridge. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const CONNECTIONS_MAX = 200;
const STREAMS_MAX = 128;
const HEADER_BYTES_MAX = 8192;
const NONCES_MAX = 200_000;
/** Tolerated clock difference and time in transit together, in ms. */
const SENT_WITHIN_MS = 120_000;

export interface PeerServer {
  readonly url: string;
  /** Number of requests answered since the start. */
  readonly answered: () => number;
  /** Stops accepting requests, and gives those in flight `graceMs` to end. */
  stop(graceMs: number): Promise<void>;
}

/** Serves peers over HTTP/2: accepts messages and news. Authenticates each request before it parses the body. */
export async function servePeers(receiver: Receiver): Promise<PeerServer> {
  const { config, logger } = receiver;
  const server = createListener(receiver);
  const sessions = new Set<ServerHttp2Session>();
  const nonces = new SeenNonces(NONCES_MAX);
  let answered = 0;
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
    session.once("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    stream.setTimeout(config.requestMs, () => stream.close(constants.NGHTTP2_CANCEL));
    answerStream(receiver, { stream, headers, nonces })
      .then(() => (answered += 1))
      .catch((error: unknown) => {
        logger.debug({ err: error }, "a peer did not receive its reply");
        stream.destroy();
      });
  });
  server.on("error", (error) => logger.error({ err: error }, "the peers' port"));
  server.on("sessionError", (error) => logger.debug({ err: error }, "a peer's connection"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `${config.tls === null ? "http" : "https"}://${config.host}:${port}`,
    answered: () => answered,
    stop: (graceMs) => stop(server, sessions, graceMs),
  };
}

function createListener({ config }: Receiver): Http2Server {
  const settings = {
    maxConcurrentStreams: STREAMS_MAX,
    maxHeaderListSize: HEADER_BYTES_MAX,
    enablePush: false,
  };
  const { tls } = config;
  const server =
    tls === null
      ? createServer({ settings })
      : createSecureServer({
          settings,
          cert: tls.cert,
          key: tls.key.reveal(),
          minVersion: "TLSv1.2",
          ...(tls.ca === null ? {} : { ca: tls.ca, requestCert: true, rejectUnauthorized: true }),
        });
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

async function stop(
  server: Http2Server,
  sessions: ReadonlySet<ServerHttp2Session>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.close();
  const ended = new AbortController();
  await Promise.race([closed, sleep(graceMs, ended.signal).catch(() => undefined)]);
  ended.abort();
  for (const session of sessions) session.destroy();
  await closed;
}

interface Asked {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly nonces: SeenNonces;
}

/** An authenticated request. */
interface Caller {
  readonly peer: BridgePeer;
  readonly secret: Secret;
  readonly nonce: string;
  readonly path: string;
  readonly body: Buffer;
}

async function answerStream(receiver: Receiver, asked: Asked): Promise<void> {
  const { stream } = asked;
  let caller: Caller | null = null;
  let status = 200;
  let answer: unknown;
  try {
    caller = await authenticate(receiver, asked);
    ({ answer, status } = await operate(receiver, caller));
  } catch (error) {
    if (!(error instanceof SutureError)) receiver.logger.error({ err: error }, "a peer's request failed");
    else receiver.logger.warn({ err: error, cluster: caller?.peer.cluster }, "a peer's request was refused");
    status = statusOf(error);
    answer = { code: error instanceof SutureError ? error.code : "BRIDGE_INTERNAL" };
  }
  const body = Buffer.from(JSON.stringify(answer));
  const signed =
    caller === null
      ? {}
      : { [REPLY_HEADER]: macOfReply({ nonce: caller.nonce, status, body }, caller.secret) };
  stream.respond({ ":status": status, "content-type": "application/json", ...signed });
  stream.end(body);
}

async function operate(
  receiver: Receiver,
  { peer, path, body }: Caller,
): Promise<{ readonly answer: unknown; readonly status: number }> {
  const request = { from: peer.cluster, body };
  if (path === PATHS.handoffs) return { answer: await takeMessage(receiver, request), status: 200 };
  if (path !== PATHS.news) throw new UnknownOperationError();
  const answer = await takeNews(receiver, request);
  // Bridges of earlier releases repeat the whole batch on any status but 200. Nothing is lost.
  return { answer, status: answer.early.length === 0 ? 200 : STATUS_EARLY };
}

/** Maps an error to a status: 422 when the message itself is at fault; 503 when a retry may succeed. */
function statusOf(error: unknown): number {
  if (error instanceof RequestRefusedError) return error.status;
  if (!(error instanceof SutureError)) return 503;
  return ["untrusted", "parse_error", "validation_error", "unsupported_version"].includes(error.failureClass)
    ? 422
    : 503;
}

/** @throws {UnauthenticatedError | CrossingTooLargeError | ClusterFullError} */
async function authenticate({ config }: Receiver, { stream, headers, nonces }: Asked): Promise<Caller> {
  const head = readHead(headers[REQUEST_HEADER]);
  const peer = config.peers.find(({ cluster }) => cluster === head?.from);
  const { ":method": method = "", ":path": path = "" } = headers;
  if (head === null || peer === undefined || Math.abs(now() - head.sentMs) > SENT_WITHIN_MS)
    throw new UnauthenticatedError();
  // Checked before the body is read, so that an unauthenticated client cannot fill the memory.
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (!(length <= BODY_BYTES_MAX)) throw new CrossingTooLargeError(BODY_BYTES_MAX);
  const body = await readBounded(stream, length);
  if (body === null) throw new CrossingTooLargeError(BODY_BYTES_MAX);
  const { from, sentMs, nonce, mac } = head;
  const request = { method, path, from, to: config.cluster, sentMs, nonce, body };
  const macUnder = (secret: Secret): string => macOfRequest(request, secret);
  const secret = findSecret(mac, { secrets: peer.secrets, macUnder });
  if (secret === undefined) throw new UnauthenticatedError();
  // Kept for twice the window, because a request may be dated in the future by as much as in the past.
  const nonceState = nonces.add(nonce, { nowMs: now(), lifeMs: 2 * SENT_WITHIN_MS });
  if (nonceState === "seen") throw new UnauthenticatedError();
  if (nonceState === "full") throw new ClusterFullError("too many requests in a short time");
  return { peer, secret, nonce, path, body };
}
