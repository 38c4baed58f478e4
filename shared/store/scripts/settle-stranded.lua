-- Settles a message whose job BullMQ gave up: a worker that takes a late duplicate of the job replays the outcome
-- instead of handling a message that waits for a person.
if redis.call("HEXISTS", ledger, "outcome") == 1 then return 0 end
applyEffects()
redis.call("HSET", ledger, "outcome", outcome)
redis.call("PEXPIRE", ledger, lifeMs)
return 1
