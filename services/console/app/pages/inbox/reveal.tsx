import { useState } from "react";
import { $api, api } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { isAttached } from "../../parts/group-name.tsx";
import parts from "../../parts/parts.module.css";
import { ReasonForm } from "../../parts/reason-form.tsx";
import type { CaseView } from "./case-data.ts";

const MASK = "[sensitive]";

/** Shows what is masked in a case, to admins, who say why: that is written down before anything is shown. */
export function Reveal({
  view,
  onRevealed,
}: {
  readonly view: CaseView;
  readonly onRevealed: (view: CaseView) => void;
}) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const [isOpen, setOpen] = useState(false);
  const [why, setWhy] = useState("");
  const [path, setPath] = useState("");
  const isOwn = !isAttached(view.case.case_id);
  if (session?.role !== "admin" || !isOwn || !JSON.stringify(view).includes(MASK)) return null;
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Reveal what is masked…</Button>;
  const send = async (said: string): Promise<void> => {
    const place = path.trim();
    const { data } = await api.POST("/v1/ward/cases/{case_id}/reveal", {
      params: { path: { case_id: view.case.case_id } },
      body: { why: said, ...(place === "" ? {} : { path: place }) },
    });
    if (data !== undefined) onRevealed(data);
    setOpen(false);
  };
  return (
    <ReasonForm title="Reveal" why={why} onWhy={setWhy} send={send} onCancel={() => setOpen(false)}>
      <label>
        <span>Place (empty: all)</span>
        <input
          className={parts.input}
          maxLength={300}
          autoComplete="off"
          placeholder="/patient"
          value={path}
          onChange={({ target }) => setPath(target.value)}
        />
      </label>
    </ReasonForm>
  );
}
