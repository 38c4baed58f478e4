import { z } from "zod";

const usdPerMillion = z.number().min(0);

/** `{"model name": {"input": USD, "output": USD}}`, each per million tokens. */
export const modelPrices = z.record(
  z.string().min(1),
  z.strictObject({ input: usdPerMillion, output: usdPerMillion }),
);
