import { loadConfig } from "#shared/config";
import type { Config, Secret } from "#shared/config";
import { createSupportTeam } from "./create-team.ts";
import { createOutside } from "./outside/outside.ts";
import type { Address } from "./outside/address.ts";
import { createSmtpMail } from "./outside/smtp-mail.ts";

let loaded: Config | null = null;

/** Reads the configuration at the first call, so that loading the team needs none. */
function readConfig(): Config {
  loaded ??= loadConfig();
  return loaded;
}

/** A rehearsal acts in the sandbox alone, whatever is configured: stand-ins move nobody's money. */
function addressOf(pick: (config: Config) => { readonly url: string | null; readonly token: Secret | null }) {
  return (): Address => {
    const config = readConfig();
    const { url, token } = pick(config);
    if (url === null || config.isRehearsal) return { url: `${config.sandboxUrl}/sandbox`, token: null };
    return { url, token };
  };
}

const outside = createOutside({
  addresses: {
    shop: addressOf(({ outside: { shopUrl: url, shopToken: token } }) => ({ url, token })),
    desk: addressOf(({ outside: { deskUrl: url, deskToken: token } }) => ({ url, token })),
    crm: addressOf(({ outside: { crmUrl: url, crmToken: token } }) => ({ url, token })),
  },
  mail: createSmtpMail(() => {
    const { isRehearsal, outside: configured } = readConfig();
    const { smtpUrl, mailFrom } = configured;
    return isRehearsal || smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom };
  }),
});

export default createSupportTeam(outside, { orderFormat: () => readConfig().outside.orderFormat });
