import { Page } from "../../parts/page.tsx";
export function Runs() {
  return <Page title="Runs">…</Page>;
}
