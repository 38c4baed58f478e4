-- Takes back a handoff that its receiver has not accepted in time: settles it as rejected, and a worker that takes it
-- later replays that outcome.
local seen = redis.call("HMGET", ledger, "accepted", "outcome", "requeues")
if seen[1] or seen[2] or seen[3] then return 0 end
-- A first delivery begins without a ledger entry: the job shows that it was started.
if redis.call("HEXISTS", job, "ats") == 1 then return 0 end
applyEffects()
redis.call("HSET", ledger, "outcome", outcome, "digest", digest)
redis.call("PEXPIRE", ledger, lifeMs)
return 1
