import { z } from "zod";
import { loadConfig } from "#shared/config";
import { OutsideFailedError } from "./errors.ts";

const OUTSIDE_TIMEOUT_MS = 3000;

const effectAnswer = z.object({ effect_id: z.string().nullable() });

let outsideUrl: string | null = null;

/** Acts in the outside world, or asks it. @throws {OutsideFailedError} No answer, or none that says anything. */
export async function askOutside(path: string, signal: AbortSignal, body?: object): Promise<string | null> {
  outsideUrl ??= loadConfig().sandboxUrl;
  try {
    const reply = await fetch(`${outsideUrl}${path}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(OUTSIDE_TIMEOUT_MS)]),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return effectAnswer.parse(await reply.json()).effect_id;
  } catch (error) {
    throw new OutsideFailedError(error);
  }
}
