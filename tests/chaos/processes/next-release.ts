import { registerHooks } from "node:module";

/**
 * Loaded before a process of the suite makes it the next release of Suture: one whose envelope has a further schema,
 * that lifts what the release at work wrote and writes what that one cannot read. The change is made to the source as
 * it is loaded, so that everything else is the code under test; a source that has changed its form is an error.
 */

const CHANGES: Readonly<Record<string, readonly (readonly [from: RegExp, to: string])[]>> = {
  "/shared/envelope/envelope.ts": [
    [/export const ENVELOPE_SCHEMA_VERSION = (\d+);/, "export const ENVELOPE_SCHEMA_VERSION = $1 + 1;"],
  ],
  "/shared/envelope/read-envelope.ts": [
    [
      /checkEnvelope\(parseBounded\(text, limits\)\)/,
      "checkEnvelope({ ...Object(parseBounded(text, limits)), schema: ENVELOPE_SCHEMA_VERSION })",
    ],
  ],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const changes = Object.entries(CHANGES).find(([path]) => url.endsWith(path))?.[1];
    if (changes === undefined || loaded.source === undefined || loaded.source === null) return loaded;
    let source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
    for (const [from, to] of changes) {
      if (!from.test(source)) throw new Error(`${url} is not what the next release is made from`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
