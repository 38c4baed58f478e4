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
import type { Reception } from "./take-message.ts";
import { takeNews } from "./take-news.ts";

/** Too early, as HTTP has it. */
const STATUS_EARLY = 425;

/** What one bridge takes from its peers at once. Inclusive. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const CONNECTIONS_MAX = 200;
const STREAMS_MAX = 128;
const HEADER_BYTES_MAX = 8192;
const NONCES_MAX = 200_000;
/** How far clocks may be apart, and how long a request may be on its way, together, in ms. */
const SENT_WITHIN_MS = 120_000;

export interface PeerServer {
  readonly url: string;
  /** Requests answered since the start. */
  readonly answered: () => number;
  /** Takes nothing new, and lets what is being answered end for `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Takes messages and news from peers over HTTP/2, each request authenticated before anything in it is believed. */
export async function servePeers(reception: Reception): Promise<PeerServer> {
  const { config, logger } = reception;
  const server = createListener(reception);
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
    answerStream(reception, { stream, headers, nonces })
      .then(() => (answered += 1))
      .catch((error: unknown) => {
        logger.debug({ err: error }, "a peer did not hear its reply");
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

function createListener({ config }: Reception): Http2Server {
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

/** Who asks, known by a secret that both have. */
interface Caller {
  readonly peer: BridgePeer;
  readonly secret: Secret;
  readonly nonce: string;
  readonly path: string;
  readonly body: Buffer;
}

async function answerStream(reception: Reception, asked: Asked): Promise<void> {
  const { stream } = asked;
  let caller: Caller | null = null;
  let status = 200;
  let answer: unknown;
  try {
    caller = await authenticate(reception, asked);
    ({ answer, status } = await operate(reception, caller));
  } catch (error) {
    if (!(error instanceof SutureError)) reception.logger.error({ err: error }, "a peer's request failed");
    else reception.logger.warn({ err: error, cluster: caller?.peer.cluster }, "a peer's request was refused");
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
  reception: Reception,
  { peer, path, body }: Caller,
): Promise<{ readonly answer: unknown; readonly status: number }> {
  const told = { from: peer.cluster, body };
  if (path === PATHS.handoffs) return { answer: await takeMessage(reception, told), status: 200 };
  if (path !== PATHS.news) throw new UnknownOperationError();
  const answer = await takeNews(reception, told);
  // Any status but 200 makes a bridge of an earlier release tell them all again, and nothing is lost.
  return { answer, status: answer.early.length === 0 ? 200 : STATUS_EARLY };
}

/** A message that is bad in itself is 422; what Redis did not take, or nobody foresaw, may go well the next time. */
function statusOf(error: unknown): number {
  if (error instanceof RequestRefusedError) return error.status;
  if (!(error instanceof SutureError)) return 503;
  return ["untrusted", "parse_error", "validation_error", "unsupported_version"].includes(error.failureClass)
    ? 422
    : 503;
}

/** @throws {UnauthenticatedError | CrossingTooLargeError | ClusterFullError} */
async function authenticate({ config }: Reception, { stream, headers, nonces }: Asked): Promise<Caller> {
  const head = readHead(headers[REQUEST_HEADER]);
  const peer = config.peers.find(({ cluster }) => cluster === head?.from);
  const { ":method": method = "", ":path": path = "" } = headers;
  if (head === null || peer === undefined || Math.abs(now() - head.sentMs) > SENT_WITHIN_MS)
    throw new UnauthenticatedError();
  // Before the body is read: a stranger is not to make us hold one.
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (!(length <= BODY_BYTES_MAX)) throw new CrossingTooLargeError(BODY_BYTES_MAX);
  const body = await readBounded(stream, length);
  if (body === null) throw new CrossingTooLargeError(BODY_BYTES_MAX);
  const { from, sentMs, nonce, mac } = head;
  const request = { method, path, from, to: config.cluster, sentMs, nonce, body };
  const macUnder = (secret: Secret): string => macOfRequest(request, secret);
  const secret = findSecret(mac, { secrets: peer.secrets, macUnder });
  if (secret === undefined) throw new UnauthenticatedError();
  // A request may come from the future by as much as from the past.
  const met = nonces.meet(nonce, { nowMs: now(), lifeMs: 2 * SENT_WITHIN_MS });
  if (met === "seen") throw new UnauthenticatedError();
  if (met === "full") throw new ClusterFullError("too many requests in a short time");
  return { peer, secret, nonce, path, body };
}
