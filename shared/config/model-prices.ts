import { z } from "zod";

const usdPerMillion = z.number().min(0);

/** `{"model name": {"input": USD, "cached": USD, "output": USD}}`, each per million tokens; `cached` is optional. */
export const modelPrices = z.record(
  z.string().min(1),
  z.strictObject({ input: usdPerMillion, output: usdPerMillion, cached: usdPerMillion.optional() }),
);

/** Prices by the model's name. */
export type ModelPrices = Readonly<z.output<typeof modelPrices>>;
