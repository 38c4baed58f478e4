-- Counts the quarantined cases of groups.
local counts = {}
for i, index in ipairs(groups) do counts[i] = #redis.call("ZINTER", 2, quarantined, index) end
return counts
