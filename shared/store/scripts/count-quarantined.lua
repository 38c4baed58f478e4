-- Counts the cases of groups that wait for a person.
-- KEYS: 1 index of cases in quarantine, then the index of each group
-- Reply: a count for each group
local counts = {}
for i = 2, #KEYS do counts[i - 1] = #redis.call("ZINTER", 2, KEYS[1], KEYS[i]) end
return counts
