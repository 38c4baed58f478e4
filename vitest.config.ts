import { fileURLToPath } from "node:url";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { sortTestFiles } from "./infra/test-projects.ts";

const files = sortTestFiles(fileURLToPath(new URL(".", import.meta.url)));

/** Settings that each project takes over. */
const shared = {
  // Processes, not threads: tests start children, send signals and set clocks.
  pool: "forks" as const,
  setupFiles: ["./infra/property-tests.ts"],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // What comes a moment later comes several seconds later on a machine that is busy with more than this.
  expect: { poll: { timeout: 60_000 } },
  // A test that is focused by mistake must not make the rest pass unseen.
  allowOnly: false,
  restoreMocks: true,
  unstubEnvs: true,
  // Tests start hundreds of processes of ours: what one has compiled the next one need not.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
};

const withoutProcesses = [...shared.setupFiles, "./infra/forbid-processes.ts"];

export default defineConfig({
  test: {
    // Most tests wait for other processes: two files a core keep the cores busy.
    maxWorkers: 2 * availableParallelism(),
    reporters: ["default", "./infra/test-report.ts"],
    // Which file belongs to which project follows from its imports; see infra/test-projects.ts.
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: [...files.unit],
          setupFiles: withoutProcesses,
          // Loads each module once a worker instead of once a file.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "redis",
          include: [...files.redis],
          setupFiles: withoutProcesses,
          globalSetup: ["./infra/test-redis.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "system",
          include: [...files.system],
          globalSetup: ["./infra/test-redis.ts", "./infra/compile-once.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "long",
          include: [...files.long],
          globalSetup: ["./infra/test-redis.ts", "./infra/compile-once.ts"],
        },
      },
      // On the containers that `npm run check:deploy` has brought up: one file after another.
      {
        test: {
          ...shared,
          name: "deploy",
          include: [...files.deploy],
          fileParallelism: false,
          globalSetup: ["./infra/test-redis.ts"],
        },
      },
    ],
  },
});
