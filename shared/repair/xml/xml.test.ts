import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import type { JsonValue } from "#shared/schema";
import { readXmlAnswer } from "./read-xml-answer.ts";
import { writeXml, writeXmlForm } from "./write-xml.ts";

const Analysis = contract(
  "analysis@1",
  z.object({
    summary: z.string(),
    confidence: z.number(),
    final: z.boolean(),
    priority: z.enum(["low", "high"]).nullable(),
    key_points: z.array(z.object({ text: z.string(), priority: z.enum(["low", "high"]).optional() })),
    tags: z.array(z.string()),
    samples: z.array(z.object({ language: z.string(), code: z.string() })).optional(),
    scores: z.record(z.string(), z.number()).optional(),
  }),
);

const read = (text: string): unknown => {
  const answer = readXmlAnswer(text, Analysis.jsonSchema);
  return answer.ok ? answer.value : "refused";
};

const CODE = 'def f(a, b):\n    if a < b && b > 1:\n        return "<item>&amp;</item>"\n';

const VALUE = {
  summary: "It works & ends.",
  confidence: 0.75,
  final: true,
  priority: null,
  key_points: [{ text: "one", priority: "high" }, { text: "two" }],
  tags: ["a", "b c"],
  samples: [{ language: "python", code: CODE }],
  scores: { "odd name": 1, plain: -2.5e-3 },
};

describe("an answer in XML", () => {
  it("is the value that the same contract gives in JSON, code and all", () => {
    expect(read(writeXml(VALUE))).toEqual(VALUE);
    expect(Analysis.schema.parse(read(writeXml(VALUE)))).toEqual(
      Analysis.schema.parse(JSON.parse(JSON.stringify(VALUE))),
    );
  });

  it("is that for every value of a contract", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom("]]>", "</summary>", " x ", "&lt;", "<a>", "\n  y\n", CODE),
    );
    const level = fc.constantFrom("low", "high");
    const value = fc.record(
      {
        summary: text,
        confidence: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
        final: fc.boolean(),
        priority: fc.option(level),
        key_points: fc.array(fc.record({ text, priority: level }, { requiredKeys: ["text"] }), {
          maxLength: 4,
        }),
        tags: fc.array(text, { maxLength: 4 }),
        samples: fc.array(fc.record({ language: text, code: text }), { maxLength: 3 }),
        scores: fc.dictionary(
          fc.string({ maxLength: 8 }).filter((key) => key !== "__proto__"),
          fc.integer(),
          { maxKeys: 3 },
        ),
      },
      { requiredKeys: ["summary", "confidence", "final", "priority", "key_points", "tags"] },
    );
    fc.assert(
      fc.property(value, (own) => {
        // Made of JSON values alone.
        const json = JSON.parse(JSON.stringify(own)) as JsonValue;
        expect(read(writeXml(json))).toEqual(json);
        expect(read(`Here it is:\n\`\`\`xml\n${writeXml(json)}\n\`\`\`\nDone.`)).toEqual(json);
      }),
      { numRuns: 300 },
    );
  });

  it("is read as models write it: attributes, lists without a frame, code without CDATA", () => {
    expect(
      read(`<analysis>
        <summary>Fine &amp; short</summary> <confidence> 1 </confidence><final>true</final>
        <priority>high</priority>
        <key_points>
          <point priority="high">First key point</point>
          <item><text>Second</text></item>
        </key_points>
        <tags>one</tags><tags>two</tags>
        <samples><item><language>c</language><code>
    if (a < b && c) { <x/> }
        </code></item></samples>
      </analysis>`),
    ).toEqual({
      summary: "Fine & short",
      confidence: 1,
      final: true,
      priority: "high",
      key_points: [{ priority: "high", text: "First key point" }, { text: "Second" }],
      tags: ["one", "two"],
      samples: [{ language: "c", code: "    if (a < b && c) { <x/> }" }],
    });
  });

  it.each([
    ["a number that is none", "<answer><confidence>high</confidence></answer>"],
    ["an element that does not end", "<answer><summary>x</answer>"],
    ["two values where there is one", "<answer><summary>a</summary><summary>b</summary></answer>"],
    [
      "two values in one tag",
      '<answer><key_points><point priority="low" priority="high">a</point></key_points></answer>',
    ],
    ["no element", "I cannot do that."],
    ["words in a list", "<answer><tags><item>a</item> and more</tags></answer>"],
  ])("is refused with %s", (_, text) => {
    expect(read(text)).toBe("refused");
  });

  it("never throws, and defines nothing", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<",
        ">",
        "</",
        "<answer>",
        "</answer>",
        "<tags>",
        "<item>",
        "</item>",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "&a;",
        "<!--",
        "<key_points>",
        "<scores>",
        '<entry name="__proto__">',
        "</entry>",
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        readXmlAnswer(pieces.join(""), Analysis.jsonSchema);
        expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(read(`<answer>${"<key_points>".repeat(5000)}`)).toBe("refused");
  });

  it("is asked for by a form that names every field of the contract", () => {
    const form = writeXmlForm(Analysis.jsonSchema);
    for (const name of [
      "summary",
      "confidence",
      "final",
      "priority",
      "key_points",
      "tags",
      "samples",
      "scores",
      "language",
      "code",
    ])
      expect(form).toContain(`<${name}>`);
    expect(form).toContain("low | high");
    expect(form).toContain("CDATA");
  });
});
