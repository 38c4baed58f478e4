import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { completeLockfile } from "./complete-lockfile.mjs";

let root: string;

/** A project with our set-up files, a lockfile, and an npm that only notes that it was called. */
beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ["infra", "services/cli", "bin"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["setup.mjs", "suture.mjs", "lock-folder.mjs"]) {
    cpSync(join(import.meta.dirname, file), join(root, "infra", file));
  }
  writeFileSync(
    join(root, "package-lock.json"),
    JSON.stringify({ packages: { "": {}, "node_modules/a": { version: "1.0.0" } } }),
  );
  fakeNpm('echo called >> "$ROOT/calls"; sleep 0.2; mkdir -p node_modules');
  writeFileSync(
    join(root, "services/cli/main.ts"),
    `const [, , word, ...rest]: string[] = process.argv;
     if (word === "wait") { process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("waiting"); }
     else if (word === "die") process.kill(process.pid, "SIGKILL");
     else { console.log(JSON.stringify(rest)); process.exitCode = Number(word); }`,
  );
});

function fakeNpm(script: string): void {
  const file = join(root, "bin", "npm");
  rmSync(file, { force: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function environment(): NodeJS.ProcessEnv {
  const { npm_execpath: _unused, ...env } = process.env;
  return { ...env, ROOT: root, PATH: `${join(root, "bin")}:${process.env["PATH"]}` };
}

const runSetup = (): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, ["infra/setup.mjs"], { cwd: root, env: environment(), encoding: "utf8" });

const calls = (): number =>
  existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8").split("\n").length - 1 : 0;

describe("setup.mjs", () => {
  it("installs once, says so in one line, and then does nothing", () => {
    expect(String(runSetup().stderr)).toMatch(/^Installing the dependencies [^\n]*\n$/);
    expect(String(runSetup().stderr)).toBe("");
    expect(calls()).toBe(1);
  });

  it("installs again when the lockfile has changed", () => {
    runSetup();
    writeFileSync(
      join(root, "package-lock.json"),
      JSON.stringify({ packages: { "node_modules/b": { version: "2.0.0" } } }),
    );
    runSetup();
    expect(calls()).toBe(2);
    // It did not heed, and is gone.
    expect(spawnSync("pgrep", ["-f", join(root, "bin/npm")]).status).toBe(1);
  });

  it("installs once when several start at the same time", async () => {
    const ends = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ["infra/setup.mjs"], {
        cwd: root,
        env: environment(),
        stdio: "ignore",
      });
      return new Promise((resolve) => child.once("exit", resolve));
    });
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    expect(calls()).toBe(1);
  });

  it("shows what npm said when it fails, leaves no stamp, and fails", () => {
    fakeNpm('echo "npm error network away" >&2; exit 1');
    const { status, stderr } = runSetup();
    expect(status).toBe(1);
    expect(String(stderr)).toContain("network away");
    expect(String(stderr)).not.toContain("    at ");
    expect(existsSync(join(root, "node_modules/.suture-setup"))).toBe(false);
  });
});

it("ends with what it has started when it is interrupted, and leaves no lock", async () => {
  // No script of a shell: dash loses a signal that comes while it starts a job.
  const heedless = `const { appendFileSync } = require("node:fs");
    const add = (line) => appendFileSync(process.env.ROOT + "/calls", line + String.fromCharCode(10));
    process.on("SIGTERM", () => add("stopped"));
    setInterval(() => undefined, 1000);
    add("called");`;
  writeFileSync(join(root, "npm.cjs"), heedless);
  fakeNpm(`exec "${process.execPath}" "$ROOT/npm.cjs"`);
  const setup = spawn(process.execPath, ["infra/setup.mjs"], {
    cwd: root,
    env: environment(),
    stdio: "ignore",
  });
  const ended = once(setup, "exit");
  await expect.poll(calls).toBe(1);
  setup.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  expect(calls()).toBe(2);
  expect(existsSync(join(root, ".suture/setup.lock"))).toBe(false);
});

