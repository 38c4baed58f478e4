import { loadConfig, outsideAddress } from "#shared/config";
import type { Config } from "#shared/config";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";
import { createSmtpMail } from "./outside/smtp-mail.ts";

let loaded: Config | null = null;

/** Reads the configuration at the first call, so that loading the team needs none. */
function readConfig(): Config {
  loaded ??= loadConfig();
  return loaded;
}

const outside = createOutside({
  addresses: {
    shop: () => outsideAddress(readConfig(), "shop"),
    desk: () => outsideAddress(readConfig(), "desk"),
    crm: () => outsideAddress(readConfig(), "crm"),
  },
  mail: createSmtpMail(() => {
    const { isRehearsal, outside: configured } = readConfig();
    const { smtpUrl, mailFrom } = configured;
    return isRehearsal || smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom };
  }),
});

export default createSupportTeam(outside);
