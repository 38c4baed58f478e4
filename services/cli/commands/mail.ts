import type { Command } from "commander";
import { loadPackage } from "#shared/errors";
import { withConnection } from "./with-connection.ts";

export function addMail(program: Command): void {
  const command = program
    .command("mail")
    .description("make a task of every unseen mail of SUTURE_IMAP_URL, until Ctrl+C")
    .option("--once", "look once and end", false);
  withConnection(command, "gateway").action(async (options) => {
    const { runMail } = await loadPackage(["imapflow", "postal-mime"], () => import("../mail/run-mail.ts"));
    await runMail(options);
  });
}
