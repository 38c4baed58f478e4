/** Who made an output: what outputs and malformed outputs are counted by. */
export interface ProducerOfOutput {
  /** `name@version`. */
  readonly agent: string;
  /** `name@version` of what the output claims to be. */
  readonly contract: string;
  /** Null where no model's answer is counted, but what the agent handed on. */
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

/** What `producerKey` wrote; of producers too many to tell apart, only that. */
export function readProducerKey(key: string): ProducerOfOutput {
  const [agent = "", contract = "", model = NOTHING, prompt = NOTHING] = key.split("|");
  const orNull = (part: string): string | null => (part === NOTHING ? null : part);
  return { agent, contract, model: orNull(model), prompt_version: orNull(prompt) };
}
