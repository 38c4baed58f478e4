import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { followNews } from "../data/live.ts";
import { Banners } from "./banners.tsx";
import { Commands } from "./commands.tsx";
import { Keys } from "./keys.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";
import styles from "./shell.module.css";

/** Everything around a page: rail, top bar, banners, commands. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(followNews, []);
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={styles.shell} data-open={isOpen}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <TopBar onMenu={() => setOpen(!isOpen)} onFind={() => setFinding(true)} isMenuOpen={isOpen} />
      <Rail onChosen={() => setOpen(false)} />
      <div className={styles.body}>
        <Banners />
        <main id="page" className={styles.page} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Commands isOpen={isFinding} onOpen={setFinding} onKeys={() => setHelping(true)} />
      <Keys isOpen={isHelping} onOpen={setHelping} onFind={() => setFinding(true)} />
    </div>
  );
}
