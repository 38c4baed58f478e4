-- The fenced commit: outcome and outbox in one step, or nothing.
-- KEYS: 1 ledger, 2 job lock, 3 outbox, 4 cancelled mark of the run
-- ARGV: 1 lock token, 2 field ("outcome", or "d:<job id>" for one delivery), 3 outcome, 4 ledger life in ms,
--       5 "1" when the outcome is one that cancellation overrides, 6 outbox entry id or "", 7 outbox entry,
--       8 digest of the sealed bytes, 9 cost and tokens so far
-- Reply: {1} committed | {0, outcome} settled before | {-1} the lock is lost | {-2} the run was cancelled
local settled = redis.call("HMGET", KEYS[1], "outcome", ARGV[2])
if settled[1] or settled[2] then return {0, settled[1] or settled[2]} end
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return {-1} end
if ARGV[5] == "1" and redis.call("EXISTS", KEYS[4]) == 1 then return {-2} end
redis.call("HSET", KEYS[1], ARGV[2], ARGV[3], "digest", ARGV[8], "billed", ARGV[9])
if ARGV[2] == "outcome" then
  redis.call("PEXPIRE", KEYS[1], ARGV[4])
else
  redis.call("HINCRBY", KEYS[1], "requeues", 1)
end
if ARGV[6] ~= "" then redis.call("HSET", KEYS[3], ARGV[6], ARGV[7]) end
return {1}
