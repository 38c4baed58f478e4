/** The new value as JSON text; undefined where there is none. */
export function payloadTextFrom(body: {
  readonly payload?: unknown;
  readonly payload_text?: string;
}): string | undefined {
  return body.payload_text ?? (body.payload === undefined ? undefined : JSON.stringify(body.payload));
}
