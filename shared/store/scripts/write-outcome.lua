-- Part of other scripts: the fence of an outcome, and the outcome.

-- Returns why the outcome is refused, or nil.
local function refusal()
  local settled = redis.call("HMGET", ledger, "outcome", outcomeField)
  if settled[1] or settled[2] then return { "settled_before", settled[1] or settled[2] } end
  local held = redis.call("MGET", jobLock, cancelledMark)
  if held[1] ~= token then return { "lost" } end
  if isCancellable and held[2] then return { "cancelled" } end
end

local function writeOutcome()
  redis.call("HSET", ledger, outcomeField, outcome, "digest", digest, "billed", billed)
  if outcomeField == "outcome" then
    redis.call("PEXPIRE", ledger, ledgerLifeMs)
  else
    redis.call("HINCRBY", ledger, "requeues", 1)
  end
end
