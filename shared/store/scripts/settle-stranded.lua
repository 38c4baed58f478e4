-- Settles a message whose job the engine gave up: a worker that finds the message later, because a late duplicate of
-- its job was added, replays that and never handles what waits for a person.
if redis.call("HEXISTS", ledger, "outcome") == 1 then return 0 end
redis.call("HSET", ledger, "outcome", outcome)
redis.call("PEXPIRE", ledger, lifeMs)
redis.call("HSET", outbox, entryId, entry)
return 1
