import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";

const Order = contract("pay.order@1", z.strictObject({ order: z.string() }));

/** A provider outside that carries out every payment, whatever its key: agents must not ask twice. */
export class Provider {
  readonly payments: { readonly order: string; readonly key: string; readonly receipt: string }[] = [];
  /** Times that it was asked whether it has carried out a payment. */
  questions = 0;

  /** Returns a team of one agent that pays an order. @param asks - It asks the provider what it does not know. */
  team({ asks }: { readonly asks: boolean }): Team {
    const reconcile = async (key: string) => {
      this.questions += 1;
      const found = this.payments.find((one) => one.key === key);
      return found === undefined ? { done: false as const } : { done: true as const, value: found.receipt };
    };
    const payer = agent("payer@1", {
      accepts: Order,
      handle: async ({ order }, ctx) => {
        const act = (key: string): Promise<string> => this.pay(order, key);
        return ctx.complete({ order, receipt: await ctx.once("pay", act, asks ? { reconcile } : {}) });
      },
    });
    return team("shop", [payer]);
  }

  private async pay(order: string, key: string): Promise<string> {
    await sleep(5);
    const receipt = `receipt ${this.payments.length}`;
    this.payments.push({ order, key, receipt });
    return receipt;
  }
}
