import { statSync } from "node:fs";
import { loadConfig } from "#shared/config";
import { Keyring } from "#shared/envelope/keys";
import { readGenerations, readIssued } from "../launcher/key-files.ts";
import { keyFile } from "../launcher/places.ts";
import { readSecret } from "../launcher/secret-file.ts";
import { printListing, write } from "../print/print-answer.ts";
import { describeGenerations } from "./describe-generations.ts";

/** Tells which generations the key file of each process has, which the process uses once it has looked at it. */
export function showKeys(options: { readonly dataDir?: string; readonly json?: boolean }): void {
  const { dataDir } = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  const generations = readGenerations(dataDir);
  const processes = Object.keys(readIssued(dataDir)).flatMap((name) => {
    const file = keyFile.ofProcess(dataDir, name);
    const text = readSecret(file);
    if (text === null) return [];
    const { signing, verifying } = Keyring.fromJson(text).describe();
    return [{ name, signing, verifying, written_at: statSync(file).mtime.toISOString() }];
  });
  if (options.json !== true) write(describeGenerations(generations));
  printListing(
    {
      answer: { ...generations, processes },
      rows: processes,
      columns: [
        ["process", ({ name }) => name],
        ["signs with", ({ signing }) => signing.join(", ")],
        ["verifies", ({ verifying }) => verifying.join(", ")],
        ["written at", ({ written_at }) => written_at],
      ],
      empty: "No keys were issued here.",
    },
    options,
  );
}
