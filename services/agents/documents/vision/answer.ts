import { z } from "zod";
import { contract } from "#shared/contract";
import { remark, ROUTING_TAGS, tag } from "../contract-fields.ts";
import type { Tag } from "../contract-fields.ts";

const ROUTING: ReadonlySet<Tag> = new Set(ROUTING_TAGS);

/** Tags and description of a file. */
export const VisionAnswer = contract(
  "vision.tags@2",
  z.object({ tags: z.array(tag).min(1).max(8), description: remark }),
  {
    description: "Tags of a picture or a text, one of which says its route, and a description.",
    check: ({ tags }) => {
      const routes = tags.filter((one) => ROUTING.has(one));
      const twice = new Set(tags).size < tags.length;
      return [
        ...(routes.length === 0
          ? [{ path: "/tags", code: "no_route", message: `one of them is ${ROUTING_TAGS.join(", ")}` }]
          : []),
        ...(twice ? [{ path: "/tags", code: "named_twice", message: "each tag is named once" }] : []),
      ];
    },
  },
);

export interface VisionInput {
  readonly kind: "pages" | "picture";
  /** Of the file: two pictures of the same size are not the same question. */
  readonly sha256: string;
  /** The beginning of its text; null for a picture in which none could be read. A picture is shown too. */
  readonly text: string | null;
  readonly pages: number | null;
  readonly width: number | null;
  readonly height: number | null;
}
