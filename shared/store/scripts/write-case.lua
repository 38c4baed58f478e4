-- Moves one case of the ward, with what that sets in motion in the outbox, or nothing.
return caseRefusal() or writeCase()
