-- A person opens a circuit, which then stays open, or closes it, which lets it open again by itself.
-- KEYS: 1 circuit
-- ARGV: 1 prefix of the ward's keys, 2 now in ms, 3 the same as text, 4 who, 5 notices kept, 6 audit length, 7 agent,
--       8 "open" or "closed", 9 why, 10 generation that was looked at or ""
-- Reply: "set" | "stale" | "absent"
local at = { prefix = ARGV[1], now = tonumber(ARGV[2]), text = ARGV[3], by = ARGV[4], noticesMax = ARGV[5],
  auditLength = tonumber(ARGV[6]) }
local from = redis.call("HGET", KEYS[1], "state")
if not from then return "absent" end
if ARGV[10] ~= "" and redis.call("HGET", KEYS[1], "generation") ~= ARGV[10] then return "stale" end
moveCircuit(at, ARGV[7], from, ARGV[8], { untilMs = 0, heldBy = ARGV[8] == "open" and ARGV[4] or "", good = 0,
  malformed = 0, why = ARGV[9], cause = "a person decided so" })
return "set"
