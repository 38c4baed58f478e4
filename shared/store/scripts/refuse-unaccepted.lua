-- Takes a handoff back that its receiver has not accepted in time: it counts as rejected, and a worker that finds it
-- later replays that.
-- KEYS: 1 ledger of the receiver, 2 outbox of the receiver, 3 its job
-- ARGV: 1 outcome, 2 digest, 3 ledger life in ms, 4 outbox entry id, or "" where a relay does what follows from it and asks
--       again until that is done, 5 outbox entry
-- Reply: 1 taken back | 0 accepted or settled by now
local seen = redis.call("HMGET", KEYS[1], "accepted", "outcome", "requeues")
if ARGV[4] == "" and seen[2] == ARGV[1] then return 1 end
if seen[1] or seen[2] or seen[3] then return 0 end
-- A first delivery is begun without a word to the ledger: the job tells that it was started.
if redis.call("HEXISTS", KEYS[3], "ats") == 1 then return 0 end
redis.call("HSET", KEYS[1], "outcome", ARGV[1], "digest", ARGV[2])
redis.call("PEXPIRE", KEYS[1], ARGV[3])
if ARGV[4] ~= "" then redis.call("HSET", KEYS[2], ARGV[4], ARGV[5]) end
return 1
