import { A2AService, grpcService, UserBuilder } from "@a2a-js/sdk/server/grpc";
import { Metadata, Server, ServerCredentials, ServerInterceptingCall, status } from "@grpc/grpc-js";
import type { ServerInterceptor } from "@grpc/grpc-js";
import type { ServedTasks } from "./served-tasks.ts";

/** Serves gRPC without TLS. @returns A function that closes it. @throws {Error} The port is taken. */
export async function serveByGrpc(
  tasks: ServedTasks,
  options: {
    readonly host: string;
    readonly port: number;
    readonly bodyBytesMax: number;
    readonly isAdmitted: (header: string | undefined) => boolean;
  },
): Promise<() => void> {
  const server = new Server({
    "grpc.max_receive_message_length": options.bodyBytesMax,
    interceptors: [requireToken(options.isAdmitted)],
  });
  const service = grpcService({ requestHandler: tasks, userBuilder: UserBuilder.noAuthentication });
  server.addService(A2AService, { ...service });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return () => server.forceShutdown();
}

function requireToken(isAdmitted: (header: string | undefined) => boolean): ServerInterceptor {
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const [header] = metadata.get("authorization");
            if (isAdmitted(typeof header === "string" ? header : undefined)) return proceed(metadata);
            call.sendStatus({
              code: status.UNAUTHENTICATED,
              details: "The token is missing or wrong.",
              metadata: new Metadata(),
            });
          },
        }),
    });
}
