import { z } from "zod";
import { contract } from "#shared/contract";

export const Page = contract(
  "served.page@1",
  z.strictObject({ text: z.string(), forMs: z.int(), usd: z.number() }),
);
export const Words = contract("served.words@1", z.strictObject({ words: z.array(z.string()) }));
