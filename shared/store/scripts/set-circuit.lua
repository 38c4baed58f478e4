-- Opens a circuit by hand, which then stays open, or closes it, which makes it automatic again.
local from = redis.call("HGET", circuit, "state")
if not from then return "absent" end
if seenGeneration and tonumber(redis.call("HGET", circuit, "generation")) ~= seenGeneration then return "stale" end
moveCircuit(agent, from, to, { untilMs = 0, heldBy = to == "open" and by or "", good = 0, malformed = 0, why = why,
  cause = "a person decided so" })
return "set"
