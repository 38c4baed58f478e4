import type { paths } from "#shared/api/client";

/** The answer to reading an address of the API. */
export type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Given } } } };
}
  ? Given
  : never;
