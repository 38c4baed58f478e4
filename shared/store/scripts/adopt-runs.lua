-- Assigns runs of releases without tenants to the default tenant, once per deployment.
if not redis.call("SET", doneMark, 1, "NX") then return end
redis.call("SADD", tenants, defaultTenant)
redis.call("ZUNIONSTORE", indexOfDefault, 2, indexOfDefault, indexOfAll, "AGGREGATE", "MAX")
