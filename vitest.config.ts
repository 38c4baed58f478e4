import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{shared,services,infra,tests,bench}/**/*.test.ts"],
    // Processes, not threads: tests start children, send signals and set clocks.
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["./infra/test-redis.ts"],
    reporters: ["default", "./infra/test-report.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that is focused by mistake must not make the rest pass unseen.
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
