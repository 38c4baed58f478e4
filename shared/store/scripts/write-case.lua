-- Moves one case of the ward, with what that sets in motion in the outbox, or nothing.
-- KEYS and ARGV: as `apply-case.lua`
-- Reply: as `writeCase` or `caseRefusal`
return caseRefusal() or writeCase()
