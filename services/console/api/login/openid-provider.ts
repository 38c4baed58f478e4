import * as client from "openid-client";
import { z } from "zod";
import type { Config } from "#shared/config";
import { ROLES } from "../guards/caller.ts";
import type { Role } from "../guards/caller.ts";

/** The configured provider of OpenID Connect. */
export type OpenIdSettings = NonNullable<Config["openId"]>;

/** A login that has begun: its secrets, and the place to go on at. They are in a cookie of the browser alone. */
export const begunSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
});

export type BegunLogin = z.output<typeof begunSchema>;

/** Address below the console's own to which the provider sends people back. */
export const CALLBACK_PATH = "/login/openid/callback";

/** For one answer of the provider, in seconds. */
const ANSWER_S = 10;
const NAME_CHARS_MAX = 200;

/** Asks one provider who people are, by the authorization code flow with PKCE. */
export class OpenIdProvider {
  private readonly settings: OpenIdSettings;
  private found: Promise<client.Configuration> | null = null;

  constructor(settings: OpenIdSettings) {
    this.settings = settings;
  }

  /** Host of the provider, as the login page names it. */
  get host(): string {
    return new URL(this.settings.issuer).host;
  }

  /** Begins a login. @returns The provider's page for it. @throws {Error} The provider does not answer. */
  async begin(back: string): Promise<{ readonly url: URL; readonly login: BegunLogin }> {
    const provider = await this.find();
    const login = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      back,
    };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.settings.publicUrl + CALLBACK_PATH,
      scope: this.settings.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: "S256",
      state: login.state,
      nonce: login.nonce,
    });
    return { url, login };
  }

  /**
   * Exchanges the code of a login for its person. @param query - Of the address that the provider sent them to.
   * @returns The verified mail address, else `openid:` and the subject; and the role here, null for none.
   * @throws {Error} The answer is not to this login, is not signed by the provider, or there is none.
   */
  async finish(query: string, login: BegunLogin) {
    const provider = await this.find();
    const tokens = await client.authorizationCodeGrant(
      provider,
      new URL(`${this.settings.publicUrl}${CALLBACK_PATH}${query}`),
      {
        expectedState: login.state,
        expectedNonce: login.nonce,
        pkceCodeVerifier: login.verifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("The provider sent no ID token.");
    const { claim } = this.settings;
    const isWhole = claims[claim] !== undefined && claims["email"] !== undefined;
    // Many tell groups and the mail address here alone.
    const more =
      isWhole || provider.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    const told: Readonly<Record<string, unknown>> = { ...more, ...claims };
    return { name: nameOf(told, claims.sub), role: this.roleFor(told[claim]) };
  }

  /** The greatest role that a value of the claim gives. */
  private roleFor(claim: unknown): Role | null {
    const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
    const given = this.settings.roles.filter(({ value }) => value === "*" || values.includes(value));
    return ROLES.findLast((role) => given.some((one) => one.role === role)) ?? null;
  }

  /** A provider that did not answer is asked again by the next login. */
  private find(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const isPlain = issuer.startsWith("http:");
    this.found ??= client
      .discovery(
        new URL(issuer),
        clientId,
        clientSecret?.reveal(),
        clientSecret === null ? client.None() : undefined,
        { timeout: ANSWER_S, execute: isPlain ? [client.allowInsecureRequests] : [] },
      )
      .catch((error: unknown) => {
        this.found = null;
        throw error;
      });
    return this.found;
  }
}

/** An address that nobody has verified may be anybody's. */
function nameOf(
  { email, email_verified: isVerified }: Readonly<Record<string, unknown>>,
  subject: string,
): string {
  const isKnown = typeof email === "string" && isVerified === true && /^[^\s@]+@[^\s@]+$/.test(email);
  return (isKnown ? email.toLowerCase() : `openid:${subject}`).slice(0, NAME_CHARS_MAX);
}
