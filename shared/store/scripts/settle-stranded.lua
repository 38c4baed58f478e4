-- Settles a message whose job the engine gave up: a worker that finds the message later, because a late duplicate of
-- its job was added, replays that and never handles what waits for a person.
-- KEYS: 1 ledger of the receiver, 2 outbox of the receiver
-- ARGV: 1 outcome, 2 ledger life in ms, 3 outbox entry id, 4 outbox entry
-- Reply: 1 settled | 0 settled before
if redis.call("HEXISTS", KEYS[1], "outcome") == 1 then return 0 end
redis.call("HSET", KEYS[1], "outcome", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
redis.call("HSET", KEYS[2], ARGV[3], ARGV[4])
return 1
