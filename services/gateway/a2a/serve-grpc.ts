import { createServer } from "node:net";
import { A2AError } from "@a2a-js/sdk/errors";
import { A2AService, grpcService, UserBuilder } from "@a2a-js/sdk/server/grpc";
import { Metadata, Server, ServerCredentials, status } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  sendUnaryData,
  ServerUnaryCall,
  ServerWritableStream,
} from "@grpc/grpc-js";
import { READERS } from "#shared/api";
import { problemFor } from "#shared/http";
import type { AttemptedRequest, ProblemOptions } from "#shared/http";
import { newTraceparent, parseTraceparent } from "#shared/telemetry";
import type { Gateway } from "../gateway.ts";
import { mayStill, tellProblems } from "../guards/guard-requests.ts";
import type { Admit } from "../guards/guard-requests.ts";
import { createRequestHandler } from "./request-handler.ts";
import { openTeam, SCOPES } from "./team-call.ts";
import type { TeamCall } from "./team-call.ts";

/** Requests and streams at once on one connection. */
const STREAMS_MAX = 100;

const CODE_OF_STATUS: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ABORTED,
  413: status.RESOURCE_EXHAUSTED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};

/** A problem that the protocol has no error for, in the form that the SDK's service sends. */
class RefusedCall extends A2AError {
  readonly transport = "grpc";
  readonly status: status;
  readonly metadataSent = new Metadata();

  constructor(code: status, { detail, headers }: { readonly detail: string; readonly headers: object }) {
    super({ message: detail });
    this.status = code;
    for (const [name, value] of Object.entries(headers)) this.metadataSent.set(name, `${value}`);
  }
}

type Request = { readonly tenant: string };
type Call = ServerUnaryCall<Request, unknown> | ServerWritableStream<Request, unknown>;

/** The parts by which every call of one gateway is answered. */
interface Door {
  readonly gateway: Gateway;
  readonly admit: Admit;
  readonly problems: ProblemOptions;
}

/** Serves A2A over gRPC, without TLS; `tenant` names the team. @returns A function that stops it within `graceMs`. */
export async function serveGrpc(
  gateway: Gateway,
  admit: Admit,
  address: { readonly host: string; readonly port: number },
): Promise<(graceMs: number) => Promise<void>> {
  const { bodyBytesMax, connectionTimeoutMs, connectionsMax } = gateway.bounds;
  const server = new Server({
    "grpc.max_receive_message_length": bodyBytesMax,
    "grpc.max_concurrent_streams": STREAMS_MAX,
    "grpc.max_connection_idle_ms": connectionTimeoutMs,
    "grpc.keepalive_time_ms": connectionTimeoutMs,
  });
  const door = { gateway, admit, problems: tellProblems(gateway) };
  const methods = Object.entries(A2AService).map(([name, { path }]) => [
    name,
    (call: Call, callback?: sendUnaryData<unknown>) => void answer(door, { name, path, call, callback }),
  ]);
  server.addService(A2AService, Object.fromEntries(methods));
  // The listener is ours, because gRPC's own takes any number of connections.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => injector.injectConnection(socket));
  listener.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(address.port, address.host, resolve);
  });
  return async (graceMs) => {
    listener.close();
    injector.drain(graceMs);
    const force = setTimeout(() => server.forceShutdown(), graceMs);
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    clearTimeout(force);
    injector.destroy();
  };
}

interface Asked {
  /** The method's name in the SDK's service. */
  readonly name: string;
  readonly path: string;
  readonly call: Call;
  /** Undefined where the answer is a stream. */
  readonly callback: sendUnaryData<unknown> | undefined;
}

/** Opens the call for its team, and has the SDK's service answer it by the same handler as JSON-RPC. */
async function answer(door: Door, { name, path, call, callback }: Asked): Promise<void> {
  const request = requestOf(call, path);
  const refuse = (error: unknown): Promise<unknown> => refusalOf(door, request, error);
  let opened: TeamCall;
  try {
    opened = await openCall(door, request, call);
  } catch (error) {
    const refusal = toServiceError(await refuse(error));
    if (callback === undefined) call.emit("error", refusal);
    else callback(refusal);
    return;
  }
  let refused: unknown;
  const toThrow = async (error: unknown): Promise<unknown> => (refused = await refuse(error));
  const requestHandler = createRequestHandler(opened, toThrow);
  const service = grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication });
  // The SDK's service has a method of each name, and of the form that the service's definition says.
  const method = Reflect.get(service, name) as handleUnaryCall<Request, unknown> &
    handleServerStreamingCall<Request, unknown>;
  const reply: sendUnaryData<unknown> = (error, value, ...more) =>
    callback?.(refused instanceof RefusedCall ? toServiceError(refused) : error, value, ...more);
  method(call as ServerUnaryCall<Request, unknown> & ServerWritableStream<Request, unknown>, reply);
}

async function openCall({ gateway, admit }: Door, request: AttemptedRequest, call: Call): Promise<TeamCall> {
  const scopes = SCOPES.get(request.routeOptions.url?.split("/").at(-1)) ?? READERS;
  const caller = await admit(request, scopes);
  const gone = new AbortController();
  call.once("cancelled", () => gone.abort());
  const { authorization } = request.headers;
  const traceparent = call.metadata.get("traceparent").join();
  const opened = {
    gateway,
    caller,
    request,
    signal: AbortSignal.any([gone.signal, gateway.stopping]),
    mayStill: () => mayStill(gateway, authorization, scopes),
    traceparent: parseTraceparent(traceparent) === null ? newTraceparent() : traceparent,
    origin: gateway.gatewayPublicUrl ?? "http://localhost",
  };
  return openTeam(opened, call.request.tenant);
}

function requestOf(call: Call, path: string): AttemptedRequest {
  const peer = call.getPeer();
  const headers = Object.fromEntries(
    Object.entries(call.metadata.getMap()).map(([name, value]) => [name, value.toString()]),
  );
  const remoteAddress = peer.slice(0, peer.lastIndexOf(":")).replaceAll(/[[\]]/g, "");
  return { method: "POST", headers, routeOptions: { url: path }, raw: { socket: { remoteAddress } } };
}

/** Errors of the protocol as they are; others as the problem that HTTP would tell. */
async function refusalOf({ problems }: Door, request: AttemptedRequest, error: unknown): Promise<unknown> {
  if (error instanceof A2AError) return error;
  const { problem, headers } = await problemFor(error, request, problems);
  return new RefusedCall(CODE_OF_STATUS[problem.status] ?? status.INTERNAL, {
    detail: problem.detail,
    headers,
  });
}

function toServiceError(refusal: unknown) {
  if (!(refusal instanceof RefusedCall)) return { code: status.INTERNAL, details: "" };
  return { code: refusal.status, details: refusal.message, metadata: refusal.metadataSent };
}
