import { ModelImagesRefusedError } from "./errors.ts";
import type { ModelImage } from "./model-client.ts";

/** What endpoints take in one question, with room to spare. All inclusive. */
export const IMAGE_BOUNDS = {
  imagesMax: 8,
  /** Of one picture, as a file. */
  imageBytesMax: 5 * 1024 * 1024,
  /** Of all pictures of a question. */
  bytesMax: 10 * 1024 * 1024,
} as const;

/** What a picture costs where the endpoint does not say: more than the tiles of any picture it takes. */
export const TOKENS_PER_IMAGE = 1500;

/** A picture as chat completions take it. */
export interface ImagePart {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}

/**
 * Writes pictures as content parts. The encoded text lives as long as the request.
 *
 * @throws {ModelImagesRefusedError} There are too many, or too large ones.
 */
export function toImageParts(images: readonly ModelImage[]): ImagePart[] {
  const bytes = images.reduce((sum, one) => sum + one.bytes.length, 0);
  if (images.length > IMAGE_BOUNDS.imagesMax)
    throw new ModelImagesRefusedError("images", IMAGE_BOUNDS.imagesMax);
  if (images.some((one) => one.bytes.length > IMAGE_BOUNDS.imageBytesMax))
    throw new ModelImagesRefusedError("bytes in one image", IMAGE_BOUNDS.imageBytesMax);
  if (bytes > IMAGE_BOUNDS.bytesMax)
    throw new ModelImagesRefusedError("bytes in all images", IMAGE_BOUNDS.bytesMax);
  return images.map(({ mimeType, bytes: content }) => ({
    type: "image_url",
    image_url: { url: `data:${mimeType};base64,${Buffer.from(content).toString("base64")}` },
  }));
}
