import { z } from "zod";
import { fuzz } from "./fuzz.ts";
import { groundOf } from "./make-text.ts";

/** `node worker.ts TEXTS SEED`: a process of `main.ts`. Fuzzes that many texts for each seed that it is sent. */
const [texts, seed] = z.tuple([z.coerce.number(), z.coerce.number()]).parse(process.argv.slice(2));
const ground = groundOf(seed);

process.on("message", (own) => {
  process.send?.(fuzz({ texts, seed: z.number().parse(own), ground, isTimed: true }));
});
process.send?.(null);
