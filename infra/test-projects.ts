import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** `unit` needs nothing, `redis` the run's Redis, `system` real processes; `long` and `deploy` have own commands. */
export type TestProjectName = "unit" | "redis" | "system" | "long" | "deploy";

/** Glob of all test files, relative to the repository's root. */
const TEST_FILES = "{shared,services,infra,tests,bench}/**/*.test.{ts,tsx}";

/** Endings of the names of files that one command alone runs: `npm run test:long` and `npm run check:deploy`. */
const BY_NAME = { ".long.test.ts": "long", ".deploy.test.ts": "deploy" } as const;

/** The fixture that hands out the Redis of the test run. */
const REDIS_FIXTURE = "shared/testing/redis.ts";

/** Modules that start processes. */
const PROCESS_MODULES = new Set(["node:child_process", "node:cluster", "playwright-core"]);

interface Import {
  readonly specifier: string;
  /** Imported names; null for all of the module. */
  readonly names: readonly string[] | null;
}

/** `import`, `export … from` and `import()` with a literal specifier, without `import type`. */
const IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|(\*)(?:\s+as\s+[\w$]+)?)?\s*from\s*["']([^"']+)["']|^import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

/**
 * Returns the test files of each project. A file named so is `long` or `deploy`, one that reaches a module that starts
 * processes is `system`, one that reaches the shared Redis is `redis`, any other is `unit`. Follows imports by name
 * through `index.ts` files, so that a test pays only for what it imports from a room. Type imports count for nothing.
 */
export function sortTestFiles(root: string): Readonly<Record<TestProjectName, readonly string[]>> {
  const graph = new ImportGraph(root);
  const projects: Record<TestProjectName, string[]> = {
    unit: [],
    redis: [],
    system: [],
    long: [],
    deploy: [],
  };
  for (const path of globSync(TEST_FILES, { cwd: root }).toSorted()) {
    const named = Object.entries(BY_NAME).find(([ending]) => path.endsWith(ending));
    projects[named?.[1] ?? graph.projectOf(path)].push(path);
  }
  return projects;
}

class ImportGraph {
  readonly #root: string;
  readonly #imports = new Map<string, readonly Import[]>();

  constructor(root: string) {
    this.#root = root;
  }

  projectOf(test: string): TestProjectName {
    const { files, modules } = this.#reach(test);
    if ([...PROCESS_MODULES].some((name) => modules.has(name))) return "system";
    return files.has(REDIS_FIXTURE) ? "redis" : "unit";
  }

  #reach(test: string): { readonly files: ReadonlySet<string>; readonly modules: ReadonlySet<string> } {
    const files = new Set<string>([test]);
    const modules = new Set<string>();
    // The set grows while it is walked.
    for (const file of files)
      for (const { specifier, names } of this.#importsOf(file)) {
        const target = this.#resolve(file, specifier);
        if (target === null) modules.add(specifier);
        const reached = target === null ? [] : this.#behind(target, names);
        reached.forEach((found) => files.add(found));
      }
    return { files, modules };
  }

  /** Returns the files that provide the names: those behind an `index.ts`, otherwise the file itself. */
  #behind(file: string, names: readonly string[] | null): readonly string[] {
    if (names === null || posix.basename(file) !== "index.ts") return [file];
    return names.map((name) => {
      const source = this.#importsOf(file).find((one) => one.names?.includes(name));
      return (source && this.#resolve(file, source.specifier)) ?? file;
    });
  }

  #resolve(from: string, specifier: string): string | null {
    const path = specifier.startsWith("#shared/")
      ? `shared/${specifier.slice("#shared/".length)}/index.ts`
      : specifier.startsWith(".")
        ? posix.join(posix.dirname(from), specifier)
        : null;
    return path !== null && existsSync(join(this.#root, path)) ? path : null;
  }

  #importsOf(file: string): readonly Import[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const text = /\.(?:m?[jt]s|tsx)$/.test(file) ? readFileSync(join(this.#root, file), "utf8") : "";
    const imports = [...text.matchAll(IMPORT)].map(([, first, list, , from, bare, dynamic]) => ({
      specifier: from ?? bare ?? dynamic ?? "",
      names: list === undefined || first !== undefined ? null : namesIn(list),
    }));
    this.#imports.set(file, imports);
    return imports;
  }
}

/** Returns the values of an import or export list by the name they have in the other module. */
function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "))
    .map((one) => one.split(/\s+as\s+/)[0] ?? one);
}
