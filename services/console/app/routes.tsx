import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import type { AnyRoute, RouteComponent } from "@tanstack/react-router";
import { Shell } from "./shell/shell.tsx";

/** What an address says after its question mark: texts by name, so that filters survive a reload and can be sent on. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** Returns how pages below a route are made, each loaded when somebody goes to it. */
const below =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Name extends string>(
    path: Path,
    load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
    name: Name,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(async () => ({ default: (await load())[name] })),
    });

const root = createRootRoute();
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const page = below(shell);
const inbox = page("/inbox", () => import("./pages/inbox/inbox.tsx"), "Inbox");
const inInbox = below(inbox);

export const router = createRouter({
  routeTree: root.addChildren([
    below(root)("/login", () => import("./pages/login.tsx"), "Login"),
    shell.addChildren([
      page("/", () => import("./pages/home/home.tsx"), "Home"),
      inbox.addChildren([
        inInbox("/", () => import("./pages/inbox/inbox.tsx"), "Hint"),
        inInbox("group/$fingerprint", () => import("./pages/inbox/group.tsx"), "Group"),
        inInbox("case/$caseId", () => import("./pages/inbox/case.tsx"), "Case"),
      ]),
      page("/runs", () => import("./pages/runs/runs.tsx"), "Runs"),
      page("/runs/$runId", () => import("./pages/runs/run.tsx"), "Run"),
      page("/agents", () => import("./pages/agents/agents.tsx"), "Agents"),
      page("/agents/$agent", () => import("./pages/agents/agent.tsx"), "Agent"),
      page("/flow", () => import("./pages/flow/flow.tsx"), "Flow"),
      page("/recipes", () => import("./pages/recipes/recipes.tsx"), "Recipes"),
      page("/recipes/$recipeId", () => import("./pages/recipes/recipe.tsx"), "RecipePage"),
      page("/cost", () => import("./pages/cost/cost.tsx"), "Cost"),
      page("/queues", () => import("./pages/queues/queues.tsx"), "Queues"),
      page("/audit", () => import("./pages/audit/audit.tsx"), "Audit"),
      page("/settings", () => import("./pages/settings/settings.tsx"), "Settings"),
      page("$", () => import("./parts/states.tsx"), "Missing"),
    ]),
  ]),
  basepath: import.meta.env.BASE_URL,
  defaultPreload: "intent",
  // Addresses are read as texts alone: a customer called "12" stays one.
  parseSearch: (text): Asked => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (asked) => {
    const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
