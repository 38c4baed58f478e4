import { z } from "zod";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { Artifact } from "#shared/api";

/** An artifact and where its content is. */
export interface FoundArtifact {
  readonly artifact: Artifact;
  readonly content: { readonly kind: "result" } | { readonly kind: "blob"; readonly sha256: string };
}

const reference = z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const uploaded = z.object({
  file_name: z.string(),
  relative_path: z.string().nullable(),
  sha256: z.string(),
});

/** References looked for in one value; what lies deeper or beyond is not listed. */
const REFERENCES_MAX = 200;
const VALUES_LOOKED_AT_MAX = 20_000;

/**
 * All artifacts of a task: what its input refers to, what was uploaded to it, and what it came to. An id names its run
 * and never means another artifact later.
 *
 * @param task.input - The payload that the run began with; undefined where it is not kept any more.
 */
export function listArtifacts(task: {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  readonly input: unknown;
}): FoundArtifact[] {
  return [
    ...artifactsOfInput(task.record.run_id, task.input),
    ...artifactsUploaded(task.record.run_id, task.events),
    ...artifactsOfResult(task.record),
  ];
}

/** What a run has made: its result as JSON, and the files that it refers to. None before it is completed. */
export function artifactsOfResult({ run_id, status, result }: RunRecord): FoundArtifact[] {
  if (status !== "completed") return [];
  const artifact = {
    artifact_id: `${run_id}.result`,
    agent_created: true,
    file_name: "result.json",
    relative_path: null,
  };
  return [
    { artifact, content: { kind: "result" } },
    ...referencesIn(result).map(toArtifact(`${run_id}.output`, true)),
  ];
}

function artifactsOfInput(runId: string, input: unknown): FoundArtifact[] {
  return referencesIn(input).map(toArtifact(`${runId}.input`, false));
}

export function artifactsUploaded(runId: string, events: readonly RunEvent[]): FoundArtifact[] {
  return events
    .filter(({ type }) => type === "artifact_added")
    .flatMap(({ detail }, index) => {
      const { success, data } = uploaded.safeParse(detail);
      if (!success) return [];
      const { sha256, ...named } = data;
      const artifact = { artifact_id: `${runId}.upload.${index}`, agent_created: false, ...named };
      return [{ artifact, content: { kind: "blob", sha256 } } satisfies FoundArtifact];
    });
}

function toArtifact(base: string, agent_created: boolean) {
  return ({ name, sha256 }: z.output<typeof reference>, index: number): FoundArtifact => ({
    artifact: { artifact_id: `${base}.${index}`, agent_created, file_name: name, relative_path: null },
    content: { kind: "blob", sha256 },
  });
}

/** File references anywhere in a value, in its order. What travels is bounded in depth; here it is in number, too. */
function referencesIn(value: unknown): z.output<typeof reference>[] {
  const found: z.output<typeof reference>[] = [];
  const left = [value];
  for (let looked = 0; left.length > 0 && looked < VALUES_LOOKED_AT_MAX; looked += 1) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) continue;
    const parsed = reference.safeParse(one);
    if (parsed.success) found.push(parsed.data);
    if (found.length >= REFERENCES_MAX) break;
    left.push(...Object.values(one).toReversed());
  }
  return found;
}
