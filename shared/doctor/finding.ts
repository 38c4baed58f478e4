import { z } from "zod";

/** The result of one check. */
export const findingSchema = z.object({
  check: z.string(),
  seen: z.string().meta({ description: "The observation, in words that hold no secret." }),
  state: z
    .enum(["ok", "open", "failed"])
    .meta({ description: "It holds; nothing protects it or promises to; a promise does not hold." }),
  todo: z.string().meta({ description: "The next step; empty if there is none." }),
});

export type Finding = z.output<typeof findingSchema>;

const finding =
  (state: Finding["state"]) =>
  (check: string, seen: string, todo = ""): Finding => ({ check, seen, state, todo });

export const ok: (check: string, seen: string) => Finding = finding("ok");
export const open: (check: string, seen: string, todo: string) => Finding = finding("open");
export const failed: (check: string, seen: string, todo: string) => Finding = finding("failed");

/** Fails and names each thing once, unless nothing was found; `none` says that. */
export function unlessFound(
  check: string,
  found: readonly string[],
  none: string,
  some: string,
  todo: string,
) {
  return found.length === 0 ? ok(check, none) : failed(check, some + [...new Set(found)].join(", "), todo);
}
