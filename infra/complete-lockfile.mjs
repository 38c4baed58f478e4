// npm leaves packages for other platforms out of package-lock.json when the registry it asks does not have them, and
// then `npm ci` refuses that same file as incomplete. This writes what is missing: name, exact version and platform as
// the package that wants them says, which is all that `npm ci` needs in order to pass them over. They have no integrity
// hash; only a machine of that platform would fetch them. Run it after every change of the dependencies (npm run lock).

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];
const LIBRARIES = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" };

/**
 * Returns the lockfile with an entry for every optional package of a known platform that another one requires.
 * `added` lists the new entries, `open` those without a known version or platform.
 */
export function completeLockfile(lockfile) {
  const packages = { ...lockfile.packages };
  const added = [];
  const open = [];
  for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isThere({ packages, owner, name })) continue;
      const platform = platformOf(name);
      const [, exact] = /^\^?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(version) ?? [];
      if (platform === null || exact === undefined) {
        open.push(`${name}@${version}`);
        continue;
      }
      packages[`node_modules/${name}`] = {
        version: exact,
        ...platform,
        ...(dev ? { dev } : {}),
        optional: true,
      };
      added.push(`${name}@${version}`);
    }
  }
  const sorted = Object.fromEntries(
    Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))),
  );
  return { lockfile: { ...lockfile, packages: sorted }, added, open };
}

/** Returns true when the owner resolves the package: in its own node_modules, or in a folder above it. */
function isThere({ packages, owner, name }) {
  let place = owner;
  for (;;) {
    if (packages[`${place === "" ? "" : `${place}/`}node_modules/${name}`] !== undefined) return true;
    if (place === "") return false;
    const above = place.lastIndexOf("/node_modules/");
    place = above === -1 ? "" : place.slice(0, above);
  }
}

/** Platform of a package by the words of its name; null when it has none. */
function platformOf(name) {
  const words = name.split("/").at(-1).split("-");
  const os = words.includes("windows") ? "win32" : SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (os === undefined) return null;
  const libc =
    os === "linux"
      ? words.map((word) => LIBRARIES[word]).find((library) => library !== undefined)
      : undefined;
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
    os: [os],
  };
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL("../package-lock.json", import.meta.url));
  const { lockfile, added, open } = completeLockfile(JSON.parse(readFileSync(file, "utf8")));
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  for (const name of open)
    process.stderr.write(`Cannot tell version and platform of ${name}; npm ci may refuse the lockfile.\n`);
  process.stdout.write(`package-lock.json: ${added.length} optional packages added.\n`);
}
