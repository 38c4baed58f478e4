-- Counts one malformed output for its producer, and in the window of its circuit. An open circuit counts nothing,
-- because such outputs were made before it opened or by a substitute; a half-open one counts those of the trial.
countRate("m", producer, 1)
local known = redis.call("HMGET", circuit, "state", "counted_share")
if not known[1] or known[1] == "open" then return end
if known[1] == "half_open" and point >= tonumber(known[2] or "1") then return end
countInWindow("m", agent, 1)
