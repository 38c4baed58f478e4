/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** One event is no longer than this, in characters; a stream that sends more is no event stream of ours. */
const EVENT_CHARS_MAX = 4_194_304;

/** Reads server-sent events as they come. Ends where the stream ends. @throws {RangeError} An event is too long. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    // The two characters of a line's end may come in two pieces, so they are joined before they are looked at.
    rest = (rest + decoder.decode(chunk, { stream: true })).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    if (rest.length > EVENT_CHARS_MAX) throw new RangeError("an event of the stream is too long");
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}

/** Null for comments, which only say that the connection lives. */
function parseEvent(block: string): ServerEvent | null {
  const fields = block
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => /^([^:]*):? ?(.*)$/s.exec(line))
    .filter((match) => match !== null);
  const valuesOf = (name: string): string[] =>
    fields.filter(([, key]) => key === name).map(([, , value]) => value ?? "");
  const data = valuesOf("data");
  if (data.length === 0) return null;
  return {
    id: valuesOf("id").at(-1) ?? null,
    event: valuesOf("event").at(-1) ?? "message",
    data: data.join("\n"),
  };
}
