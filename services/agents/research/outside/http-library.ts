import { z } from "zod";
import type { Secret } from "#shared/config";
import { readJsonAnswer } from "#shared/envelope/json";
import { LibraryUnavailableError } from "../errors.ts";
import { chooseOfRanked } from "./rank-passages.ts";
import { toSource } from "./library.ts";
import type { Library } from "./library.ts";

/** Answer of a search service, best result first, as in `docs/teams/research.md`; further fields are ignored. */
const answerSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().min(1).max(500),
        title: z.string().max(1000).optional(),
        publisher: z.string().max(1000).optional(),
        published: z.string().max(100).optional(),
        text: z.string(),
      }),
    )
    .max(200),
});

export interface HttpLibraryOptions {
  /** Address below which `search` is. */
  readonly baseUrl: string;
  /** Sent as a bearer token; null: none is. */
  readonly key: Secret | null;
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
}

const QUERY_CHARACTERS_MAX = 1000;
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Sources behind a search service. Its texts are a stranger's, as those of a folder are. */
export function createHttpLibrary(options: HttpLibraryOptions): Library {
  return {
    async search({ text, passagesMax }, signal) {
      const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}/search`);
      url.searchParams.set("q", text.slice(0, QUERY_CHARACTERS_MAX));
      url.searchParams.set("limit", String(passagesMax));
      const { results } = await fetchAnswer(url, options, signal);
      const sources = results.map(({ id, text: body, ...known }) =>
        toSource({ sourceId: id, ...known, body }),
      );
      return chooseOfRanked(sources, { text, passagesMax });
    },
  };
}

async function fetchAnswer(
  url: URL,
  { key, timeoutMs = 10_000 }: HttpLibraryOptions,
  signal: AbortSignal,
): Promise<z.output<typeof answerSchema>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const authorization = key === null ? {} : { authorization: `Bearer ${key.reveal()}` };
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", ...authorization },
      // The key goes to the configured address alone.
      redirect: "error",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new LibraryUnavailableError(`the search service answered ${response.status}`);
    }
    const parsed = answerSchema.safeParse(await readJsonAnswer(response, ANSWER_BYTES_MAX));
    if (parsed.success) return parsed.data;
    const place = parsed.error.issues[0]?.path.join("/") ?? "";
    throw new LibraryUnavailableError(`the search service's answer is wrong at /${place}`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof LibraryUnavailableError) throw error;
    if (timeout.aborted)
      throw new LibraryUnavailableError(`the search service gave no complete answer within ${timeoutMs} ms`);
    // What a network error or a parser says may hold the address or the answer.
    throw new LibraryUnavailableError(
      error instanceof RangeError
        ? `the search service's answer is larger than ${ANSWER_BYTES_MAX} bytes`
        : "the search service cannot be reached, or its answer is no JSON",
    );
  }
}
