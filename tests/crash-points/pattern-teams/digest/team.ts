import { z } from "zod";
import { contract } from "#shared/contract";
import { mapReduce } from "#shared/patterns";
import { team } from "#shared/runtime";

/** Nine pages, three at a time: nine calls to map, three to reduce, one for what is left. */

const Pages = contract("digest.pages@1", z.object({ pages: z.array(z.string()) }));
const Page = contract("digest.page@1", z.object({ text: z.string() }));
const Part = contract("digest.part@1", z.object({ words: z.int() }));
const Sum = contract("digest.sum@1", z.object({ words: z.int() }));

export const CALLS = 13;

const Parts = z.array(Part.schema);

const { agents, loops } = mapReduce("digest", {
  accepts: Pages,
  item: Page,
  part: Part,
  fanIn: 3,
  answers: [Part, Sum],
  standIns: {
    count: (input) => ({ words: Page.schema.parse(input).text.split(" ").length }),
    add: (input) => ({ words: Parts.parse(input).reduce((sum, { words }) => sum + words, 0) }),
  },
  split: ({ pages }) => pages.map((text) => ({ text })),
  map: (page, ctx) => ctx.model("count", { instructions: "Count the words.", input: page, answers: Part }),
  reduce: (parts, ctx) => ctx.model("add", { instructions: "Add them up.", input: parts, answers: Sum }),
});

export default team("digest", agents, { loops });
