import { startScratchPostgres } from "../../infra/postgres/scratch-postgres.ts";
import { stopOnInterrupt } from "../with-redis.ts";
import { countTreeCpu } from "./process-cpu.ts";
import type { Server } from "./server.ts";

/** Each commit is synced before it is confirmed, as is the default; only memory is larger. */
const SETTINGS = ["shared_buffers=1GB", "max_wal_size=4GB", "max_connections=120"];

/** Lends a PostgreSQL of its own, in a folder that is removed afterwards. */
export async function withPostgres<Result>(
  programs: string,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const postgres = await startScratchPostgres(programs, SETTINGS);
  const server = { url: postgres.url, prefix: "bench", count: countTreeCpu(postgres.process) };
  return stopOnInterrupt(postgres.stop, () => use(server));
}
