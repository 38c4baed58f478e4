-- Counts the cases of groups that wait for a person.
local counts = {}
for i, index in ipairs(groups) do counts[i] = #redis.call("ZINTER", 2, quarantined, index) end
return counts
