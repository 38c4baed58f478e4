import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { homedir, networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { findTool } from "./in-namespaces.ts";
import { attack, attackers, startAttack } from "./testing/attack.ts";
import { TEST_BOUNDS } from "./testing/sandboxed.ts";

/** For scripts: `tell(...)` writes the result; `tried(what, act)` gives `what` where it could be done. */
const HEAD = `
const tell = (value) => fs.writeSync(3, JSON.stringify(value));
const tried = (acts) => Object.entries(acts).flatMap(([what, act]) => {
  try { const got = act(); return got === undefined || got === true ? [what] : got === false ? [] : [what + ": " + String(got).slice(0, 80)]; }
  catch { return []; }
});
`;
const MEBIBYTE = 1024 * 1024;
const FIRST_FILES = 4;

function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** A folder with a copy to work in and files beside it that nothing in it may reach. */
function openVictim() {
  const folder = openFolder();
  const folders = { work: join(folder, "work"), temporary: join(folder, "tmp") };
  mkdirSync(folders.work);
  mkdirSync(folders.temporary);
  writeFileSync(join(folders.work, "given.txt"), "given");
  mkdirSync(join(folder, ".suture/keys"), { recursive: true });
  const secret = join(folder, ".suture/keys/master");
  writeFileSync(secret, "the-secret");
  return { folder, folders, secret };
}

async function listen(server: Server, where: Parameters<Server["listen"]>[0]): Promise<void> {
  await new Promise<void>((resolve) => server.listen(where, resolve));
  onTestFinished(() => void server.close());
}

function startVictim(): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

/** Returns true where any process of this machine has that word on its command line. */
function isRunning(word: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });
}

function stateOf(pid: number): string {
  return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
}

