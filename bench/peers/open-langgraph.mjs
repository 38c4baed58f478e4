import { randomUUID } from "node:crypto";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import pg from "pg";
import { createPayload } from "../peer/payload.ts";
import { Ends } from "../peer/peer.ts";

const CONNECTIONS = 20;

/** A graph of three nodes with the PostgreSQL checkpointer; each node hands on the whole payload, as an agent does. */
export async function open({ url }) {
  const ends = new Ends();
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  const pass = ({ payload }) => ({ payload: { ...payload } });
  const graph = new StateGraph(Annotation.Root({ payload: Annotation() }))
    .addNode("first", pass)
    .addNode("second", pass)
    .addNode("third", pass)
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", "third")
    .addEdge("third", END)
    .compile({ checkpointer });
  let failed;
  return {
    ends,
    async submit({ onEnd }) {
      if (failed !== undefined) throw failed;
      const runId = randomUUID();
      ends.expect(runId, onEnd);
      // A checkpoint is written before the next node begins, as all others here do.
      const options = { configurable: { thread_id: runId }, durability: "sync" };
      graph.invoke({ payload: createPayload() }, options).then(
        () => ends.end(runId),
        (error) => (failed = error),
      );
    },
    work: async () => undefined,
    close: () => pool.end(),
  };
}
