import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with `N passed, N failed, N skipped`. A file that does not load counts as failed. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "skipped" : state] += 1;
      }
    }
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    // After the other reporters, which print when the run has ended.
    process.once("exit", () => process.stdout.write(line));
  }
}
