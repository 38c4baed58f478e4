import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { strikeRedis } from "../strikes/strike-redis.ts";
import { RedisNode } from "./redis-node.ts";

const VALUE = "x".repeat(200);

async function openNode(fsync: "always" | "everysec"): Promise<RedisNode> {
  const dir = mkdtempSync(join(tmpdir(), "suture-chaos-node-"));
  const node = await RedisNode.open({ dir, fsync });
  onTestFinished(async () => {
    await node.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return node;
}

describe("a disk that is full for a while", () => {
  it.each(["always", "everysec"] as const)(
    "strikes a Redis with fsync %s, which then works again",
    async (fsync) => {
      const node = await openNode(fsync);
      const isOver = new AbortController();
      const acknowledged: string[] = [];
      const write = async (): Promise<void> => {
        for (let index = 0; !isOver.signal.aborted; index += 1) {
          const isWritten = await node.admin.set(`k-${index}`, VALUE).then(
            () => true,
            () => false,
          );
          if (isWritten) acknowledged.push(`k-${index}`);
        }
      };
      const writing = write();
      const { struck } = await strikeRedis(node, {
        kind: "disk_full",
        target: "redis",
        atMs: 0,
        durationMs: 1500,
      });
      expect(struck).toBe(true);
      await expect.poll(() => node.admin.set("after", "1").catch(() => null), { timeout: 60_000 }).toBe("OK");
      isOver.abort();
      await writing;
      // With a sync each second, a write that meets a slow sync waits for it in memory, though it is acknowledged.
      await expect
        .poll(() => node.admin.info("persistence").catch(() => ""), { timeout: 60_000 })
        .toMatch(/aof_buffer_length:0[^]*aof_pending_bio_fsync:0/);
      await node.kill();
      await node.start();
      await expect.poll(() => node.admin.ping().catch(() => null), { timeout: 60_000 }).toBe("PONG");
      expect(await node.admin.get("after")).toBe("1");
      const gone = acknowledged.length - (await node.admin.exists(...acknowledged));
      expect(gone).toBe(0);
    },
    60_000,
  );
});
