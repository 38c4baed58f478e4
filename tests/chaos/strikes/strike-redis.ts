import { sleep } from "#shared/clock";
import type { FaultOf } from "../plan/fault.ts";
import type { RedisNode } from "../redis/redis-node.ts";
import type { Struck } from "./struck.ts";

/** Troubles of one server: death, standstill, no memory, no disk. */
export async function strikeRedis(
  node: RedisNode,
  fault: FaultOf<"redis_kill" | "redis_pause" | "redis_full" | "disk_full">,
): Promise<Struck> {
  switch (fault.kind) {
    case "redis_kill": {
      await node.untilWritten();
      const struck = await node.kill();
      await sleep(fault.durationMs);
      await node.start();
      return { struck };
    }
    case "redis_pause": {
      const struck = node.signal("SIGSTOP");
      await sleep(fault.durationMs);
      return { struck: node.signal("SIGCONT") && struck };
    }
    case "redis_full": {
      const before = await node.refusals("OOM");
      await node.admin.config("SET", "maxmemory", "1");
      await sleep(fault.durationMs);
      await node.admin.config("SET", "maxmemory", "0");
      return { struck: (await node.refusals("OOM")) > before };
    }
    case "disk_full": {
      const before = await node.refusals("MISCONF");
      await node.fillDisk();
      await sleep(fault.durationMs);
      // With `appendfsync always` it ends rather than acknowledge what it cannot keep.
      const isOver = !node.isAlive;
      const refused = isOver ? 0 : (await node.refusals("MISCONF")) - before;
      if (isOver) await node.start();
      else await node.enlargeDisk();
      return { struck: isOver || refused > 0 };
    }
  }
}
