import { useEffect } from "react";
import type { SubmitEvent } from "react";
import { $api } from "../data/api.ts";
import { Button } from "../parts/page.tsx";
import styles from "./login.module.css";

const asked = new URLSearchParams(location.search);
const back = asked.get("back") ?? import.meta.env.BASE_URL;

function goOn(): void {
  // Never to another site.
  location.replace(/^\/(?![/\\])/.test(back) ? back : import.meta.env.BASE_URL);
}

/** The reasons for which a login by OpenID Connect came to nothing. */
const REFUSED: Readonly<Record<string, string>> = {
  provider: "The provider did not say who you are. Try again; the console's log has its answer.",
  role: "You are known, and have no role here. An admin gives roles by SUTURE_OIDC_ROLES.",
  late: "That login was begun too long ago, or in another browser. Try again.",
};

/** Opens a session: with the token of the launcher's link, with an API key, or by a provider of OpenID Connect. */
export function Login() {
  const { data: ways } = $api.useQuery("get", "/v1/login");
  const login = $api.useMutation("post", "/v1/session", { onSuccess: goOn });
  useEffect(() => {
    document.title = "Log in to Suture";
    const token = location.hash.slice(1);
    if (token === "") return;
    // Not kept in the history of the browser.
    history.replaceState(null, "", location.pathname + location.search);
    login.mutate({ body: { token } });
  }, []);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get("key");
    if (typeof key === "string") login.mutate({ body: { api_key: key } });
  };
  return (
    <main className={styles.login}>
      <h1>Suture</h1>
      <p>On this machine, open the link that the launcher printed. Elsewhere, give your API key.</p>
      <form onSubmit={onSubmit}>
        <label>
          API key
          <input name="key" type="password" autoComplete="current-password" required />
        </label>
        <Button type="submit" tone="main" disabled={login.isPending}>
          Log in
        </Button>
      </form>
      {ways?.openid && (
        <a className={styles.other} href={`/login/openid?back=${encodeURIComponent(back)}`}>
          Log in with {ways.openid.host}
        </a>
      )}
      <p role="alert" className={styles.problem}>
        {login.error instanceof Error ? login.error.message : REFUSED[asked.get("refused") ?? ""]}
      </p>
    </main>
  );
}
