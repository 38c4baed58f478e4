import { useEffect } from "react";
import type { SubmitEvent } from "react";
import { $api } from "../data/api.ts";
import { Button } from "../parts/page.tsx";
import styles from "./login.module.css";

function goOn(): void {
  const back = new URLSearchParams(location.search).get("back") ?? import.meta.env.BASE_URL;
  // Never to another site.
  location.replace(/^\/(?![/\\])/.test(back) ? back : import.meta.env.BASE_URL);
}

/** Opens a session: with the token of the launcher's link, or with an API key. */
export function Login() {
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
      <p role="alert" className={styles.problem}>
        {login.error instanceof Error && login.error.message}
      </p>
    </main>
  );
}