describe.skipIf(process.platform !== "linux").each(attackers())("as %s, what is isolated", (as) => {
  const attempt = async (script: string, more: Parameters<typeof attack>[2] = {}): Promise<unknown> => {
    const end = await attack(as, HEAD + script, more);
    if (end.result === "") throw new Error(`no result: ${JSON.stringify(end)}`);
    return JSON.parse(end.result);
  };

  test("signals nobody outside, and not the process that holds it", async () => {
    const victim = startVictim();
    const targets = [victim, process.pid, process.ppid, -process.pid];
    const found = await attempt(`
      const signals = ["SIGUSR1", "SIGSTOP", "SIGTERM", "SIGKILL", 0];
      const sent = ${JSON.stringify(targets)}.flatMap((pid) => signals.flatMap((signal) => tried({ [pid + " " + signal]: () => process.kill(pid, signal) })));
      for (const signal of ["SIGUSR1", "SIGSTOP", "SIGKILL"]) tried({ parent: () => process.kill(process.ppid, signal), first: () => process.kill(1, signal) });
      setTimeout(() => tell({ sent, ppid: process.ppid }), 100);`);
    expect(found).toEqual({ sent: [], ppid: 1 });
    expect(stateOf(victim)).toMatch(/^[SR]$/);
  });

  test("kills only what is its own where it kills everything", async () => {
    const victim = startVictim();
    await attack(as, "process.kill(-1, 'SIGKILL')");
    expect(stateOf(victim)).toMatch(/^[SR]$/);
  });

  test("reaches no server: loopback, this machine's addresses, unix sockets by path and abstract, UDP", async () => {
    const { folder } = openVictim();
    let reached = 0;
    const onReach = (): void => void (reached += 1);
    const [tcp, unix, abstract] = [createServer(onReach), createServer(onReach), createServer(onReach)];
    await listen(tcp, { port: 0, host: "0.0.0.0" });
    await listen(unix, { path: join(folder, "socket") });
    await listen(abstract, { path: `\0suture-escape-${process.pid}-${as.length}` });
    const udp = createSocket("udp4", onReach);
    await new Promise<void>((resolve) => udp.bind(0, "0.0.0.0", resolve));
    onTestFinished(() => void udp.close());
    const { port } = tcp.address() as AddressInfo;
    const own = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    );
    const found = await attempt(
      `
      const net = require("net");
      const to = [...${JSON.stringify(["127.0.0.1", "::1", "0.0.0.0", ...own])}.map((host) => ({ host, port: ${port} })),
        { path: ${JSON.stringify(join(folder, "socket"))} }, { path: "\\0suture-escape-${process.pid}-${as.length}" }];
      const tries = to.map((where) => new Promise((resolve) => {
        const socket = net.connect(where, () => resolve([JSON.stringify(where)]));
        socket.once("error", () => resolve([]));
        setTimeout(() => resolve([]), 500);
      }));
      const udp = require("dgram").createSocket("udp4");
      udp.on("error", () => {});
      udp.send("x", ${udp.address().port}, "127.0.0.1", () => {});
      Promise.all(tries).then((found) => { tell(found.flat()); process.exit(); });`,
    );
    expect(found).toEqual([]);
    expect(reached).toBe(0);
  });

  test("sees no other process, and nothing of the one that holds it", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    const pids = [process.pid, process.ppid, startVictim()];
    const found = await attempt(`
      const of = (pid) => ["environ", "mem", "maps", "root/etc/passwd", "cwd", "exe", "fd/0", "task/" + pid + "/children"].map((part) => "/proc/" + pid + "/" + part);
      const files = [...${JSON.stringify(pids)}, 1].flatMap(of);
      const read = (file) => /cwd|exe|fd/.test(file) ? fs.readlinkSync(file) : fs.readFileSync(file, "latin1").length > 0;
      const seen = fs.existsSync("/proc") ? fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && Number(name) !== 1 && Number(name) !== process.pid) : [];
      tell([...seen, ...tried(Object.fromEntries(files.map((file) => [file, () => read(file)])))]);`);
    expect(found).toEqual([]);
  });

  test("changes no setting of the kernel or of this machine", async () => {
    const found = await attempt(`
      const write = (file) => () => { fs.writeFileSync(file, fs.readFileSync(file)); };
      const files = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/proc/sys/user/max_user_namespaces"];
      tell(tried({ ...Object.fromEntries(files.map((file) => [file, write(file)])),
        sysrq: () => fs.writeFileSync("/proc/sysrq-trigger", "h"),
        oom: () => fs.writeFileSync("/proc/self/oom_score_adj", "-900"),
        uid: () => process.setuid(0), gid: () => process.setgid(0), groups: () => process.setgroups([0]),
        nice: () => os.setPriority(-5) }));`);
    expect(found).toEqual([]);
  });

  test("reads nothing but what it was shown: by absolute paths, through .., by symbolic and by hard links", async () => {
    const { folder, folders, secret } = openVictim();
    const places = [
      secret,
      folder,
      homedir(),
      process.cwd(),
      "/etc/passwd",
      "/etc/shadow",
      "/root",
      "/home",
      "/tmp",
      "/var",
      "/sys/fs/cgroup",
      "/dev/vda",
      "/dev/mem",
      "/dev/shm",
      "/dev/tty",
    ];
    const found = await attempt(
      `
      const places = ${JSON.stringify(places)};
      const read = (file) => fs.statSync(file).isDirectory() ? fs.readdirSync(file).join() : fs.readFileSync(file, "latin1");
      const above = (file) => "../".repeat(20) + file.slice(1);
      const acts = places.flatMap((file, index) => [
        ["plain " + file, () => read(file)],
        ["above " + file, () => read(above(file))],
        ["proc " + file, () => read("/proc/self/cwd/" + above(file))],
        ["link " + file, () => { fs.symlinkSync(file, "link" + index); return read("link" + index); }],
        ["link above " + file, () => { fs.symlinkSync(above(file), "up" + index); return read("up" + index); }],
        ["hard " + file, () => { fs.linkSync(file, "hard" + index); return read("hard" + index); }],
        ["rename " + file, () => { fs.renameSync(file, "moved" + index); }],
      ]);
      tell(tried(Object.fromEntries(acts)));`,
      { folders },
    );
    // Of a home or checkout above the folders that are shown, only names on the way there can be seen.
    const names = [homedir(), process.cwd(), folder];
    const leads = (line: string, place: string): boolean =>
      line
        .slice(line.indexOf(`${place}: `) + place.length + 2)
        .split(",")
        .every((name) => names.some((one) => one.startsWith(join(place, name))));
    const isOnTheWay = (line: string): boolean =>
      places.some((place) => line.includes(` ${place}: `) && (names.includes(place) || leads(line, place)));
    const others = (found as string[]).filter((line) => !isOnTheWay(line));
    expect(others).toEqual([]);
    expect(JSON.stringify(found)).not.toMatch(/the-secret|package\.json|master/);
  });

  test("has devices that hold nothing, and no terminal", async () => {
    expect(await attempt(`tell([fs.readdirSync("/dev").sort(), Boolean(process.stdin.isTTY)])`)).toEqual([
      ["null", "random", "urandom", "zero"],
      false,
    ]);
  });

  test("writes nowhere but into its folder, which is gone afterwards with every link in it", async () => {
    const { folders, secret } = openVictim();
    const shown = openFolder();
    writeFileSync(join(shown, "shown.txt"), "shown");
    chmodSync(shown, 0o777);
    const found = await attempt(
      `
      const shown = ${JSON.stringify(shown)};
      fs.writeFileSync("given.txt", "changed"); fs.writeFileSync("new", "new"); fs.rmSync("given.txt");
      for (const name of ["given.txt", "report.jsonl", "link"]) fs.symlinkSync(${JSON.stringify(secret)}, name);
      fs.mkdirSync("deep/er", { recursive: true }); fs.renameSync("deep", "moved");
      const write = (file) => () => { fs.writeFileSync(file, "x"); };
      const files = ["/x", "/dev/x", "/sandbox/x", "/etc/x", "/lib/x", "/proc/x", process.execPath, "/proc/self/exe", shown + "/shown.txt", shown + "/x"];
      tell(tried({ ...Object.fromEntries(files.map((file) => [file, write(file)])),
        mode: () => fs.chmodSync(shown + "/shown.txt", 0o777), folder: () => fs.mkdirSync("/y"), gone: () => fs.rmSync(shown + "/shown.txt"),
        over: () => fs.renameSync("new", shown + "/shown.txt"), hard: () => fs.linkSync(shown + "/shown.txt", "own"),
        work: () => fs.renameSync("/sandbox/work", "/sandbox/other") }));`,
      { folders, visible: [shown] },
    );
    expect(found).toEqual([]);
    expect(readdirSync(folders.work)).toEqual(["given.txt"]);
    expect(readFileSync(join(folders.work, "given.txt"), "utf8")).toBe("given");
    expect(readFileSync(secret, "utf8")).toBe("the-secret");
    expect(readFileSync(join(shown, "shown.txt"), "utf8")).toBe("shown");
  });

  test("fills no disk: by one file, by many, by sparse ones", async () => {
    const { folders } = openVictim();
    const found = await attempt(
      `
      let bytes = 0, files = 0;
      const until = (act) => { try { for (;;) act(); } catch (error) { return error.code; } };
      const many = until(() => { fs.writeFileSync("f" + files, ""); files += 1; });
      for (let i = 0; i < files; i += 1) fs.rmSync("f" + i);
      const chunk = Buffer.alloc(65536), file = fs.openSync("large", "w");
      const large = until(() => { bytes += fs.writeSync(file, chunk); });
      fs.rmSync("large"); fs.closeSync(file);
      fs.writeFileSync("sparse", "x"); until(() => fs.truncateSync("sparse", 2 ** 60));
      tell({ many, large, files: files < 3000, bytes: bytes < ${10 * MEBIBYTE} });`,
      { folders },
    );
    expect(found).toEqual({ many: "ENOSPC", large: "ENOSPC", files: true, bytes: true });
    expect(readdirSync(folders.work)).toHaveLength(1);
  });

  test("starts no more tasks than it may, and leaves none of them", async () => {
    const word = `bomb-${process.pid}-${as.length}`;
    const bomb = `const { spawn } = require("child_process"); const go = () => { try { spawn(process.execPath, process.execArgv.concat("${word}"), { detached: true, stdio: "ignore" }).on("error", () => {}); } catch {} }; for (let i = 0; i < 5; i += 1) go(); setInterval(go, 5);`;
    let most = 0;
    const watch = setInterval(() => {
      const own = readdirSync("/proc").filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0${word}`);
        } catch {
          return false;
        }
      });
      most = Math.max(most, own.length);
    }, 50);
    const { stopped } = await attack(as, bomb, { bounds: { timeMs: 2500 } });
    clearInterval(watch);
    expect(stopped).toMatch(/time|memory/);
    // It may have 64 tasks, and a Node that has begun takes several.
    expect(most).toBeLessThan(64);
    expect(isRunning(word)).toBe(false);
  });

  test.each([
    ["ends", "process.exit(0)", null, TEST_BOUNDS.timeMs],
    ["goes on until its time is over", "setInterval(() => {}, 1000)", "time", 2000],
  ])("leaves no daemon when it %s", async (_what, ending, stopped, timeMs) => {
    const word = `daemon-${process.pid}-${as.length}`;
    const daemon = `process.title; require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "${word}"], { detached: true, stdio: "ignore" }).unref(); setTimeout(() => process.exit(), 50)`;
    const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(daemon)}, "${word}"], { detached: true, stdio: "ignore" }).unref(); setTimeout(() => { ${ending} }, 600)`;
    const { exitCode, ...end } = await attack(as, script, { bounds: { timeMs } });
    expect(end.stopped).toBe(stopped);
    if (stopped === null) expect(exitCode).toBe(0);
    expect(isRunning(word)).toBe(false);
  });

  test("has the kernel's bounds on each process", async () => {
    const limits = await attempt(`tell(fs.readFileSync("/proc/self/limits", "utf8"))`);
    const [data, seconds] = [TEST_BOUNDS.memoryBytesMax + 1024 ** 3, (TEST_BOUNDS.timeMs / 1000) * 4];
    for (const [name, most] of [
      ["cpu time", seconds],
      ["core file size", 0],
      ["data size", data],
      ["open files", 1024],
      ["processes", TEST_BOUNDS.tasksMax],
    ] as const)
      expect(limits).toMatch(new RegExp(`^Max ${name}\\s+${most}\\s+${most}\\s`, "m"));
  });

  test("does not outlive whoever started it, however that dies", async () => {
    const word = `orphan-${process.pid}-${as.length}`;
    const watcher = startAttack(as, `/* ${word} */ for (;;);`, { bounds: { timeMs: 120_000 } });
    onTestFinished(() => void watcher.kill("SIGKILL"));
    const node = `--eval\0/* ${word} */`;
    await vi.waitFor(() => expect(isRunning(node)).toBe(true), { timeout: 60_000 });
    watcher.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(word)).toBe(false), { timeout: 60_000 });
  });

  test("takes no more memory than it may by sharing it out among processes", async () => {
    const hog =
      "const all = []; for (let i = 0; i < 12; i += 1) all.push(Buffer.alloc(1e7, 1)); setInterval(() => all, 1000)";
    const script = `for (let i = 0; i < 3; i += 1) require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(hog)}], { stdio: "ignore" }); setInterval(() => {}, 1000)`;
    const end = await attack(as, script, { bounds: { memoryBytesMax: 300 * MEBIBYTE, timeMs: 15_000 } });
    expect(end.stopped).toBe("memory");
  });

  test("runs no program that it made or brought itself", async () => {
    const found = await attempt(
      `
      const { spawnSync } = require("child_process");
      fs.copyFileSync(process.execPath, "/sandbox/tmp/own"); fs.chmodSync("/sandbox/tmp/own", 0o755);
      fs.writeFileSync("own.sh", "#!" + process.execPath + "\\n"); fs.chmodSync("own.sh", 0o755);
      const programs = ["/sandbox/tmp/own", "./own.sh", "/bin/sh", "/usr/bin/env", "/usr/bin/unshare"];
      tell(programs.filter((file) => !spawnSync(file, ["-e", "1"]).error));`,
      { bounds: { writtenBytesMax: 400 * MEBIBYTE } },
    );
    expect(found).toEqual([]);
  });

  test("gains nothing from the tools that made its walls: namespaces, mounts, chroot, ptrace, devices", async () => {
    const mountPoint = openFolder();
    const acts = [
      "unshare --user --map-root-user true",
      "unshare --user true",
      "unshare --mount true",
      "unshare --net true",
      "unshare --pid --fork true",
      "nsenter --target 1 --mount true",
      "nsenter --target 1 --user --mount --net true",
      "mount -t tmpfs none /sandbox/tmp",
      "mount -t proc none /proc",
      "mount -o remount,bind,rw /",
      "umount /proc",
      "umount -l /sandbox/work",
      "chroot /sandbox/work true",
      "mknod /sandbox/tmp/vda b 254 0",
      "pivot_root . .",
      "setpriv --inh-caps +sys_admin --ambient-caps +sys_admin mount -t tmpfs none /sandbox/tmp",
      "setpriv --reuid 0 true",
      "swapon /sandbox/tmp/own",
      "ip link set lo up",
      "losetup /dev/loop0 /sandbox/tmp/own",
      `mount --bind /proc/1/root ${mountPoint}`,
    ];
    const found = await attempt(
      `
      const { spawnSync } = require("child_process");
      const path = "/usr/sbin:/usr/bin:/sbin:/bin";
      const did = (line) => spawnSync("/bin/sh", ["-c", line], { env: { PATH: path }, timeout: 5000 }).status === 0;
      tell([did("true"), ${JSON.stringify(acts)}.filter(did)]);`,
      { visible: ["/usr", "/lib", "/lib64", "/bin", "/sbin"].filter((path) => existsSync(path)) },
    );
    // The tools do run: it is the kernel that refuses them.
    expect(found).toEqual([true, []]);
  });

  test("has no descriptors of ours beside those it is given", async () => {
    const { secret } = openVictim();
    const file = openSync(secret, "r");
    const script = `${HEAD} tell(fs.readdirSync("/proc/self/fd").map((name) => tried({ [name]: () => fs.readlinkSync("/proc/self/fd/" + name) })).flat())`;
    const leaky = Array.from({ length: 41 }, (_, index) => (index === 40 ? file : ("ignore" as const)));
    const child = spawn(process.execPath, [new URL("testing/run-one.ts", import.meta.url).pathname], {
      stdio: ["pipe", "pipe", "inherit", ...leaky.slice(3)],
    });
    closeSync(file);
    const [input, output] = child.stdio;
    input?.end(JSON.stringify({ script }));
    const end = JSON.parse(await text(output as NonNullable<typeof output>)) as { result: string };
    const found = JSON.parse(end.result) as string[];
    const opened = found.filter((line) => !/anon_inode|pipe:/.test(line));
    expect(opened.filter((line) => line.includes("socket"))).toHaveLength(FIRST_FILES);
    expect(JSON.stringify(found)).not.toContain("master");
  });

  test("cannot say that it succeeded in the place of what it is: its end is told by the kernel", async () => {
    const ends = await Promise.all([
      attack(as, "process.exit(7)"),
      attack(as, "process.abort()"),
      attack(as, "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1000)"),
      attack(as, "for (const fd of [0, 1, 2, 3]) fs.closeSync(fd); process.exit(9)"),
    ]);
    expect(ends.map(({ exitCode, signal }) => exitCode ?? signal)).toEqual([7, "SIGABRT", "SIGTERM", 9]);
  });

  test("changes nothing outside, whatever it does to whatever paths", async () => {
    const { folder, folders, secret } = openVictim();
    const path = fc.oneof(
      fc.constantFrom(
        secret,
        folder,
        "/",
        "/dev/null",
        "/proc/self/cwd",
        "given.txt",
        "a",
        "b",
        "c/d",
        ".",
        "..",
      ),
      fc.tuple(fc.nat(6), fc.constantFrom("etc", "a", secret)).map(([up, end]) => "../".repeat(up) + end),
    );
    const name = fc.constantFrom(
      "symlink",
      "link",
      "rename",
      "copyFile",
      "cp",
      "rm",
      "mkdir",
      "truncate",
      "chmod",
    );
    const act = fc.tuple(name, path, path);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 60, maxLength: 120 }), async (acts) => {
        await attempt(
          `
          const more = { cp: [{ recursive: true }], rm: [{ recursive: true, force: true }], mkdir: [{ recursive: true }] };
          for (const [name, one, other] of ${JSON.stringify(acts)}) {
            const given = ["rm", "mkdir"].includes(name) ? [one] : name === "truncate" ? [one, 5] : name === "chmod" ? [one, 0o777] : [one, other];
            try { fs[name + "Sync"](...given, ...(more[name] ?? [])); } catch {}
          }
          tell(true);`,
          { folders, bounds: { filesMax: TEST_BOUNDS.filesMax } },
        );
        expect(readdirSync(folder).toSorted()).toEqual([".suture", "tmp", "work"]);
        expect(readdirSync(folders.work)).toEqual(["given.txt"]);
        expect(readFileSync(join(folders.work, "given.txt"), "utf8")).toBe("given");
        expect(readFileSync(secret, "utf8")).toBe("the-secret");
      }),
      { numRuns: 4 },
    );
  });
});

test("the tools for isolation are those of the system, whatever the PATH says", () => {
  vi.stubEnv("PATH", openFolder());
  expect(findTool("unshare")).toMatch(/^\/(?:usr\/)?s?bin\/unshare$/);
});
