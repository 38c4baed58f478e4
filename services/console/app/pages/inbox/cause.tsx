import { useMutation } from "@tanstack/react-query";
import { $api, api } from "../../data/api.ts";
import { Button, Copy, Facts, Panel, When } from "../../parts/page.tsx";
import { counted, money, visible } from "../../parts/text.ts";
import styles from "./inbox.module.css";

/** The surgeon is writing: no news tells when it is done, in ms. */
const WRITING_MS = 1000;

/** The note on the cause of a group: asked for, read, and copied as an issue. What the model wrote is text. */
export function CauseNote({ fingerprint }: { readonly fingerprint: string }) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const params = { path: { fingerprint } };
  const { data, refetch } = $api.useQuery(
    "get",
    "/v1/ward/groups/{fingerprint}/cause",
    { params },
    { refetchInterval: ({ state }) => (state.data?.note?.state === "asked" ? WRITING_MS : false) },
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.POST("/v1/ward/groups/{fingerprint}/cause", { params, body: {} }),
    onSettled: () => void refetch(),
  });
  const note = data?.note ?? null;
  const canAsk = session?.role !== "viewer" && (note === null || note.state === "failed");
  const said = {
    none: "The surgeon's model can say what goes wrong, since when, and what to change. It costs the group's money.",
    asked: "The surgeon is writing it.",
    failed: `It could not be written. ${note?.problem ?? ""}`,
    written: "",
  }[note?.state ?? "none"];
  return (
    <Panel title="Cause note" aside={data?.issue && <Copy of={data.issue} label="Copy as an issue" />}>
      <p role="status" className={styles.quiet}>
        {visible(said)}
      </p>
      {note?.text && (
        <Facts
          of={[
            ["What goes wrong", visible(note.text.what_goes_wrong)],
            ["Since when", visible(note.text.since_when)],
            [`What to change in the ${note.text.change_in}`, visible(note.text.change)],
            [
              "Written",
              <span key="written">
                <When at={note.at} /> by {note.model}, for {note.by}, from{" "}
                {counted(note.examples.length, "case")}, {money(note.cost)}
              </span>,
            ],
          ]}
        />
      )}
      {canAsk && (
        <Button disabled={isPending} onClick={() => mutate()}>
          Write a cause note
        </Button>
      )}
      <p role="alert" className={styles.bad}>
        {error?.message}
      </p>
    </Panel>
  );
}
