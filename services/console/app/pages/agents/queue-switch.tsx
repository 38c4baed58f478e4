import { $api, api, readAgain } from "../../data/api.ts";
import { AskWhy } from "../../parts/ask-why.tsx";

interface QueueSwitchProps {
  /** As the API names it. */
  readonly name: string;
  readonly title: string;
  readonly isPaused: boolean;
}

/** Pauses or resumes both lanes of an agent, for operators, with a reason. The one undoes the other. */
export function QueueSwitch({ name, title, isPaused }: QueueSwitchProps) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  if (session === undefined || session.role === "viewer") return isPaused ? "paused" : "open";
  const params = { path: { agent: name } };
  const send = async (why: string): Promise<void> => {
    if (isPaused) await api.POST("/v1/queues/{agent}/resume", { params, body: { why } });
    else await api.POST("/v1/queues/{agent}/pause", { params, body: { why } });
    await readAgain();
  };
  return (
    <AskWhy
      title={`${isPaused ? "Resume" : "Pause"} ${title}`}
      says={
        isPaused
          ? "Messages that wait are given out again, the oldest first."
          : "Messages wait until somebody resumes it; what is in hand ends. Those with a time limit may expire meanwhile."
      }
      send={send}
    >
      {isPaused ? "Resume …" : "Pause …"}
    </AskWhy>
  );
}
