import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { keyFile } from "../../launcher/places.ts";
import { failed, ok, unlessIsolated } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";

const OTHERS = 0o077;

/** Checks owners and modes of the key files and the master key. */
export function checkFiles({ config, profile, processes }: Subject): readonly Finding[] {
  const { dataDir } = config;
  if (!existsSync(dataDir)) return [ok("data folder", `there is none at ${dataDir}`)];
  return [...checkKeys(dataDir), ...checkMaster({ dataDir, profile, processes })];
}

function checkKeys(dataDir: string): readonly Finding[] {
  const keys = join(dataDir, "keys");
  if (!existsSync(keys)) return [];
  const isFolderOpen = (modeOf(keys) & OTHERS) !== 0;
  const loose = readdirSync(keys).filter((file) => (modeOf(join(keys, file)) & OTHERS) !== 0);
  if (!isFolderOpen && loose.length === 0) return [ok("key files", `${keys}: its owner alone`)];
  const seen = isFolderOpen
    ? `${keys} has mode ${octal(modeOf(keys))}`
    : `others may read ${loose.join(", ")}`;
  return [failed("key files", seen, `chmod -R go= ${keys}, and rotate the keys`)];
}

function checkMaster({
  dataDir,
  profile,
  processes,
}: Pick<Subject, "profile" | "processes"> & { readonly dataDir: string }): readonly Finding[] {
  const master = keyFile.master(dataDir);
  const check = "master key";
  if (!existsSync(master)) return [ok(check, "not in this data folder")];
  const owner = statSync(master).uid;
  const readers = (processes ?? []).filter(({ uid }) => uid === owner || uid === 0);
  if (readers.length === 0) return [ok(check, `read by user ${owner}, under whom no service was seen`)];
  const names = [...new Set(readers.map(({ service }) => service))].toSorted().join(", ");
  return [
    unlessIsolated(profile, {
      check,
      seen: `services of the same user could read it: ${names}`,
      todo: "Issue keys under another user, as docker-compose.yml does",
    }),
  ];
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
