-- Part of other scripts: reads the run's id from the stored text of a message, without unpacking it, as a hint alone: what
-- it leads to is asked again, with the verified id, in the script that commits.
local function runIdHint(data) return string.match(data, [[\"run_id\":\"([%x%-]+)]]) end
