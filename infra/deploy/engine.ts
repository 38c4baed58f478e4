import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { findOnPath } from "../redis/obtain-redis-server.ts";
import { runTool } from "../redis/run-tool.ts";

const SUITES = ["bookworm", "trixie"];
/** Packages that make the engine, each from a suite whose build runs on Debian 12 and 13. */
const PACKAGES = [
  "docker.io/trixie",
  "docker-cli/trixie",
  "docker-compose/trixie",
  "containerd/trixie",
  "runc/bookworm",
  // The engine's name server needs it, and it needs these libraries.
  ...[
    "iptables",
    "libip4tc2",
    "libip6tc2",
    "libmnl0",
    "libnetfilter-conntrack3",
    "libnfnetlink0",
    "libnftnl11",
  ].map((name) => `${name}/bookworm`),
  "libxtables12/bookworm",
  "tini/trixie",
  "debootstrap/trixie",
  "prometheus/bookworm",
  "kustomize/trixie",
];
const NEEDED = ["apt-get", "dpkg-deb", "unshare", "setpriv", "ip"];
const TOOL_TIMEOUT_MS = 540_000;
const START_TRIES = 100;
const TRY_EVERY_MS = 200;
/** An address of this machine alone, which containers reach through the gateway of their network. */
export const HOST_ADDRESS = "192.0.2.1";

/** Returns what a run of the engine lacks on this machine, each in words. */
export function missingFor(engine: { readonly uid: number | undefined }): string[] {
  const programs = NEEDED.filter((name) => findOnPath(name) === null);
  return [
    ...(engine.uid === 0 ? [] : ["root"]),
    ...programs.map((name) => `the program ${name}`),
    ...(globSync("/usr/share/keyrings/debian-archive-keyring.*").length > 0
      ? []
      : ["the keys of Debian's archive"]),
  ];
}

/** Runs a program to its end; returns its output. @throws {Error} It failed; the message has the end of its output. */
export async function run(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  } = {},
): Promise<string> {
  const { isOk, output } = await runTool({ timeoutMs: TOOL_TIMEOUT_MS, ...options, command, args });
  if (isOk) return output;
  throw new Error(`${command} ${args.join(" ")} failed:\n${output.slice(-4000)}`);
}

/** Runs a command of the engine that `useEngine` chose; returns its output. @throws {Error} It failed. */
export function docker(...args: readonly string[]): Promise<string> {
  return run("docker", args, { env: { DOCKER_BUILDKIT: "0" } });
}

/** Returns the address of Debian's archive that this machine's apt uses. @throws {Error} It uses none. */
export async function findMirror(): Promise<string> {
  const format = "$(REPO_URI) $(CODENAME)";
  const listed = await run("apt-get", ["indextargets", "--format", format, "Identifier: Packages"]);
  const [address] = listed.split("\n").flatMap((line) => {
    const [uri = "", codename = ""] = line.split(" ");
    return SUITES.includes(codename) ? uri : [];
  });
  if (address === undefined) throw new Error("apt has no source of Debian 12 or 13 on this machine.");
  return address;
}

