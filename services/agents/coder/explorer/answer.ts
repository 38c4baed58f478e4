import { z } from "zod";
import { contract } from "#shared/contract";
import { belongsToTests } from "../checkout/project-path.ts";
import { projectPath, remark, suspect } from "../contract-fields.ts";
import { WRITTEN_TEST_CHARACTERS_MAX, WRITTEN_TESTS_MAX } from "../limits.ts";

/** The likely cause of the failures. */
export const RootCause = contract(
  "explorer.root-cause@1",
  z.object({
    cause: remark,
    /** The likeliest first. */
    suspects: z.array(suspect).min(1).max(10),
  }),
  { description: "What most likely causes the failures, and the places that may hold it." },
);

/** Tests that show the bug, written from the report before any fix; none where the report does not say enough. */
export const WrittenTests = contract(
  "explorer.tests@1",
  z.object({
    tests: z
      .array(
        z.object({
          path: projectPath,
          text: z.string().min(1).max(WRITTEN_TEST_CHARACTERS_MAX),
          shows: remark,
        }),
      )
      .max(WRITTEN_TESTS_MAX),
    /** What no test shows: what the report leaves open, or asks for besides. "" where nothing. */
    open: z.string().max(1000).meta({ "x-surgeon-writes": true }),
  }),
  {
    description: "Test files, each of which fails as long as the bug is there and passes once it is fixed.",
    check: ({ tests }) =>
      tests.flatMap(({ path }, index) =>
        belongsToTests(path)
          ? []
          : [{ path: `/tests/${index}/path`, code: "not_a_test", message: "the path is not one of a test" }],
      ),
  },
);
