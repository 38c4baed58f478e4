import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkPayload, contract, ContractRegistry } from "#shared/contract";
import type { SutureError } from "#shared/errors";

const V1 = contract("refund@1", z.object({ order: z.string() }));
const V2 = contract("refund@2", z.object({ order_id: z.string() }), {
  // Given only what passed version 1 or claims to.
  upcast: (old) => ({ order_id: (old as { order: string }).order }),
});
const V3 = contract("refund@3", z.object({ order_id: z.string(), urgent: z.boolean() }), {
  upcast: (old) => ({ ...(old as object), urgent: false }),
});

function thrownBy(work: () => unknown): SutureError {
  try {
    work();
  } catch (error) {
    return error as SutureError;
  }
  throw new Error("nothing was thrown");
}

describe("contract", () => {
  it.each(["refund", "refund@0", "Refund@1", "refund@1.0", "@1", "a b@1", "__proto__@1"])(
    "refuses the id %s",
    (id) => {
      expect(thrownBy(() => contract(id, z.string())).code).toBe("CONTRACT_DEFINITION");
    },
  );

  it("refuses a schema that JSON Schema cannot say", () => {
    expect(thrownBy(() => contract("x@1", z.object({ at: z.date() }))).code).toBe("CONTRACT_DEFINITION");
  });

  it("carries its fields' marks into the JSON Schema", () => {
    const marked = contract(
      "pay@1",
      z.object({ amount: z.number().meta({ "x-locked": true, "x-unit": "EUR" }) }),
    );
    expect(marked.jsonSchema).toMatchObject({
      title: "pay@1",
      properties: { amount: { "x-locked": true, "x-unit": "EUR" } },
    });
  });
});

describe("checkPayload", () => {
  const Order = contract(
    "order@1",
    z.strictObject({ items: z.array(z.object({ sku: z.string(), "a/b~c": z.number() })), total: z.number() }),
    {
      check: ({ items, total }) =>
        total < items.length ? [{ path: "/total", code: "too_low", message: "less than one each" }] : [],
    },
  );

  it("names every fault with its JSON pointer", () => {
    const error = thrownBy(() =>
      checkPayload(Order, { items: [{ sku: 1, "a/b~c": "x" }], extra: 1, more: 2 }, "/input"),
    );
    expect(error.failureClass).toBe("validation_error");
    expect(error.paths).toEqual(
      expect.arrayContaining([
        "/input/items/0/sku",
        "/input/items/0/a~1b~0c",
        "/input/total",
        "/input/extra",
        "/input/more",
      ]),
    );
  });

  it("tells wrong meaning from wrong form", () => {
    const error = thrownBy(() => checkPayload(Order, { items: [{ sku: "a", "a/b~c": 1 }], total: 0 }));
    expect(error).toMatchObject({ failureClass: "content_error", paths: ["/total"] });
  });
});

describe("ContractRegistry", () => {
  const registry = new ContractRegistry([V1, V2, V3]);

  it("lifts a payload through every version between", () => {
    expect(registry.upcast("refund@1", V3, { order: "A1" })).toEqual({ order_id: "A1", urgent: false });
    expect(registry.upcast("refund@2", V3, { order_id: "A1" })).toEqual({ order_id: "A1", urgent: false });
  });

  it("takes a payload that no upcaster can lift for a bad payload, and says where", () => {
    const old = z.object({ order: z.string() });
    const Strict = contract("refund@2", z.object({ order_id: z.string() }), {
      upcast: (payload) => ({ order_id: old.parse(payload).order }),
    });
    const lift = (payload: unknown): unknown =>
      new ContractRegistry([Strict]).upcast("refund@1", Strict, payload);
    expect(thrownBy(() => lift({ order: 7 }))).toMatchObject({
      failureClass: "validation_error",
      paths: ["/order"],
    });
    expect(thrownBy(() => registry.upcast("refund@1", V3, null)).failureClass).toBe("validation_error");
  });

  it("refuses a newer version as unsupported, so that it waits for a newer worker", () => {
    expect(thrownBy(() => registry.upcast("refund@4", V3, {})).failureClass).toBe("unsupported_version");
  });
});
