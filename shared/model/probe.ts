/** The agent and step of `suture doctor --model`, which the rehearsal server answers by itself and undamaged. */
export const PROBE = { agent: "doctor@1", step: "probe" } as const;
