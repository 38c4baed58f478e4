import type { paths } from "#shared/api/client";

/** What reading an address of the API answers. */
export type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Given } } } };
}
  ? Given
  : never;
