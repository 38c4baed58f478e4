import { once } from "node:events";
import { Provider } from "oidc-provider";

/**
 * A provider of OpenID Connect as a process of its own: `node openid-provider-process.ts ADDRESS-OF-THE-CALLBACK`.
 * A login under a name has the mail address `NAME@example.com`, verified unless the name begins with `un`, and
 * the group that is the name's part before a dash. Prints its issuer, once it listens.
 */

const [redirectUri = ""] = process.argv.slice(2);

export const CLIENT = { id: "suture-console", secret: "of-the-tests-alone-0123456789abcdef" } as const;

if (import.meta.main) {
  // The issuer holds the port, which is known once it listens.
  const { createServer } = await import("node:http");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({
        sub,
        email: `${sub}@example.com`,
        email_verified: !sub.startsWith("un"),
        groups: [sub.split("-")[0]],
      }),
    }),
  });
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  process.stdout.write(`${issuer}\n`);
}
