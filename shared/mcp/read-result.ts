import { z } from "zod";

/** What a tool of a server gave, as the model reads it. */
export interface McpOutput {
  /** The tool itself says that it failed. */
  readonly is_error: boolean;
  readonly text: string;
  /** Default: none. */
  readonly structured?: unknown;
}

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** Reads a result. Texts are kept; of pictures, sounds and resources only their type. */
export function readResult(result: unknown): McpOutput {
  const { content, structuredContent, isError } = resultSchema.parse(result);
  const parts = content.map((part) =>
    part.type === "text" && typeof part["text"] === "string" ? part["text"] : `[${part.type.slice(0, 64)}]`,
  );
  return {
    is_error: isError,
    text: parts.join("\n"),
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
  };
}
