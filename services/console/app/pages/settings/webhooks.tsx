import { useState } from "react";
import { $api, api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Empty, Facts, Loaded, Panel, Status, When } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { money, visible, words } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";

type Receiver = Answer<"/v1/webhooks">["receivers"][number];
type Delivery = Receiver["deliveries"][number];

const TRIES: Columns<Delivery> = {
  When: ({ at_ms: at }) => <When at={at} />,
  Event: ({ type }) => type,
  Try: ({ attempts }) => attempts,
  Outcome: ({ outcome, error }) => (
    <>
      <Status of={outcome} /> {error !== null && visible(error)}
    </>
  ),
};

/** Receivers of webhooks, what they took and what waits for them, and the limits of repairs. */
export function Webhooks({ isAdmin }: { readonly isAdmin: boolean }) {
  const query = $api.useQuery("get", "/v1/webhooks");
  const { receivers = [], dropped = 0 } = query.data ?? {};
  return (
    <>
      <Panel title="Webhooks">
        <Loaded query={query}>
          {() =>
            receivers.length === 0 && (
              <Empty title="No surgeon at work has a receiver.">
                SUTURE_WEBHOOKS of the surgeon names them.
              </Empty>
            )
          }
        </Loaded>
        {dropped > 0 && (
          <p className={parts.bad}>{dropped.toLocaleString("en")} dropped so far: a queue was full.</p>
        )}
      </Panel>
      {receivers.map((one) => (
        <OneReceiver key={one.receiver} one={one} isAdmin={isAdmin} />
      ))}
    </>
  );
}

function OneReceiver({ one, isAdmin }: { readonly one: Receiver; readonly isAdmin: boolean }) {
  const [said, setSaid] = useState("");
  const { receiver, host, events, waiting, next } = one;
  const test = async (why: string): Promise<void> => {
    const params = { path: { receiver } };
    const { data } = await api.POST("/v1/webhooks/{receiver}/test", { params, body: { why } });
    const { outcome, error } = data?.delivery ?? { outcome: "no surgeon sent it in time", error: null };
    setSaid(`Test: ${words(outcome)}. ${error ?? ""}`);
  };
  return (
    <TablePanel
      title={`Webhooks to ${host}`}
      rows={one.deliveries}
      keyOf={({ id, attempts }) => `${id} ${attempts}`}
      columns={TRIES}
      empty={<Empty title="Nothing was sent yet.">Each try of the last week stands here, 50 at most.</Empty>}
    >
      <p>
        {events?.join(", ") ?? "All events"}. {waiting.toLocaleString("en")} waiting
        {next.map(({ id, type, attempts, due_ms: due }) => (
          <span key={id}>
            ; {type} after {attempts} tries, next <When at={due} />
          </span>
        ))}
        .
      </p>
      {isAdmin && (
        <AskWhy title={`Test ${host}`} send={test}>
          The surgeon sends one event of the type webhook.test, once.
        </AskWhy>
      )}
      <p role="status">{visible(said)}</p>
    </TablePanel>
  );
}

/** Limits of what repairs may cost, as they are configured. */
export function Limits() {
  const { data } = $api.useQuery("get", "/v1/overview");
  if (data === undefined) return null;
  const limits = Object.entries(data.surgery_limits).map(([name, usd]) => [words(name), money(usd)]);
  return (
    <Panel title="Limits of repairs">
      <Facts of={Object.fromEntries(limits)} />
    </Panel>
  );
}
