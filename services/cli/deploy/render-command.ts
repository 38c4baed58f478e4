import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import { writeSecret } from "../launcher/key-files.ts";
import { write } from "../print/print-answer.ts";
import { secretFiles } from "./deploy-secrets.ts";
import { manifests, MARK, overlaysOf } from "./render.ts";
import type { RenderChoices } from "./render.ts";

const FOLDERS = ["base", "redis", "monitoring", "overlays", "nodes", "secrets"];

/**
 * Writes the manifests and secrets of the loaded teams into a folder, in place of those that it wrote before.
 * @throws {CommandRefusedError} The folder holds something else under these names, or a choice makes no sense.
 */
export async function renderDeployment({
  out,
  ...options
}: Omit<RenderChoices, "prefix"> & { readonly out: string }): Promise<void> {
  const config = loadConfig();
  const teams = await loadTeams(config.teamsDir);
  const choices = { ...options, prefix: config.prefix };
  refuseForeign(out);
  const files = manifests(teams, choices);
  const secrets = secretFiles(teams, config, choices);
  for (const folder of FOLDERS) rmSync(join(out, folder), { recursive: true, force: true });
  for (const { path, text } of [...files, { path: ".gitignore", text: "secrets/\n" }]) {
    const file = join(out, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const { path, text } of secrets) writeSecret(join(out, path), text);
  if (config.openaiApiKey === null)
    write(`OPENAI_API_KEY is not set here: put it into ${join(out, "secrets/all/model-key/model-key")}.`);
  const overlays = overlaysOf(choices).map(({ name }) => name);
  write(
    `Manifests of ${files.length} files are in ${out}, secrets in ${join(out, "secrets")}: keep those out of Git.`,
  );
  for (const name of overlays)
    write(
      `  kubectl apply -k ${join(out, "secrets", name)} && kubectl apply -k ${join(out, "overlays", name)}`,
    );
}

function refuseForeign(out: string): void {
  const first = join(out, "base/kustomization.yaml");
  const isOurs = existsSync(first) && readFileSync(first, "utf8").startsWith(MARK);
  const foreign = FOLDERS.find((folder) => existsSync(join(out, folder)));
  if (isOurs || foreign === undefined) return;
  throw new CommandRefusedError(
    `${join(out, foreign)} was not written by this command.`,
    "Name a folder of its own: what it wrote before is replaced.",
  );
}
