import { z } from "zod";

const COUNT_MAX = 100_000_000;

const count = z.int().min(1).max(COUNT_MAX).exactOptional();

/** What one key may use at most. Absent: no limit of its own. */
export const quotasSchema = z
  .strictObject({
    requests_per_minute: count.meta({ description: "Over all gateways, by the minute of the clock." }),
    running_runs: count.meta({ description: "Runs that have not ended, waiting ones included." }),
    waiting_runs: count.meta({ description: "Runs that no agent has begun." }),
    cost_per_day: z
      .number()
      .min(0.000001)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "USD, by the day of UTC; runs under way go on when it is reached." }),
  })
  .meta({ description: "Absent: no limit of its own." });

export type Quotas = Readonly<z.output<typeof quotasSchema>>;
