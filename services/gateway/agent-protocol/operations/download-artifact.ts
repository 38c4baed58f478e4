import type { FastifyReply } from "fastify";
import { AbsentError } from "#shared/http";
import type { Gateway } from "../../gateway.ts";
import type { Handler } from "../../operation.ts";
import type { Caller } from "../../tenancy/may-see.ts";
import { requireFiles } from "../../tenancy/see-run.ts";
import { findArtifact, taskOfArtifact } from "../read-task.ts";

/** Content as it came, never shown by a browser as a page of ours: a stranger or a model wrote it. */
export const downloadArtifact: Handler<"downloadAgentTaskArtifact"> = async ({
  gateway,
  params,
  reply,
  caller,
}) => {
  return sendArtifact(gateway, { caller, taskId: params.task_id, artifactId: params.artifact_id }, reply);
};

/** The draft of the protocol has artifacts without their task; an id of ours names it. */
export const downloadArtifactAlone: Handler<"downloadAgentArtifact"> = async ({
  gateway,
  params,
  reply,
  caller,
}) => {
  const { artifact_id: artifactId } = params;
  return sendArtifact(gateway, { caller, taskId: taskOfArtifact(artifactId), artifactId }, reply);
};

async function sendArtifact(
  gateway: Gateway,
  wanted: { readonly caller: Caller; readonly taskId: string; readonly artifactId: string },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { found, record } = await findArtifact(gateway, wanted);
  const { artifact, content } = found;
  const answer = reply
    .headers({
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(artifact.file_name)}`,
      "content-security-policy": "sandbox; default-src 'none'",
    })
    .type("application/octet-stream");
  if (content.kind === "result") return answer.send(Buffer.from(JSON.stringify(record.result)));
  requireFiles(gateway, wanted.caller);
  const blob = await gateway.blobs.of(record.tenant).find(content.sha256);
  if (blob === null) throw new AbsentError("content of this artifact", "Blobs are kept for a time only.");
  return answer.header("content-length", blob.facts.bytes).send(blob.content);
}
