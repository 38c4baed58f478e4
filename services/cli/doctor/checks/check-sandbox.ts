import { spawnSync } from "node:child_process";
import { ok, open } from "../finding.ts";
import type { Finding } from "../finding.ts";

const WITHIN_MS = 5000;

/** Ways to run a program without a network and without sight of other processes. */
const PROBES = [
  ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"],
  ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount", "true"],
] as const;

/** Checks whether the namespaces of the sandbox work here. */
export function checkSandbox(): readonly Finding[] {
  const check = "namespaces";
  const working = PROBES.find(
    ([command, ...args]) =>
      spawnSync(command, args, { timeout: WITHIN_MS, stdio: "ignore", env: {} }).status === 0,
  );
  if (working !== undefined) return [ok(check, `${working[0]} can take network and processes away`)];
  return [
    open(
      check,
      "neither bwrap nor unshare can make one here",
      "Install bubblewrap, or allow user namespaces; run the coder team in a container of its own",
    ),
  ];
}
