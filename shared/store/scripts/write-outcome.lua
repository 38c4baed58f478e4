-- Part of other scripts: the fence before an outcome, and the outcome.
-- KEYS: 1 ledger, 2 job lock, 3 cancelled mark of the run
-- ARGV: 1 lock token, 2 field ("outcome", or "d:<job id>" for one delivery), 3 outcome, 4 ledger life in ms,
--       5 "1" when the outcome is one that cancellation overrides, 6 digest of the sealed bytes, 7 cost and tokens so far

-- Reply: nil when the outcome may be written | {0, outcome} settled before | {-1} the lock is lost | {-2} the run was cancelled
local function refusal()
  local settled = redis.call("HMGET", KEYS[1], "outcome", ARGV[2])
  if settled[1] or settled[2] then return {0, settled[1] or settled[2]} end
  local held = redis.call("MGET", KEYS[2], KEYS[3])
  if held[1] ~= ARGV[1] then return {-1} end
  if ARGV[5] == "1" and held[2] then return {-2} end
end

local function writeOutcome()
  redis.call("HSET", KEYS[1], ARGV[2], ARGV[3], "digest", ARGV[6], "billed", ARGV[7])
  if ARGV[2] == "outcome" then
    redis.call("PEXPIRE", KEYS[1], ARGV[4])
  else
    redis.call("HINCRBY", KEYS[1], "requeues", 1)
  end
end
