import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{shared,services,infra,tests,bench}/**/*.test.ts"],
    // Processes, not threads: tests start children, send signals and set clocks.
    pool: "forks",
    maxWorkers: 2,
    setupFiles: ["./infra/property-tests.ts"],
    globalSetup: ["./infra/test-redis.ts", "./infra/compile-once.ts"],
    reporters: ["default", "./infra/test-report.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What comes a moment later comes several seconds later on a machine that is busy with more than this.
    expect: { poll: { timeout: 10_000 } },
    // A test that is focused by mistake must not make the rest pass unseen.
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    // Tests start hundreds of processes of ours: what one has compiled the next one need not.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
  },
});
