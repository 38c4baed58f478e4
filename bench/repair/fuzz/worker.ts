import { z } from "zod";
import { fuzz } from "./fuzz.ts";
import { readGround } from "./make-text.ts";

/** `node worker.ts TEXTS`: a process of `main.ts`. Fuzzes that many texts for each seed that it is sent. */
const texts = z.coerce.number().parse(process.argv[2]);
const ground = readGround();

process.on("message", (own) => {
  process.send?.(fuzz({ texts, seed: z.number().parse(own), ground, isTimed: true }));
});
process.send?.(null);
