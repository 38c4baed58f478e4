import { z } from "zod";
import type { Artifact } from "#shared/api";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { ReadTask } from "../runs/read-task.ts";

/** An artifact and the digest of its blob; null for a run's result. */
export interface FoundArtifact {
  readonly artifact: Artifact;
  readonly sha256: string | null;
}

const reference = z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const uploaded = z.object({
  file_name: z.string(),
  relative_path: z.string().nullable(),
  sha256: z.string(),
});

/** References looked for in one value, and values looked at. What lies beyond is not listed. */
const [REFERENCES_MAX, VALUES_MAX] = [200, 20_000];

/** Files that a task's input refers to, uploads, and results. An id names its run, and never another artifact later. */
export function artifactsOf({ record, events, payload }: ReadTask): FoundArtifact[] {
  const { run_id } = record;
  return [
    ...referencesIn(payload, `${run_id}.input`, false),
    ...artifactsUploaded(run_id, events),
    ...artifactsOfResult(record),
  ];
}

/** Returns a completed run's result as JSON, and the files that it refers to. */
export function artifactsOfResult({ run_id, status, result }: RunRecord): FoundArtifact[] {
  if (status !== "completed") return [];
  const artifact = { artifact_id: `${run_id}.result`, agent_created: true, file_name: "result.json" };
  return [
    { artifact: { ...artifact, relative_path: null }, sha256: null },
    ...referencesIn(result, `${run_id}.output`, true),
  ];
}

export function artifactsUploaded(runId: string, events: readonly RunEvent[]): FoundArtifact[] {
  const added = events.filter(({ type }) => type === "artifact_added");
  return added.flatMap(({ id, detail }) => {
    const { data } = uploaded.safeParse(detail);
    if (data === undefined) return [];
    const { sha256, ...named } = data;
    return [{ artifact: { artifact_id: `${runId}.upload.${id}`, agent_created: false, ...named }, sha256 }];
  });
}

/** File references anywhere in a value, in its order. What travels is bounded in depth; here it is in number, too. */
function referencesIn(value: unknown, base: string, agent_created: boolean): FoundArtifact[] {
  const found: FoundArtifact[] = [];
  const left = [value];
  for (let looked = 0; left.length > 0 && looked < VALUES_MAX; looked += 1) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) continue;
    const { success, data } = reference.safeParse(one);
    const artifact_id = `${base}.${found.length}`;
    if (success)
      found.push({
        artifact: { artifact_id, agent_created, file_name: data.name, relative_path: null },
        sha256: data.sha256,
      });
    if (found.length >= REFERENCES_MAX) break;
    left.push(...Object.values(one).toReversed());
  }
  return found;
}
