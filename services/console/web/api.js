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

/**
 * Asks the API.
 *
 * @param {string} method
 * @param {string} path With its parts by name, as in `/v1/runs/{run_id}`.
 * @param {any} [sent] The parts of the path, the query and the body.
 * @throws {Problem} Who is not logged in any more is told so, and keeps what they typed.
 */
async function ask(method, path, sent = {}) {
  const { path: parts = {}, query = {}, body } = sent;
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parts[name]));
  const wanted = new URLSearchParams(query).toString();
  const response = await send(method, wanted === "" ? named : `${named}?${wanted}`, body);
  if (response.ok) {
    sessionIsBack();
    return response.status === 204 ? null : response.json();
  }
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) sessionEnded();
  throw new Problem(response.status, problem);
}

async function send(method, url, body) {
  try {
    return await fetch(url, {
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

/** @type {import("./api-types.d.ts").Call<"get">} */
export const get = (path, sent) => ask("GET", path, sent);

/** @type {import("./api-types.d.ts").Call<"post">} */
export const post = (path, sent) => ask("POST", path, sent);

/** @type {import("./api-types.d.ts").Call<"delete">} */
export const remove = (path, sent) => ask("DELETE", path, sent);
