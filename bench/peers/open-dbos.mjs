import { DBOS } from "@dbos-inc/dbos-sdk";
import { createPayload } from "../peer/payload.ts";
import { Ends } from "../peer/peer.ts";

/** One workflow of three steps; DBOS writes each step's result to PostgreSQL before the next begins. */
export async function open({ url }) {
  const ends = new Ends();
  const chain = DBOS.registerWorkflow(
    async (payload) => {
      const first = await DBOS.runStep(async () => payload, { name: "first" });
      const second = await DBOS.runStep(async () => first, { name: "second" });
      return DBOS.runStep(async () => second, { name: "third" });
    },
    { name: "chain" },
  );
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, logLevel: "error" });
  await DBOS.launch();
  let failed;
  return {
    ends,
    async submit({ onEnd }) {
      if (failed !== undefined) throw failed;
      const handle = await DBOS.startWorkflow(chain)(createPayload());
      ends.expect(handle.workflowID, onEnd);
      handle.getResult().then(
        () => ends.end(handle.workflowID),
        (error) => (failed = error),
      );
    },
    work: async () => undefined,
    close: () => DBOS.shutdown(),
  };
}
