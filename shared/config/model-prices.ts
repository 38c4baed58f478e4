import { z } from "zod";

const usdPerMillion = z.number().min(0);
const modelPrices = z.record(
  z.string().min(1),
  z.strictObject({ input: usdPerMillion, output: usdPerMillion }),
);

export type ModelPrices = z.output<typeof modelPrices>;

/** Reads `{"model name": {"input": USD, "output": USD}}`, each per million tokens. */
export function parseModelPrices(
  text: string,
): { readonly prices: ModelPrices } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "is not JSON" };
  }
  const parsed = modelPrices.safeParse(value);
  if (parsed.success) return { prices: parsed.data };
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  return {
    problem: `is not a table of {"model": {"input": USD, "output": USD}}${where === "" ? "" : ` at ${where}`}`,
  };
}
