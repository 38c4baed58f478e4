import { parseJson } from "./parse-json.ts";

/**
 * Reads the body of another system's answer as JSON in UTF-8. One that is too long is not read to its end.
 *
 * @throws {RangeError} It has more than `bytesMax` bytes.
 * @throws what `parseJson` throws.
 */
export async function readJsonAnswer(response: Response, bytesMax: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new RangeError(`the answer has more than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return parseJson(text + decoder.decode());
}
