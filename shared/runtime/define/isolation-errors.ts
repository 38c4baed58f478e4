import { SutureError } from "#shared/errors";

/** A team needs what isolated agents (`SUTURE_TRUST=isolated`) cannot do. Start-up stops. */
export class IsolationUnsupportedError extends SutureError {
  constructor(team: string, problem: string) {
    super({
      code: "ISOLATION_UNSUPPORTED",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Team ${team} cannot work with SUTURE_TRUST=isolated: ${problem}.`,
      remedy:
        "Load the team in a deployment of its own with SUTURE_TRUST=shared, or leave it out of SUTURE_TEAMS.",
    });
  }
}

/** A handler asked for a board, which isolated agents cannot share. */
export class BoardIsolatedError extends SutureError {
  constructor(agent: string, board: string) {
    super({
      code: "BOARD_ISOLATED",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Agent ${agent} cannot use the board ${board} with SUTURE_TRUST=isolated.`,
      remedy:
        "Run the team with SUTURE_TRUST=shared, or hand on in messages what the board would hold. Declare `boards` with the agent, and its team is refused at start.",
    });
  }
}
