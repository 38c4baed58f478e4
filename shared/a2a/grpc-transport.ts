import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import type { Transport, TransportFactory } from "@a2a-js/sdk/client";
import { credentials } from "@grpc/grpc-js";

/** Returns gRPC to one origin, by one channel. TLS unless it says `http:`. An answer has at most gRPC's own 4 MiB. */
export function grpcTransport(origin: string): TransportFactory {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === "https:";
  const factory = new GrpcTransportFactory({
    grpcChannelCredentials: isSecure ? credentials.createSsl() : credentials.createInsecure(),
  });
  const address = `dns:${hostname}:${port || (isSecure ? 443 : 80)}`;
  let transport: Promise<Transport> | undefined;
  return {
    protocolName: factory.protocolName,
    create: (_url, card) => (transport ??= factory.create(address, card)),
  };
}
