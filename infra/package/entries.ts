/** An entry point of the package. */
export interface Entry {
  /** Its TypeScript, from the repository's root. */
  readonly source: string;
  /** One module with all that it needs, for browsers and workers too. Default: the modules that everything shares. */
  readonly isBundled?: true;
  /** Optional packages that it imports at once, which a project installs for it. Default: none. */
  readonly needs?: readonly string[];
  /** Most bytes of it and what it loads at once, gzipped and minified, without other packages. Default: not bounded. */
  readonly gzipBytesMax?: number;
}

/** Every entry point, by the name it has in `exports`. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  ".": { source: "infra/package/entries/index.ts", gzipBytesMax: 110_000 },
  "./client": { source: "shared/client/index.ts", gzipBytesMax: 5_000, isBundled: true },
  "./bullmq": { source: "shared/bullmq-ward/index.ts", gzipBytesMax: 60_000 },
  "./bullmq/nest": {
    source: "shared/bullmq-ward/nest/index.ts",
    needs: ["@nestjs/bullmq", "@nestjs/common", "@nestjs/core", "reflect-metadata", "rxjs"],
  },
  "./a2a": { source: "shared/a2a/index.ts" },
  "./mcp": { source: "infra/package/entries/mcp.ts", needs: ["@modelcontextprotocol/client"] },
  "./testing": { source: "infra/package/entries/testing.ts" },
  "./repair": { source: "shared/repair/library/index.ts", gzipBytesMax: 55_000, isBundled: true },
};

/** Returns the name of an entry's own files: `index` for `.`. */
export function fileOf(name: string): string {
  return name === "." ? "index" : name.slice("./".length).replaceAll("/", "-");
}
