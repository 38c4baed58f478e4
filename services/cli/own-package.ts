import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { z } from "zod";

const versions = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  version: z.string(),
  dependencies: versions,
  peerDependencies: versions,
});

/** Reads the manifest of the package that this file belongs to: this repository, or the installed `suture`. */
export function readOwnPackage(): z.output<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? "", "utf8")));
}