/** Downloads the packages, checked by apt with Debian's keys, and unpacks them in the folder. Installs nothing. */
export async function unpackEngine(folder: string): Promise<void> {
  const lists = join(folder, "lists");
  const debs = join(folder, "debs");
  const sources = join(folder, "sources.list");
  for (const made of [join(lists, "partial"), join(folder, "cache/archives/partial"), debs])
    mkdirSync(made, { recursive: true });
  const [keyring = ""] = globSync("/usr/share/keyrings/debian-archive-keyring.*").toSorted();
  const mirror = await findMirror();
  writeFileSync(
    sources,
    SUITES.map((suite) => `deb [signed-by=${keyring}] ${mirror} ${suite} main\n`).join(""),
  );
  const own = {
    "Dir::Etc::SourceList": sources,
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::Lists": lists,
    "Dir::Cache": join(folder, "cache"),
    "APT::Sandbox::User": "root",
    "Acquire::Retries": "2",
  };
  const options = ["-q", ...Object.entries(own).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
  await run("apt-get", [...options, "update"]);
  await run("apt-get", [...options, "download", ...PACKAGES], { cwd: debs });
  for (const deb of globSync("*.deb", { cwd: debs }))
    await run("dpkg-deb", ["-x", join(debs, deb), join(folder, "engine")]);
  // The package's own links are made when it is installed.
  for (const name of ["iptables", "ip6tables"])
    symlinkSync("xtables-nft-multi", join(folder, "engine/usr/sbin", name));
}

/** Makes a Debian root in the folder, for images whose base cannot be pulled. */
export async function makeDebian(folder: string, to: string): Promise<void> {
  const env = { DEBOOTSTRAP_DIR: join(folder, "engine/usr/share/debootstrap") };
  const args = ["--variant=minbase", "--include=ca-certificates", "bookworm", to, await findMirror()];
  await run("debootstrap", args, { env });
}

/** Puts the engine's programs and socket into this process' environment, and so into that of all it starts. */
export function useEngine(folder: string): void {
  const programs = ["engine/usr/bin", "engine/usr/sbin"].map((path) => join(folder, path));
  process.env["PATH"] = [...programs, process.env["PATH"] ?? ""].join(delimiter);
  process.env["DOCKER_HOST"] = `unix://${join(folder, "docker.sock")}`;
  process.env["DEPLOY_FOLDER"] = folder;
}

/**
 * Runs a stage of the check in process and mount namespaces of its own, and with `network` "own" on a network without
 * a way out. When the stage or this process ends, however that happens, the kernel ends everything that runs in there.
 */
export async function runInside(
  command: readonly string[],
  { network, signal }: { readonly network: "own" | "host"; readonly signal: AbortSignal },
): Promise<void> {
  const namespaces = ["--mount", "--pid", "--mount-proc", ...(network === "own" ? ["--net"] : [])];
  const enter = ["--pdeathsig", "KILL", "unshare", ...namespaces, "--fork", "--kill-child"];
  const child = spawn("setpriv", [...enter, "tini-static", "--", ...command], {
    stdio: "inherit",
    signal,
    killSignal: "SIGKILL",
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("exit", resolve);
    // An interruption is told as an error too, before the process has ended.
    child.on("error", (error) => signal.aborted || reject(error));
  });
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${command.slice(1).join(" ")} ended with ${String(code)}.`);
}

/** Starts the engine, to be called inside `runInside`. Returns what stops it. @throws {Error} It does not answer. */
export async function startEngine(folder: string, stage: "build" | "try"): Promise<() => Promise<void>> {
  const log = openSync(join(folder, `engine-${stage}.log`), "a");
  const paths = {
    "data-root": join(folder, "data"),
    // A pid in what an earlier stage left there would be another process here.
    "exec-root": join(folder, `exec-${stage}`),
    pidfile: join(folder, `${stage}.pid`),
    host: `unix://${join(folder, "docker.sock")}`,
    // By name, so that another check on this machine keeps its own.
    "cgroup-parent": basename(folder),
  };
  // On the network of this machine it makes no interface and no rule.
  const isAlone = stage === "try";
  const network = isAlone
    ? []
    : ["--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false"];
  const [libraries = ""] = globSync(join(folder, "engine/usr/lib/*-linux-gnu"));
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: libraries,
    XTABLES_LIBDIR: join(libraries, "xtables"),
  };
  const options = Object.entries(paths).map(([name, value]) => `--${name}=${value}`);
  const child = spawn("dockerd", [...options, ...network], { env, stdio: ["ignore", log, log] });
  const ended = once(child, "exit");
  for (let tries = 1; ; tries += 1) {
    const { isOk, output } = await runTool({ command: "docker", args: ["info"], timeoutMs: TOOL_TIMEOUT_MS });
    if (isOk) break;
    if (tries === START_TRIES || child.exitCode !== null)
      throw new Error(`dockerd does not answer; ${join(folder, `engine-${stage}.log`)} says why: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}
