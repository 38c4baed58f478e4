/** The producer of an output: the dimensions that outputs are counted by. */
export interface ProducerOfOutput {
  /** `name@version`. */
  readonly agent: string;
  /** `name@version` of the contract that the output claims. */
  readonly contract: string;
  /** Null if the output is a handoff rather than a model's answer. */
  readonly model: string | null;
  readonly prompt_version: string | null;
}

const PART_CHARS_MAX = 100;
const NOTHING = "-";

export function producerKey(producer: ProducerOfOutput): string {
  const { agent, contract, model, prompt_version } = producer;
  return [agent, contract, model ?? NOTHING, prompt_version ?? NOTHING]
    .map((part) => part.slice(0, PART_CHARS_MAX).replaceAll("|", "_"))
    .join("|");
}

/** Parses a key of `producerKey`, including the overflow key for producers beyond the limit. */
export function readProducerKey(key: string): ProducerOfOutput {
  const [agent = "", contract = "", model = NOTHING, prompt = NOTHING] = key.split("|");
  const orNull = (part: string): string | null => (part === NOTHING ? null : part);
  return { agent, contract, model: orNull(model), prompt_version: orNull(prompt) };
}
