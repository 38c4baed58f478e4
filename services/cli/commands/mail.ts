import type { Command } from "commander";
import { loadPackage } from "#shared/errors";
import { withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";

interface MailOptions extends Connection {
  readonly once: boolean;
}

export function addMail(program: Command): void {
  const command = program
    .command("mail")
    .description("make a task of every unseen mail of SUTURE_IMAP_URL, until Ctrl+C")
    .option("--once", "look once and end", false);
  withConnection(command, "gateway").action(async (options: MailOptions) => {
    const { runMail } = await loadPackage(["imapflow", "postal-mime"], () => import("../mail/run-mail.ts"));
    await runMail(options);
  });
}
