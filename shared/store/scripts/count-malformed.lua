-- Counts one malformed output for its producer, and in the window of its circuit. An open circuit counts nothing, because
-- what still comes was made before it opened or by what stands in; a half-open one counts what belongs to the trial.
-- KEYS: 1 circuit of the producer's agent
-- ARGV: 1 prefix of the ward's keys, 2 now in ms, 3 producers kept, 4 producer, 5 agent, 6 where in [0, 1) the message stands
local at = { prefix = ARGV[1], now = tonumber(ARGV[2]), rowsMax = 2 * tonumber(ARGV[3]) }
countRate(at, "m", ARGV[4], 1)
local known = redis.call("HMGET", KEYS[1], "state", "counted_share")
if not known[1] or known[1] == "open" then return 0 end
if known[1] == "half_open" and tonumber(ARGV[6]) >= tonumber(known[2] or "1") then return 0 end
countInWindow(at, "m", ARGV[5], 1)
return 1
