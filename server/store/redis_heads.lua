-- Where logs end, without sending their last entries along.
-- KEYS logs of one bucket
-- Returns for each the beginning of its last element, '' where there is no log.
local found = {}
for i, log in ipairs(KEYS) do
  local last = redis.call('LINDEX', log, -1)
  found[i] = last and string.sub(last, 1, 5 + string.byte(last, 5)) or ''
end
return found
