/**
 * Every crash point: its window (W0 to W32, in order) and its place. docs/crash-windows.md has the process of each,
 * what would go wrong there and what closes it; a test holds the page and this list together.
 */
export const CRASH_POINTS = [
  "W0:after_accept_before_reply",
  "W1:accept_reply_lost",
  "W2:after_take_before_work",
  "W3:after_answer_before_record",
  "W4:after_effect_before_record",
  "W7:before_complete",
  "W8:after_complete",
  "W9:before_commit",
  "W11:after_case_before_job_gone",
  "W14:after_lift",
  "W15:after_trial_before_discharge",
  "W16:after_turn_before_claim",
  "W16:after_claim_before_question",
  "W16:after_reserve_before_question",
  "W16:after_answer_before_kept",
  "W16:after_kept_before_verdict",
  "W16:before_verdict",
  "W17:after_verdict_before_turn_end",
  "W17:after_turn_end_before_call",
  "W18:after_decision_before_count",
  "W19:after_notice_before_forgotten",
  "W20:after_collect_before_commit",
  "W22:after_board_write_before_commit",
  "W31:before_mark",
  "W31:after_mark_before_retry",
  "W31:after_retry_before_finish",
  "W32:after_archived_before_deleted",
] as const;

export type CrashPointName = (typeof CRASH_POINTS)[number];
