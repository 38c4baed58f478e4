import { z } from "zod";
import type { Secret } from "#shared/config";
import { parseJson } from "#shared/envelope/json";
import { LibraryUnavailableError } from "../errors.ts";
import { chooseOfRanked } from "./choose-passages.ts";
import type { Library } from "./library.ts";
import { toSource } from "./read-source.ts";

/**
 * Answer of a search service, the best result first. `docs/teams/research.md` describes the request and the answer;
 * fields beyond these are ignored.
 */
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
  /** Address below which `search` is. Asked at each search, so that loading a team needs no configuration. */
  readonly baseUrl: () => string;
  /** Sent as a bearer token; null: none is. */
  readonly key: () => Secret | null;
  /** Milliseconds for the whole answer. Default 10,000. */
  readonly timeoutMs?: number;
  /** Bytes of an answer. Default 2 MiB. */
  readonly answerBytesMax?: number;
}

const QUERY_CHARACTERS_MAX = 1000;
const TIMEOUT_MS_DEFAULT = 10_000;
const ANSWER_BYTES_MAX_DEFAULT = 2 * 1024 * 1024;

/** Sources behind a search service. Its texts are a stranger's, as those of a folder are. */
export function createHttpLibrary(options: HttpLibraryOptions): Library {
  return {
    async search({ text, passagesMax }, signal) {
      const url = new URL(`${options.baseUrl().replace(/\/+$/, "")}/search`);
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
  options: HttpLibraryOptions,
  signal: AbortSignal,
): Promise<z.output<typeof answerSchema>> {
  const { timeoutMs = TIMEOUT_MS_DEFAULT, answerBytesMax = ANSWER_BYTES_MAX_DEFAULT } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const key = options.key();
  try {
    const response = await fetch(url, {
      headers: {
        accept: "application/json",
        ...(key === null ? {} : { authorization: `Bearer ${key.reveal()}` }),
      },
      // The key goes to the configured address alone.
      redirect: "error",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new LibraryUnavailableError(`the search service answered ${response.status}`);
    }
    const parsed = answerSchema.safeParse(parseJson(await readBounded(response, answerBytesMax)));
    if (parsed.success) return parsed.data;
    const place = parsed.error.issues[0]?.path.join("/") ?? "";
    throw new LibraryUnavailableError(`the search service's answer is wrong at /${place}`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof LibraryUnavailableError) throw error;
    if (timeout.aborted)
      throw new LibraryUnavailableError(`the search service gave no complete answer within ${timeoutMs} ms`);
    // What a network error or a parser says may hold the address or the answer.
    throw new LibraryUnavailableError("the search service cannot be reached, or its answer is no JSON");
  }
}

async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax)
      throw new LibraryUnavailableError(`the search service's answer is larger than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
