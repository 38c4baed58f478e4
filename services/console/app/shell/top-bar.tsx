import { Menu } from "@base-ui/react/menu";
import { $api, api } from "../data/api.ts";
import { useLiveness } from "../data/live.ts";
import { LOGIN } from "../data/session.ts";
import { nextTheme, useTheme } from "../parts/theme.ts";
import styles from "./shell.module.css";

interface TopBarProps {
  readonly onMenu: () => void;
  readonly onFind: () => void;
  readonly isMenuOpen: boolean;
}

/** Name, search, how current the page is, and who is logged in. */
export function TopBar({ onMenu, onFind, isMenuOpen }: TopBarProps) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const { liveness } = useLiveness();
  const [theme, setTheme] = useTheme();
  return (
    <header className={styles.top}>
      <button
        type="button"
        className={styles.menu}
        onClick={onMenu}
        aria-expanded={isMenuOpen}
        aria-label="Pages"
      >
        ☰
      </button>
      <span className={styles.name}>Suture</span>
      <button type="button" className={styles.find} onClick={onFind}>
        <span>Find an id, an order, a customer, a command</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className={styles.liveness} data-state={liveness} role="status">
        {liveness}
      </span>
      <Menu.Root>
        <Menu.Trigger className={styles.who}>{session?.name ?? "…"}</Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className={styles.popup}>
              <p className={styles.role}>{session?.role}</p>
              <Menu.Item
                className={styles.item}
                closeOnClick={false}
                onClick={() => setTheme(nextTheme(theme))}
              >
                Theme: {theme}
              </Menu.Item>
              <Menu.Item className={styles.item} onClick={() => void logOut()}>
                Log out
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </header>
  );
}

async function logOut(): Promise<void> {
  await api.DELETE("/v1/session").catch(() => undefined);
  location.assign(LOGIN);
}
