import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { run } from "../../infra/deploy/engine.ts";
import { runCli } from "../support/run-cli.ts";

const reference = z.object({ name: z.string(), key: z.string().optional() });
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
});
const podSchema = z.looseObject({
  containers: z.array(
    z.looseObject({
      command: z.array(z.string()),
      env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      envFrom: z.array(z.object({ configMapRef: reference })).default([]),
      readinessProbe: z.object({ httpGet: z.object({ path: z.string() }).optional() }).optional(),
    }),
  ),
  volumes: z.array(
    z.looseObject({
      configMap: reference.optional(),
      persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
      projected: z
        .object({
          sources: z.array(
            z.object({
              secret: z.object({ name: z.string(), items: z.array(z.object({ key: z.string() })) }),
            }),
          ),
        })
        .optional(),
    }),
  ),
});
const workloadSchema = z.object({ spec: z.object({ template: z.object({ spec: podSchema }) }) });

export type Manifest = z.output<typeof objectSchema>;
export type Pod = z.output<typeof podSchema>;

/** Makes a folder with a copy of the office's teams. The caller removes it. */
export function makeProject(): {
  readonly folder: string;
  readonly teams: string;
  readonly remove: () => void;
} {
  // Below the repository, so that new code finds the rooms that it imports.
  mkdirSync(".suture", { recursive: true });
  const folder = mkdtempSync(join(".suture", "kubernetes-"));
  const teams = join(folder, "teams");
  cpSync("tests/support/office-team", teams, { recursive: true });
  return { folder, teams, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the environment in which commands of a test render. */
export const environment = (folder: string, of: string): Record<string, string> => ({
  SUTURE_TEAMS: of,
  SUTURE_DATA_DIR: join(folder, "data"),
  OPENAI_API_KEY: "sk-test-0123456789abcdef",
});

/** Renders all overlays into a folder of the test. Returns where. */
export async function render(
  folder: string,
  of: string,
  redis = "rediss-cluster://redis.example:6380",
): Promise<string> {
  const out = join(folder, "out");
  const place = ["--redis", redis, "--shards", "3"];
  const { code, stderr } = await runCli(
    ["deploy", "render", "--out", out, ...place],
    environment(folder, of),
  );
  expect(code, stderr).toBe(0);
  return out;
}

/** Returns the objects of an overlay and of its secrets, as kustomize builds them. */
export async function build(out: string, overlay: string): Promise<Manifest[]> {
  const folders = ["secrets", "overlays"].map((kind) => join(out, kind, overlay));
  const texts = await Promise.all(folders.map((path) => run("kustomize", ["build", path])));
  return texts.flatMap((text) =>
    parseAllDocuments(text).map((document) => objectSchema.parse(document.toJS())),
  );
}

export const podsIn = (objects: readonly Manifest[]) =>
  objects
    .filter(({ kind }) => ["Deployment", "StatefulSet"].includes(kind))
    .map((object) => ({ name: object.metadata.name, pod: workloadSchema.parse(object).spec.template.spec }));

/** Returns the Secrets that a pod is given, with the files of each. */
export const sourcesOf = (pod: Pod) =>
  pod.volumes.flatMap(({ projected }) => projected?.sources ?? []).map(({ secret }) => secret);

/** Returns the text of a rendered Secret. */
export function secretOf(objects: readonly Manifest[], name: string, key: string): string {
  const found = objects.find(({ kind, metadata }) => kind === "Secret" && metadata.name === name);
  return Buffer.from(found?.data[key] ?? "", "base64").toString();
}
