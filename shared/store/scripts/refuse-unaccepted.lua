-- Takes a handoff back that its receiver has not accepted in time: it counts as rejected, and a worker that finds it
-- later replays that.
local seen = redis.call("HMGET", ledger, "accepted", "outcome", "requeues")
-- Without an entry, a relay does what follows and asks again until that is done.
if not entryId and seen[2] == outcome then return 1 end
if seen[1] or seen[2] or seen[3] then return 0 end
-- A first delivery is begun without a word to the ledger: the job tells that it was started.
if redis.call("HEXISTS", job, "ats") == 1 then return 0 end
redis.call("HSET", ledger, "outcome", outcome, "digest", digest)
redis.call("PEXPIRE", ledger, lifeMs)
if entryId then redis.call("HSET", outbox, entryId, entry) end
return 1
