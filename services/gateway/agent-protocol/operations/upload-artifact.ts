import { Readable } from "node:stream";
import { timestamp, uuidv7 } from "#shared/clock";
import type { Handler } from "../../operation.ts";
import { readEvents } from "../../runs/read-events.ts";
import { ArtifactsFullError } from "../../errors.ts";
import { artifactsUploaded } from "../list-artifacts.ts";
import { findRun } from "../../tenancy/see-run.ts";
import { takeUploadPlace } from "../../guards/take-place.ts";
import { readUpload } from "../read-upload.ts";

/**
 * Keeps a file with a task, as a line of the run's log and a blob. Agents read files that their input refers to; what
 * comes after a run has begun is there for people and other clients.
 */
export const uploadArtifact: Handler<"uploadAgentTaskArtifacts"> = async ({
  gateway,
  params,
  request,
  signal,
  caller,
}) => {
  const { store, bounds, blobs } = gateway;
  const { run_id, tenant } = await findRun(gateway, caller, params.task_id);
  const leave = takeUploadPlace(gateway, caller);
  try {
    const { artifactBytesMax: bytesMax, artifactsOfTaskMax } = bounds;
    const before = artifactsUploaded(run_id, await readEvents(store, run_id));
    if (before.length >= artifactsOfTaskMax) throw new ArtifactsFullError(artifactsOfTaskMax);
    const { file, relativePath } = await readUpload(request, { bytesMax, signal });
    const content = Readable.from(Buffer.from(await file.arrayBuffer()), { objectMode: false });
    const facts = await blobs.of(tenant).store({
      content,
      mimeType: file.type || "application/octet-stream",
      bytesMax,
      signal,
    });
    const id = uuidv7();
    const detail = { file_name: file.name, relative_path: relativePath, ...facts };
    await store.journal.apply([
      {
        event: {
          id,
          run_id,
          type: "artifact_added",
          at: timestamp(),
          message_id: null,
          agent: null,
          detail,
        },
      },
    ]);
    const events = await readEvents(store, run_id);
    const index = events
      .filter(({ type }) => type === "artifact_added")
      .findIndex((event) => event.id === id);
    return {
      artifact_id: `${run_id}.upload.${index}`,
      agent_created: false,
      file_name: file.name,
      relative_path: relativePath,
    };
  } finally {
    leave();
  }
};
