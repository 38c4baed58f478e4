-- Part of other scripts: extracts the run id from the stored text of a message without parsing it. Only a hint: the
-- commit script checks again with the verified id.
local function runIdHint(data) return string.match(data, [[\"run_id\":\"([%x%-]+)]]) end
