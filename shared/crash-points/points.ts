/** One place at which a process may die, sleep or lose its connection, and why that does no harm. */
export interface CrashPointFacts {
  readonly process: "gateway" | "agents" | "surgeon" | "attached ward";
  /** What would go wrong if nothing were done about it. */
  readonly risk: string;
  readonly closedBy: string;
}

/** Every crash point by name, with its window (W0 to W31, in order) and place; docs/crash-windows.md lists them. */
export const CRASH_POINTS = {
  "W0:after_accept_before_reply": {
    process: "gateway",
    risk: "The client hears nothing, asks again, and a second run begins.",
    closedBy: "The idempotency key and the run are one script; the same key gives the same run.",
  },
  "W1:accept_reply_lost": {
    process: "gateway",
    risk: "Redis has accepted the task and the gateway cannot know.",
    closedBy:
      "The answer is 503 with its own code, and the same key finds the run; the script is idempotent.",
  },
  "W2:after_take_before_work": {
    process: "agents",
    risk: "The message stays with a dead worker.",
    closedBy: "Its lock runs out, and the stall check hands the job to the next worker.",
  },
  "W3:after_answer_before_record": {
    process: "agents",
    risk: "An answer was paid for and nobody knows it.",
    closedBy: "Only this one call in flight is repeated; every recorded answer is read from the ledger.",
  },
  "W4:after_effect_before_record": {
    process: "agents",
    risk: "The effect happens twice.",
    closedBy: "It was claimed before it was done: the outside world is asked under the same idempotency key.",
  },
  "W7:before_complete": {
    process: "agents",
    risk: "The engine hands out a settled message again.",
    closedBy: "The ledger replays the outcome, and the handler does not run.",
  },
  "W8:after_complete": {
    process: "agents",
    risk: "The engine's event that the job is done is never heard.",
    closedBy: "Nothing depends on the engine's events.",
  },
  "W9:before_commit": {
    process: "agents",
    risk: "A worker that slept through its lock overwrites what its successor did.",
    closedBy: "Every write compares the engine's lock with the worker's token in the same script.",
  },
  "W11:after_case_before_job_gone": {
    process: "agents",
    risk: "A job that the engine gave up becomes a second case, or a message that is handled beside its case.",
    closedBy:
      "The sweeper settles the message with its case; the next sweep finds it settled and ends the job.",
  },
  "W14:after_lift": {
    process: "agents",
    risk: "A worker of the new version dies over a message of the old one, which then fits no worker.",
    closedBy: "The stored bytes stay as they were sealed; every delivery lifts them anew.",
  },
  "W15:after_trial_before_discharge": {
    process: "surgeon",
    risk: "Messages that wait for the group's turn are never called.",
    closedBy: "A turn is over with its job; upkeep calls who waits, and the recipe is there for them.",
  },
  "W16:after_turn_before_claim": {
    process: "surgeon",
    risk: "The group's turn is held by a dead surgeon, and its messages wait for ever.",
    closedBy: "A turn is its job's, which is delivered again and goes on with it.",
  },
  "W16:after_claim_before_question": {
    process: "surgeon",
    risk: "The case is in surgery and in nobody's hands.",
    closedBy: "Its job is delivered again; who holds it owns what it had claimed.",
  },
  "W16:after_reserve_before_question": {
    process: "surgeon",
    risk: "Money is set aside for a question that was never asked, again with each death.",
    closedBy:
      "It stays set aside, so that limits err on the side of too little; three deaths over one case are for a person.",
  },
  "W16:after_answer_before_kept": {
    process: "surgeon",
    risk: "An answer was paid for and nobody knows it.",
    closedBy: "Only this one call in flight is repeated, and what was set aside for it stays spent.",
  },
  "W16:after_kept_before_verdict": {
    process: "surgeon",
    risk: "The model is asked, and paid, again for what it has answered.",
    closedBy: "The answer is kept with the case, and read from there.",
  },
  "W16:before_verdict": {
    process: "surgeon",
    risk: "A message that was proved is sent by the dead surgeon's successor, and by a zombie.",
    closedBy:
      "The verdict and the message are one script that compares the job's lock and the case's version.",
  },
  "W17:after_verdict_before_turn_end": {
    process: "surgeon",
    risk: "The group's turn is never given back.",
    closedBy: "It is over with its job; upkeep calls who waits.",
  },
  "W17:after_turn_end_before_call": {
    process: "surgeon",
    risk: "Messages that wait for the turn are never called.",
    closedBy: "Upkeep calls who waits for a turn that nobody holds.",
  },
  "W18:after_decision_before_count": {
    process: "surgeon",
    risk: "Work on a whole group decides about one case twice, or loses count.",
    closedBy:
      "The case carries the batch's mark, written with the decision; who comes to it again counts it only.",
  },
  "W19:after_notice_before_forgotten": {
    process: "surgeon",
    risk: "People are told again of what they were told.",
    closedBy: "A notice is told at least once; its id is the same the second time.",
  },
  "W20:after_collect_before_commit": {
    process: "agents",
    risk: "The branch is counted twice, and the join is let go too early or twice.",
    closedBy:
      "A branch is counted once, by its number and message, and what follows from it is in the same script.",
  },
  "W22:after_board_write_before_commit": {
    process: "agents",
    risk: "An entry of a board is written twice, or over what others wrote meanwhile.",
    closedBy: "The write's id is derived from the message and the step; the script that writes knows it.",
  },
  "W24:after_case_before_inbox": {
    process: "surgeon",
    risk: "A dead message is a case and still lies in the inbox: it is taken in again.",
    closedBy:
      "The case has the admission's mark; taking it in again changes nothing, and it leaves the inbox then.",
  },
  "W31:before_mark": {
    process: "attached ward",
    risk: "A repair that was decided is never written.",
    closedBy: "Nothing was changed: the job is still failed, and the next sweep decides again.",
  },
  "W31:after_mark_before_retry": {
    process: "attached ward",
    risk: "A failed job has its new data and is never sent back.",
    closedBy: "The mark says so; any instance finishes it after 30 s, unless somebody else has sent it.",
  },
  "W31:after_retry_before_finish": {
    process: "attached ward",
    risk: "A job that was sent back, and failed again, is sent back a second time for one decision.",
    closedBy: "The mark holds its score in the failed set, which is another one now: no retry follows.",
  },
  "W31:after_kept_before_removed": {
    process: "attached ward",
    risk: "A job runs again and succeeds, or is kept again, and its copies are sent back too.",
    closedBy: "A job has one copy, which is held while the job is there and deleted when it succeeds.",
  },
  "W31:before_kept_added": {
    process: "attached ward",
    risk: "A kept job that was to be sent back is in no queue.",
    closedBy: "It is still kept, and marked: a person says whether it may be added.",
  },
  "W31:after_kept_added": {
    process: "attached ward",
    risk: "A kept job is added twice.",
    closedBy: "The added job has a derived id; if it is gone, a person says whether it may be added again.",
  },
} as const satisfies Readonly<Record<string, CrashPointFacts>>;

export type CrashPointName = keyof typeof CRASH_POINTS;

/** Windows that lie in no process of ours, and what shows them closed. */
export const WINDOWS_ELSEWHERE = {
  W13: "Redis fails over between any two steps and an older record survives: the chaos suite.",
} as const;
