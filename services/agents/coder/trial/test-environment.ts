import type { SandboxPlaces } from "#shared/sandbox";

/** Returns the environment of tests. It holds no secrets, proxies or options for Node. */
export function testEnvironment({ temporary }: SandboxPlaces): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: temporary,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    TZ: "UTC",
    NODE_ENV: "test",
    NO_COLOR: "1",
  };
}
