import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ENTRIES, fileOf } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { PEER_RANGES, PEERS, TRIMMED } from "./trim-packages.ts";

const versions = z.record(z.string(), z.string());
const sourceSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: versions,
  dependencies: versions,
  optionalDependencies: versions,
  devDependencies: versions,
});

/** Packages that only some features load, when they are used. A project that wants the feature installs them. */
const ON_DEMAND = [
  // A2A by gRPC.
  "@bufbuild/protobuf",
  "@grpc/grpc-js",
  // The raw view of queues in the console.
  "@bull-board/api",
  "@bull-board/fastify",
  // The page that shows the API's description.
  "@fastify/swagger",
  "@fastify/swagger-ui",
  // Servers of the Model Context Protocol.
  "@modelcontextprotocol/client",
  // The Nest module of a ward on a BullMQ queue.
  "@nestjs/bullmq",
  "@nestjs/common",
  // Traces.
  "@opentelemetry/auto-instrumentations-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/sdk-node",
  // Readers of documents.
  "@tesseract.js-data/eng",
  "fast-png",
  "jpeg-js",
  "tesseract.js-core",
  "unpdf",
  // Mail, in and out.
  "imapflow",
  "nodemailer",
  "postal-mime",
];

/**
 * Returns the package's manifest with the packages that the built code imports.
 * @param imported - Names of packages. @throws {Error} The repository does not declare one of them.
 */
export function createManifest(root: string, imported: ReadonlySet<string>): Record<string, unknown> {
  const source = sourceSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const { name, version, description, license, engines } = source;
  const declared = { ...source.devDependencies, ...source.optionalDependencies, ...source.dependencies };
  const pick = (names: readonly string[], range = ""): Record<string, string> =>
    Object.fromEntries(
      names.toSorted().map((one) => {
        const found = declared[one];
        if (found === undefined)
          throw new Error(`The built code imports ${one}, which package.json does not declare.`);
        return [one, `${range}${found}`];
      }),
    );
  const needed = [...imported].filter((one) => !PEERS.includes(one) && !ON_DEMAND.includes(one));
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { suture: "./suture.js" },
    exports: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([key, entry]) => [key, conditions(key, entry)])),
      "./package.json": "./package.json",
    },
    imports: { "#shared/*": "./shared/*/index.js" },
    dependencies: pick(needed),
    bundleDependencies: TRIMMED,
    peerDependencies: { ...pick([...PEERS, ...ON_DEMAND], "^"), ...PEER_RANGES },
    peerDependenciesMeta: Object.fromEntries(ON_DEMAND.map((one) => [one, { optional: true }])),
  };
}

function conditions(name: string, { source, isBundled }: Entry): Record<string, string> {
  const file = fileOf(name);
  return {
    types: `./types/${file}.d.ts`,
    default: isBundled === true ? `./${file}.js` : `./${source.replace(/\.ts$/, ".js")}`,
  };
}
