import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { lazyRouteComponent, RouterProvider } from "@tanstack/react-router";
import type { AnyRoute, RouteComponent } from "@tanstack/react-router";
import { queries } from "./data/api.ts";
import { setTheme, themeNow } from "./data/shared.ts";
import type { Asked } from "./parts/filters.tsx";
import { Missing } from "./parts/page.tsx";
import { Shell } from "./shell/shell.tsx";
import "./tokens.css";

/** Returns how pages below a route are made, each loaded when somebody goes to it. */
const below =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string>(path: Path, load: () => Promise<RouteComponent>) => {
    const component = lazyRouteComponent(async () => ({ default: await load() }));
    return createRoute({ getParentRoute: () => parent, path, component });
  };

const root = createRootRoute();
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const page = below(shell);
const inbox = page("/inbox", async () => (await import("./pages/inbox/inbox.tsx")).Inbox);
const inInbox = below(inbox);

const router = createRouter({
  routeTree: root.addChildren([
    below(root)("/login", async () => (await import("./pages/login.tsx")).Login),
    shell.addChildren([
      page("/", async () => (await import("./pages/home/home.tsx")).Home),
      inbox.addChildren([
        inInbox("/", async () => (await import("./pages/inbox/inbox.tsx")).Hint),
        inInbox("group/$fingerprint", async () => (await import("./pages/inbox/group.tsx")).Group),
        inInbox("case/$caseId", async () => (await import("./pages/inbox/case.tsx")).Case),
      ]),
      page("/runs", async () => (await import("./pages/runs/runs.tsx")).Runs),
      page("/runs/$runId", async () => (await import("./pages/runs/run.tsx")).Run),
      page("/agents", async () => (await import("./pages/agents/agents.tsx")).Agents),
      page("/agents/$agent", async () => (await import("./pages/agents/agent.tsx")).Agent),
      page("/flow", async () => (await import("./pages/flow/flow.tsx")).Flow),
      page("/recipes", async () => (await import("./pages/recipes/recipes.tsx")).Recipes),
      page("/recipes/$recipeId", async () => (await import("./pages/recipes/recipe.tsx")).RecipePage),
      page("/cost", async () => (await import("./pages/cost/cost.tsx")).Cost),
      page("/queues", async () => (await import("./pages/agents/agents.tsx")).Queues),
      page("/audit", async () => (await import("./pages/audit/audit.tsx")).Audit),
      page("/settings", async () => (await import("./pages/settings/settings.tsx")).Settings),
      page("$", () => Promise.resolve(Missing)),
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

setTheme(themeNow());
const place = document.getElementById("root");
if (place === null) throw new Error("the page has no place for the console");
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
