-- Replaces a reservation by the true cost and stores the paid answer, fenced by the surgeon's job lock.
-- A case that was deleted meanwhile must not be recreated by this.
local isThere = redis.call("EXISTS", case) == 1
if isThere then redis.call("HINCRBY", case, "cost_micro", more) end
if redis.call("EXISTS", group) == 1 then redis.call("HINCRBY", group, "cost_micro", more) end
for _, key in ipairs({ spentInHour, spentByTenant }) do
  if redis.call("EXISTS", key) == 1 then redis.call("INCRBY", key, moreInHour) end
end
if isThere and answerField then redis.call("HSETNX", case, answerField, answer) end
