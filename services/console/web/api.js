/** An answer that is a problem; `errors` names the places. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The console answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
  }
}

/** Asks the API. @throws {Problem} Who is not logged in is led to the login. */
export async function ask(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (response.ok) return response.status === 204 ? null : response.json();
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401 && location.pathname !== "/login") location.assign("/login");
  throw new Problem(response.status, problem);
}

export const get = (path) => ask("GET", path);

export const post = (path, body) => ask("POST", path, body);
