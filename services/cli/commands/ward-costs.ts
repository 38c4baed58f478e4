import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

export function addCosts(ward: Command): void {
  const command = ward.command("costs").description("say what surgery costs, and what it may still cost");
  withConnection(command, "console").action(showCosts);
}

async function showCosts(options: Connection): Promise<void> {
  const answer = await answerOf(openClient(findApi("console", options)).GET("/v1/ward/costs"));
  if (options.json === true) return printJson(answer);
  const { this_hour, left_this_hour, hours, limits, held } = answer;
  const usd = (amount: number): string => `$${amount.toFixed(4)}`;
  const day = hours.reduce((sum, one) => sum + one, 0);
  write(
    `This hour ${usd(this_hour)} of ${usd(limits.cost_per_hour)}, ${usd(left_this_hour)} left; last 24 hours ${usd(day)}.`,
  );
  write(`A case may cost ${usd(limits.cost_per_case)}, a group ${usd(limits.cost_per_group)}.`);
  if (held !== null)
    write(`The hour's limit holds cases back until ${new Date(held.until_ms).toISOString()}.`);
}
