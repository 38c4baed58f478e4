import { sessionEnded, sessionIsBack } from "./session.js";

/** An answer that is a problem; `errors` names the places. `status` 0: there was no answer. */
class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The console answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
  }
}

const AWAY =
  "The console does not answer. Nothing was changed that you do not see; try again when it is back.";

/** Asks the API. @throws {Problem} Who is not logged in any more is told so, and keeps what they typed. */
export async function ask(method, path, body) {
  const response = await send(method, path, body);
  if (response.ok) {
    sessionIsBack();
    return response.status === 204 ? null : response.json();
  }
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) sessionEnded();
  throw new Problem(response.status, problem);
}

async function send(method, path, body) {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    // The browser says no more than that there was no answer.
    throw new Problem(0, { code: "away", detail: AWAY });
  }
}

export const get = (path) => ask("GET", path);

export const post = (path, body) => ask("POST", path, body);
