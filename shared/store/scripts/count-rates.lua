-- Adds to counts of this minute, this hour and this day. Fields beyond the limit are summed in the overflow field of their
-- prefix, so that sums stay exact and no key grows without limit.
local function count(hash, lifeMs)
  for _, row in ipairs(rows) do
    local field = row.field
    if redis.call("HEXISTS", hash, field) == 0 and redis.call("HLEN", hash) >= rowsMax then
      field = string.sub(field, 1, 2) .. "others"
    end
    redis.call("HINCRBY", hash, field, row.count)
  end
  redis.call("PEXPIRE", hash, lifeMs)
end

count(ofMinute, 65 * 60000)
count(ofHour, 49 * 3600000)
count(ofDay, 32 * 86400000)
