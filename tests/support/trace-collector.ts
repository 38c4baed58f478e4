import { z } from "zod";
import { serveHttp } from "#shared/testing";

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    doubleValue: z.number().optional(),
    arrayValue: z
      .object({ values: z.array(z.looseObject({ stringValue: z.string().optional() })) })
      .optional(),
  }),
});
const batch = z.object({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.looseObject({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes: z.array(attribute),
              links: z.array(z.looseObject({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.looseObject({ code: z.number().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailed: boolean;
  readonly about: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** Starts a collector of OTLP over HTTP on the loopback, which keeps what it is sent. Goes with the test. */
export async function startCollector(): Promise<{ url: string; spans: Span[]; texts: string[] }> {
  const spans: Span[] = [];
  const texts: string[] = [];
  const url = await serveHttp((_request, response, text) => {
    texts.push(text);
    spans.push(...readSpans(text));
    response.setHeader("content-type", "application/json").end("{}");
  });
  return { url, spans, texts };
}

function readSpans(text: string): Span[] {
  return batch.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId ?? "",
        name: span.name,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        isFailed: span.status?.code === 2,
        about: readAttributes(span.attributes),
        resource: readAttributes(resource.attributes),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
      })),
  );
}

function readAttributes(attributes: readonly z.output<typeof attribute>[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, arrayValue } }) => [
      key,
      stringValue ??
        doubleValue ??
        (intValue === undefined ? undefined : Number(intValue)) ??
        arrayValue?.values.map((one) => one.stringValue),
    ]),
  );
}
