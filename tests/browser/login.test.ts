import { expect, test } from "vitest";
import { Secret } from "#shared/config";
import { CALLBACK_PATH, OpenIdProvider } from "../../services/console/api/login/openid-provider.ts";
import { CLIENT } from "../../services/console/testing/openid-provider-process.ts";
import { startOpenIdProvider } from "../../services/console/testing/start-openid-provider.ts";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import { openPage } from "../support/browser/browser.ts";
import { STORY_MS } from "../support/browser/open-console-page.ts";

test(
  "somebody logs in at their provider, lands where they wanted to, and who has no role is told so",
  { timeout: STORY_MS },
  async () => {
    const settings = {
      issuer: "",
      clientId: CLIENT.id,
      clientSecret: new Secret(CLIENT.secret),
      scopes: "openid email",
      claim: "groups",
      roles: [{ role: "operator", value: "oncall" }] as const,
      publicUrl: "",
    };
    const openId = new OpenIdProvider(settings);
    const console = await startTestConsole({}, [], undefined, undefined, { openId });
    settings.publicUrl = console.url;
    settings.issuer = await startOpenIdProvider(console.url + CALLBACK_PATH);
    const logInAs = async (name: string) => {
      const page = await openPage();
      await page.goTo(`${console.url}/agents`);
      await page.click("link", /^Log in with 127\.0\.0\.1/);
      await page.tab.locator("input[name=login]").fill(name);
      await page.tab.locator("input[name=password]").fill("any");
      await page.tab.locator("button[type=submit]").click();
      await page.tab.locator("button[type=submit]", { hasText: "Continue" }).click();
      return page;
    };
    const page = await logInAs("oncall-olga");
    await page.part("heading", "Agents").waitFor();
    await page.reads("oncall-olga@example.com");
    expect(page.complaints).toEqual([]);
    const stranger = await logInAs("marketing-mo");
    await stranger.reads("You are known, and have no role here.");
  },
);
