import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./data/api.ts";
import { setTheme, themeNow } from "./data/shared.ts";
import { router } from "./routes.tsx";
import "./tokens.css";

setTheme(themeNow());
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the console");
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
