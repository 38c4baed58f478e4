import { expect } from "vitest";
import { addEndedRuns, itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import { Store } from "#shared/store";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashDeployment } from "./crash-deployment.ts";
import { WAIT_MS } from "./struck-process.ts";

const RUNS = 600;
const HOUR_MS = 3_600_000;

itWithPostgres(
  "W32:after_archived_before_deleted: what is archived and still in Redis is shown once and deleted by the next gateway",
  async () => {
    const postgres = await startPostgres();
    const deployment = await openCrashDeployment(chain, "tests/chaos/teams");
    const { store } = deployment.system;
    const ids = await addEndedRuns(store, RUNS, { agoMs: 2 * HOUR_MS });
    const { reader } = openTestArchive(postgres, { prefix: store.keys.prefix });
    const whole = new Store({ ...store.options, archive: reader });
    const listed = async () =>
      (await whole.runs.list({ limit: 2 * RUNS })).map(({ run_id }) => run_id).toSorted();
    const env = {
      SUTURE_ARCHIVE_URL: postgres.url.reveal(),
      SUTURE_API_KEYS: "crash:admin:crash-secret-0123456789",
      SUTURE_GATEWAY_PORT: "0",
    };
    const strike = { point: "W32:after_archived_before_deleted", action: "kill", nth: 2 } as const;
    const struck = deployment.spawn("gateway", { env, strike });
    await struck.untilStruck();
    // Two batches of 200 are committed, and one of them was deleted.
    expect(await reader.countRuns()).toBe(400);
    expect(await store.runs.count()).toBe(400);
    expect(await listed()).toEqual(ids.toSorted());
    deployment.spawn("gateway", { env });
    await expect.poll(() => store.runs.count(), { timeout: WAIT_MS }).toBe(0);
    expect(await reader.countRuns()).toBe(RUNS);
    expect(await listed()).toEqual(ids.toSorted());
    expect(await store.runs.counts()).toMatchObject({ submitted: RUNS, completed: RUNS });
    await whole.close();
  },
  4 * WAIT_MS,
);
