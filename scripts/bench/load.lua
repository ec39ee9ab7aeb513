-- wrk script: sends the requests that bench.ts wrote. BENCH_FILE holds head and body of one request, with a blank line between
-- them; `@name@` in it stands for a value that differs from request to request, counted from BENCH_START.
local text = assert(io.open(os.getenv("BENCH_FILE"), "rb")):read("*a")
local counter = tonumber(os.getenv("BENCH_START") or "0")
local first = tonumber(os.getenv("BENCH_FIRST_DAY") or "0")
-- "doctors" takes the doctors in turn, as patients come; otherwise a doctor's days are filled one after the other.
local spread = os.getenv("BENCH_SPREAD") == "doctors"
local head, body = text:match("^(.-)\n\n(.*)$")
local method, path = head:match("^(%u+) (%S+)")
local headers = {}
for name, value in head:gmatch("\n([%w-]+): ([^\n]*)") do headers[name] = value end

-- Doctors without opening hours accept any time: 14 of them, 96 quarter hours per day, 360 days.
local doctors = { 102, 103, 104, 105, 106, 107, 108, 109, 110, 201, 202, 203, 204, 205 }
local function booking()
  counter = counter + 1
  local slot = counter % 96
  local doctor = doctors[math.floor(counter / 96) % #doctors + 1]
  if spread then
    doctor = doctors[counter % #doctors + 1]
    slot = math.floor(counter / #doctors) % 96
  end
  local day = math.floor(counter / (96 * #doctors)) % 360
  return {
    reg = "R" .. counter,
    -- Each patient has a different phone, so that a search by phone finds few rows.
    phone = string.format("9%09d", counter),
    doctor = tostring(doctor),
    center = tostring(math.floor(doctor / 100)),
    date = os.date("!%Y-%m-%d", first + day * 86400),
    time = string.format("%02d:%02d:00", math.floor(slot / 4), slot % 4 * 15),
  }
end

local varies = text:find("@reg@", 1, true) ~= nil
local constant
function request()
  if not varies then
    constant = constant or wrk.format(method, path, headers, body ~= "" and body or nil)
    return constant
  end
  local values = booking()
  local fill = function(s) return (s:gsub("@(%l+)@", values)) end
  return wrk.format(method, fill(path), headers, body ~= "" and fill(body) or nil)
end

function done(summary, latency)
  io.write(string.format(
    'BENCH {"requests":%d,"micros":%d,"p50":%.1f,"p99":%.1f,"max":%.1f,"status":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    summary.errors.status, summary.errors.connect, summary.errors.read, summary.errors.write, summary.errors.timeout))
end
