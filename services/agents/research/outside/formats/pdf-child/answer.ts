import { z } from "zod";

/** What the child writes to file descriptor 3: the text of each page, or why there is none. */
export const childAnswer = z.union([
  z.object({ pages: z.array(z.string()) }),
  z.object({ fault: z.enum(["damaged", "encrypted", "too_many_pages", "without_text"]) }),
]);

export type ChildAnswer = z.output<typeof childAnswer>;
