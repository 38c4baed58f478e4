import { beforeEach, describe, expect, test } from "vitest";
import { LoopbackShop } from "../testing/loopback-shop.ts";
import { sandboxOutside } from "../testing/open-support.ts";

let shop: LoopbackShop;
beforeEach(async () => {
  shop = await LoopbackShop.open();
});

const never = new AbortController().signal;
const orders = (limits: object = {}) => sandboxOutside(() => shop.url, limits).orders;

describe("an outside system", () => {
  test.each([
    [
      { status: 429, headers: { "retry-after": "7" } },
      { failureClass: "rate_limited", retryAfterMs: 7000 },
    ],
    [
      { status: 429, headers: { "retry-after": "99999" } },
      { failureClass: "rate_limited", retryAfterMs: 60_000 },
    ],
    [
      { status: 429, headers: { "retry-after": "soon" } },
      { failureClass: "rate_limited", retryAfterMs: 1000 },
    ],
    [{ status: 503 }, { failureClass: "transient" }],
    [{ status: 401 }, { failureClass: "handler_error" }],
    [{ garbage: "<html>busy</html>" }, { failureClass: "transient" }],
    [{ garbage: '{"order_id": 7}' }, { failureClass: "transient" }],
  ])("that answers %j fails as it should, with none of its words", async (trouble, expected) => {
    shop.troubles.push(trouble);
    const failed = orders().find("A-10234", never);
    await expect(failed).rejects.toMatchObject(expected);
    await expect(failed).rejects.not.toThrow(/hunter2|busy/);
  });

  test("that hangs is given up after the time limit", async () => {
    shop.troubles.push({ hang: true });
    await expect(orders({ timeoutMs: 50 }).find("A-10234", never)).rejects.toMatchObject({
      failureClass: "transient",
    });
  });

  test("is left at once when the work is aborted, with the abort's own reason", async () => {
    shop.troubles.push({ hang: true });
    const controller = new AbortController();
    const asked = orders().find("A-10234", controller.signal);
    controller.abort(new RangeError("stopping"));
    await expect(asked).rejects.toThrow("stopping");
  });

  test("that answers without end is cut off", async () => {
    shop.troubles.push({ garbage: "x".repeat(5000) });
    const failed = orders({ answerBytesMax: 1000 }).find("A-10234", never);
    await expect(failed).rejects.toMatchObject({ failureClass: "transient" });
  });

  test("that is not there is a passing failure", async () => {
    const away = sandboxOutside(() => "http://127.0.0.1:9").orders;
    await expect(away.find("A-10234", never)).rejects.toMatchObject({ failureClass: "transient" });
  });

  test("does the same effect once under one key", async () => {
    const { tickets } = sandboxOutside(() => shop.url);
    const draft = { queue: "people", title: "Look", body: "at this", severity: "high" } as const;
    const first = await tickets.make(draft, "key-1", never);
    expect(await tickets.make(draft, "key-1", never)).toEqual(first);
    expect(shop.done("/sandbox/tickets")).toHaveLength(1);
  });

  test("finds nothing under a path that a hostile order number tries to leave", async () => {
    expect(await orders().find("../payments/refunds", never)).toBeNull();
  });
});
