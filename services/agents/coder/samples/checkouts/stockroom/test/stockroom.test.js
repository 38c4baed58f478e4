import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_POLICY, policyOf } from "../src/default-policy.js";
import { readDelivery } from "../src/read-delivery.js";
import { Stockroom } from "../src/stockroom.js";

const NOTE = ["code;name;quantity;price", "B-1;bolt;40;12", "N-1;nut;3;8"].join("\n");

describe("policies", () => {
  it("lays an article's own wishes over the defaults", () => {
    assert.deepEqual(policyOf({ policy: { reorderAt: 50 } }), {
      reorderAt: 50,
      reorderQuantity: 20,
      suppliers: [],
    });
  });

  it("leaves the defaults as they were", () => {
    policyOf({ policy: { reorderAt: 50 } });
    assert.equal(DEFAULT_POLICY.reorderAt, 5);
    assert.equal(policyOf({}).reorderAt, 5);
  });
});

describe("deliveries", () => {
  it("are read line by line", () => {
    assert.deepEqual(readDelivery(NOTE), [
      { code: "B-1", name: "bolt", quantity: 40, price: 12 },
      { code: "N-1", name: "nut", quantity: 3, price: 8 },
    ]);
  });

  it("need their heading", () => {
    assert.throws(() => readDelivery("B-1;bolt;40;12"), SyntaxError);
  });
});

describe("the stockroom", () => {
  it("adds what is delivered to what is there", () => {
    const room = new Stockroom();
    room.add({ code: "B-1", name: "bolt", quantity: 10, price: 12 });
    room.receive(readDelivery(NOTE));
    assert.equal(room.find("B-1").quantity, 50);
    assert.equal(room.value(), 50 * 12 + 3 * 8);
  });

  it("orders what runs short, by each article's own policy", () => {
    const room = new Stockroom();
    const policy = { reorderAt: 40, reorderQuantity: 100 };
    room.add({ code: "B-1", name: "bolt", quantity: 30, price: 12, policy });
    room.add({ code: "N-1", name: "nut", quantity: 30, price: 8 });
    assert.deepEqual(room.reorders(), [{ code: "B-1", quantity: 100 }]);
  });

  it("gives nothing that it does not have", () => {
    const room = new Stockroom();
    room.add({ code: "B-1", name: "bolt", quantity: 2, price: 12 });
    assert.throws(() => room.withdraw("B-1", 3), RangeError);
    assert.equal(room.withdraw("B-1", 2), 0);
  });
});