describe("the console's pages", () => {
  const app = (): string => join(root, "services/console/app");
  const vite = (script: string): void => writeFileSync(join(root, "node_modules/vite/bin/vite.js"), script);

  beforeEach(() => {
    for (const folder of ["services/console/app/parts", "services/console/built", "node_modules/vite/bin"])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(app(), "parts/page.tsx"), "first");
    vite('require("node:fs").appendFileSync(`${process.env.ROOT}/builds`, `${process.argv.slice(2)}\\n`);');
  });

  const builds = (): readonly string[] =>
    existsSync(join(root, "builds")) ? readFileSync(join(root, "builds"), "utf8").trim().split("\n") : [];

  it("are built once, and again when a source of theirs has changed, but not a test", () => {
    expect(String(runSetup().stderr)).toMatch(/^Installing [^\n]*\nBuilding the console's pages [^\n]*\n$/);
    expect(String(runSetup().stderr)).toBe("");
    writeFileSync(join(app(), "parts/page.test.tsx"), "a test");
    runSetup();
    expect(builds()).toEqual([`build,--config,${join(app(), "vite.config.ts")}`]);
    writeFileSync(join(app(), "parts/page.tsx"), "second");
    runSetup();
    expect(builds()).toHaveLength(2);
  });

  it("fail set-up with what Vite said, and are built by the next one", () => {
    vite('console.error("page.tsx: no such part"); process.exit(1);');
    const { status, stderr } = runSetup();
    expect(status).toBe(1);
    expect(String(stderr)).toContain("page.tsx: no such part");
    expect(String(stderr)).not.toContain("    at ");
    vite("");
    expect(runSetup().status).toBe(0);
    expect(calls()).toBe(1);
  });
});

describe("findProjectNode", () => {
  const find = (version: string): ReturnType<typeof spawnSync> =>
    spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { findProjectNode } from "./infra/setup.mjs"; console.log(findProjectNode({ version: "${version}" }));`,
      ],
      { cwd: root, encoding: "utf8" },
    );

  it.each(["22.18.0", "24.0.0", "30.1.0"])("is this Node when it is %s", (version) => {
    expect(String(find(version).stdout).trim()).toBe(process.execPath);
  });

  it("is the one among the dependencies when this one is older", () => {
    const folder = join(root, "node_modules", `node-${process.platform}-${process.arch}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ version: "24.21.0", bin: { node: "bin/node" } }),
    );
    expect(String(find("22.17.9").stdout).trim()).toBe(join(folder, "bin/node"));
  });
});

describe("suture.mjs", () => {
  it("sets up, passes arguments on, and ends with the command's code", () => {
    const { status, stdout } = spawnSync(process.execPath, ["infra/suture.mjs", "3", "a b", "--json", "*"], {
      cwd: root,
      env: environment(),
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 3, stdout: '["a b","--json","*"]\n' });
    expect(calls()).toBe(1);
  });

  it("passes SIGTERM on and waits for the command's own end", async () => {
    const child = spawn(process.execPath, ["infra/suture.mjs", "wait"], { cwd: root, env: environment() });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(7);
  });
});

describe("completeLockfile", () => {
  it("adds the optional packages of other platforms that npm left out, and no others", () => {
    const lockfile = {
      packages: {
        "": {},
        "node_modules/x": {
          dev: true,
          optionalDependencies: { "@x/linux-x64-musl": "1.2.3", "@x/there": "1.0.0", "@x/odd": "1.0.0" },
        },
        "node_modules/y": { optionalDependencies: { "y-windows-time": "^0.1.0" } },
        "node_modules/x/node_modules/@x/there": { version: "1.0.0" },
      },
    };
    const { lockfile: complete, added, open } = completeLockfile(lockfile);
    expect(complete.packages["node_modules/@x/linux-x64-musl"]).toEqual({
      version: "1.2.3",
      cpu: ["x64"],
      libc: ["musl"],
      os: ["linux"],
      dev: true,
      optional: true,
    });
    expect(complete.packages["node_modules/y-windows-time"]).toEqual({
      version: "0.1.0",
      os: ["win32"],
      optional: true,
    });
    expect(added).toEqual(["@x/linux-x64-musl@1.2.3", "y-windows-time@^0.1.0"]);
    expect(open).toEqual(["@x/odd@1.0.0"]);
    expect(completeLockfile(complete).added).toEqual([]);
  });
});
