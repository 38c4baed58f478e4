-- Gives the runs of releases that knew no tenants to the default one, once for each deployment.
-- KEYS: 1 mark that it is done, 2 index of all runs, 3 index of the default tenant, 4 tenants
-- ARGV: 1 the default tenant
if not redis.call("SET", KEYS[1], 1, "NX") then return 0 end
redis.call("SADD", KEYS[4], ARGV[1])
return redis.call("ZUNIONSTORE", KEYS[3], 2, KEYS[3], KEYS[2], "AGGREGATE", "MAX")
