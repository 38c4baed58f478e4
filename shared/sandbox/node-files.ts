import { existsSync } from "node:fs";

/** The loader's cache of libraries outside of standard folders. */
const LOADER_CACHE = "/etc/ld.so.cache";

interface Report {
  excludeNetwork: boolean;
  getReport(): { readonly sharedObjects: readonly string[] };
}

let files: readonly string[] | null = null;

/** Returns the files that this Node needs to start: its executable and its shared libraries. */
export function nodeFiles(): readonly string[] {
  files ??= [process.execPath, ...sharedLibraries(), LOADER_CACHE].filter((file) => existsSync(file));
  return files;
}

function sharedLibraries(): string[] {
  // Node documents both fields; its types lack them.
  const report = process.report as unknown as Report;
  const before = report.excludeNetwork;
  // Otherwise the report resolves the host names of this machine's addresses.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport();
  report.excludeNetwork = before;
  return sharedObjects.filter((file) => file.startsWith("/") && !file.endsWith(".node"));
}
