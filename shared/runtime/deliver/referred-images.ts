import type { ModelImage } from "#shared/model";
import type { ReferredImage } from "../define/model-request.ts";

/** Returns what names each picture in a recorded call. */
export function namesOf(images: readonly ReferredImage[] = []): string[] {
  return images.map(({ sha256 }) => sha256);
}

/** Reads pictures for one call, one after another. */
export async function readImages(
  images: readonly ReferredImage[],
  signal: AbortSignal,
): Promise<ModelImage[]> {
  const loaded: ModelImage[] = [];
  for (const image of images) loaded.push({ mimeType: image.mimeType, bytes: await image.read(signal) });
  return loaded;
}
