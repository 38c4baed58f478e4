import { Buffer } from "node:buffer";
import type { ModelImage } from "#shared/model";
import type { StandIn } from "#shared/runtime";
import { DOCUMENT_LIMITS_DEFAULT } from "../limits.ts";
import { readBounded } from "../reading/read-bounded.ts";
import type { VisionInput } from "../vision/answer.ts";
import { describePicture } from "./describe-picture.ts";
import { tagText } from "./tag-text.ts";

const TIMEOUT_MS = 20_000;

/** Looks at the file itself: measures the pixels of a picture, reads the words of a text. */
export const lookAtFile: StandIn = (
  input: VisionInput,
  _random: () => number,
  images: readonly ModelImage[] = [],
) => {
  if (input.kind === "pages") return tagText(input.text ?? "", input.pages ?? 1);
  const [image] = images;
  return image === undefined ? null : lookAtPicture(image);
};

/** Null is no answer: a model that cannot open a picture has none either. */
async function lookAtPicture({ bytes, mimeType }: ModelImage): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const limits = DOCUMENT_LIMITS_DEFAULT;
  const read = await readBounded({ bytes: Buffer.from(bytes), type: mimeType, limits, signal });
  if ("fault" in read || read.reading.kind !== "picture") return null;
  return describePicture(read.reading.measures);
}
