/** Packages of the gRPC binding, which whoever uses it installs. */
export const GRPC_PACKAGES = ["@grpc/grpc-js", "@bufbuild/protobuf"];
