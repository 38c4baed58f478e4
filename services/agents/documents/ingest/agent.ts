import { agent } from "#shared/runtime";
import { DocumentTask, ReadDocument } from "../contracts.ts";
import { DocumentMissingError } from "../errors.ts";
import { libraryOf } from "../library.ts";
import type { Library } from "../library.ts";
import { inspect } from "./inspect.ts";

const to = { vision: ReadDocument };

/** Reading a file is an own process's work, on one processor: a few at a time. */
const CONCURRENCY = 2;

/** Reads files by reference, and hands on what they are. */
export const createIngest = (library: Library) =>
  agent("ingest@1", {
    accepts: DocumentTask,
    to,
    description: "Finds out by its bytes what a file is, and reads its text or its size.",
    capabilities: ["file-reading"],
    concurrency: CONCURRENCY,
    guard: {
      mayCause: [],
      untrusted: { payload: { "/question": "customer" }, steps: { inspect: "file" } },
      injection: { reaction: "flag" },
    },
    handle: async ({ file_references: [file], question }, ctx) => {
      // The contract asks for one.
      if (file === undefined) throw new DocumentMissingError();
      const content = await ctx.step("inspect", (signal) =>
        inspect(libraryOf(library, ctx.envelope), file, signal),
      );
      return ctx.handoff("vision", { file, question, content }, { reason: `a file of ${file.bytes} bytes` });
    },
  });
