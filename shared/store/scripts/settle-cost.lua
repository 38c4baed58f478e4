-- Puts the true cost in place of what was reserved and keeps the paid answer, for the surgeon that still holds the job.
-- A case that was closed and forgotten meanwhile must not come back as a shell.
local isThere = redis.call("EXISTS", case) == 1
if isThere then redis.call("HINCRBY", case, "cost_micro", more) end
if redis.call("EXISTS", group) == 1 then redis.call("HINCRBY", group, "cost_micro", more) end
for _, key in ipairs({ spentInHour, spentByTenant }) do
  if redis.call("EXISTS", key) == 1 then redis.call("INCRBY", key, moreInHour) end
end
if isThere and answerField then redis.call("HSETNX", case, answerField, answer) end
