-- wrk: asks for the paths in the file TILE_PATHS in turn, with the header TILE_KEY if there is one. Requests are
-- written out once, so that the client costs as little as it can.
local requests = {}
local at = 0

function init()
    if os.getenv("TILE_KEY") then wrk.headers["X-API-Key"] = os.getenv("TILE_KEY") end
    for path in io.lines(os.getenv("TILE_PATHS")) do
        requests[#requests + 1] = wrk.format("GET", path)
    end
end

function request()
    at = at % #requests + 1
    return requests[at]
end
