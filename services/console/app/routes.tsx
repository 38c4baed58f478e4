import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Shell } from "./shell/shell.tsx";
import { Missing } from "./parts/states.tsx";

/** What an address says after its question mark: texts by name, so that filters survive a reload and can be sent on. */
export type Asked = Readonly<Record<string, string | undefined>>;

const root = createRootRoute();

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: lazyRouteComponent(() => import("./pages/login.tsx"), "Login"),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const under = { getParentRoute: () => shell } as const;

const home = createRoute({
  ...under,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/home/home.tsx"), "Home"),
});

const inbox = createRoute({
  ...under,
  path: "/inbox",
  component: lazyRouteComponent(() => import("./pages/inbox/inbox.tsx"), "Inbox"),
});

const inboxHint = createRoute({
  getParentRoute: () => inbox,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/inbox/inbox.tsx"), "Hint"),
});

const group = createRoute({
  getParentRoute: () => inbox,
  path: "group/$fingerprint",
  component: lazyRouteComponent(() => import("./pages/inbox/group.tsx"), "Group"),
});

const oneCase = createRoute({
  getParentRoute: () => inbox,
  path: "case/$caseId",
  component: lazyRouteComponent(() => import("./pages/inbox/case.tsx"), "Case"),
});

const runs = createRoute({
  ...under,
  path: "/runs",
  component: lazyRouteComponent(() => import("./pages/runs/runs.tsx"), "Runs"),
});

const recipes = createRoute({
  ...under,
  path: "/recipes",
  component: lazyRouteComponent(() => import("./pages/recipes/recipes.tsx"), "Recipes"),
});

const recipe = createRoute({
  ...under,
  path: "/recipes/$recipeId",
  component: lazyRouteComponent(() => import("./pages/recipes/recipe.tsx"), "RecipePage"),
});

const cost = createRoute({
  ...under,
  path: "/cost",
  component: lazyRouteComponent(() => import("./pages/cost/cost.tsx"), "Cost"),
});

const audit = createRoute({
  ...under,
  path: "/audit",
  component: lazyRouteComponent(() => import("./pages/audit/audit.tsx"), "Audit"),
});

const settings = createRoute({
  ...under,
  path: "/settings",
  component: lazyRouteComponent(() => import("./pages/settings/settings.tsx"), "Settings"),
});

const run = createRoute({
  ...under,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("./pages/runs/run.tsx"), "Run"),
});

const agents = createRoute({
  ...under,
  path: "/agents",
  component: lazyRouteComponent(() => import("./pages/agents/agents.tsx"), "Agents"),
});

const agent = createRoute({
  ...under,
  path: "/agents/$agent",
  component: lazyRouteComponent(() => import("./pages/agents/agent.tsx"), "Agent"),
});

const flow = createRoute({
  ...under,
  path: "/flow",
  component: lazyRouteComponent(() => import("./pages/flow/flow.tsx"), "Flow"),
});

const queues = createRoute({
  ...under,
  path: "/queues",
  component: lazyRouteComponent(() => import("./pages/queues/queues.tsx"), "Queues"),
});

const missing = createRoute({ ...under, path: "$", component: Missing });

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    shell.addChildren([
      home,
      inbox.addChildren([inboxHint, group, oneCase]),
      runs,
      recipes,
      recipe,
      cost,
      audit,
      settings,
      run,
      agents,
      agent,
      flow,
      queues,
      missing,
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
