#include "http/api/openapi_parameters.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <stdexcept>
#include <string>

#include "core/tileset.hpp"
#include "service/jobs/job_request.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

struct Parameter {
    std::string_view name;
    std::string_view in;
    bool required;
    std::string_view schema;  // empty where other code knows the rule: see schema_of
    std::string_view description;
};

constexpr Parameter table[] = {
    {"id", "path", true, R"({"type":"string","format":"uuid"})", "A UUID."},
    {"code", "path", true, R"({"type":"string","pattern":"^[a-z_]{3,40}$","examples":["rate_limited"]})",
     "A code that errors have."},
    {"z", "path", true, "", "Zoom level: 0 is one tile, the highest is full size."},
    {"x", "path", true, "", "Column, from the left."},
    {"y", "path", true,
     R"({"type":"string","pattern":"^(0|[1-9][0-9]{0,7})\\.(png|jpg|jpeg|webp)$","examples":["5.png"]})",
     "Row, from the top, with the extension of the tileset's format."},
    {"version", "path", true, R"({"type":"integer","minimum":1,"maximum":999999999999999999})",
     "Version of the tileset."},
    {"version:query", "query", false, R"({"type":"integer","minimum":1,"maximum":999999999999999999})",
     "A version that can be had; the current one where none is named."},
    {"grant", "path", true, R"({"type":"string","pattern":"^[1-9][0-9]{9}-[0-9a-f]{64}$"})",
     "Expiry and signature, as they stand in the address that the service gave."},
    {"region", "path", true,
     R"({"type":"string","pattern":"^(full|square|(pct:)?[0-9]{1,2},[0-9]{1,2},[1-9][0-9]?,[1-9][0-9]?)$","examples":["full","0,0,512,512"]})",
     "Which part: `full`, `square`, `x,y,w,h` in pixels, or `pct:x,y,w,h`, whose numbers may have fractions."},
    {"size", "path", true,
     R"({"type":"string","pattern":"^\\^?(max|[1-9][0-9]{0,2},|,[1-9][0-9]{0,2}|!?[1-9][0-9]{0,2},[1-9][0-9]{0,2}|pct:[1-9][0-9]?)$","examples":["max","800,"]})",
     "How large: `max`, `w,`, `,h`, `w,h`, `!w,h` (within) or `pct:n`; `^` before it allows to enlarge."},
    {"rotation", "path", true, R"({"type":"string","pattern":"^!?(0|90|180|270)$","examples":["0"]})",
     "Degrees clockwise; `!` before it mirrors first. Other numbers to 360 are not implemented."},
    {"file", "path", true,
     R"({"type":"string","pattern":"^(default|color|gray|bitonal)\\.(jpg|png|webp)$","examples":["default.jpg"]})",
     "Quality and format."},
    {"level", "path", true, R"({"type":"integer","minimum":0,"maximum":64})",
     "Level: 0 is one pixel, each level doubles, the highest is full size."},
    {"tile", "path", true,
     R"({"type":"string","pattern":"^(0|[1-9][0-9]{0,7})_(0|[1-9][0-9]{0,7})\\.(png|jpg|webp)$","examples":["5_2.jpg"]})",
     "Column and row, with the extension of the tileset's format."},
    {"expires", "query", true, R"({"type":"integer","minimum":1,"maximum":253402300799})",
     "Unix time at which the address expires."},
    {"sig", "query", true, R"({"type":"string","pattern":"^[0-9a-f]{64}$"})",
     "Signature, as it stands in the address that the service gave."},
    {"limit", "query", false, R"({"type":"integer","minimum":1,"maximum":100,"default":20})",
     "How many at most a page holds."},
    {"cursor", "query", false, R"({"type":"string","pattern":"^[A-Za-z0-9_-]{21}[AQgw]$"})",
     "Where the page starts: `next_cursor` of the page before."},
    {"status", "query", false, R"({"$ref":"#/components/schemas/JobStatus"})", "Only jobs that are in this state."},
    {"operation", "query", false, R"({"$ref":"#/components/schemas/OperationName"})", "Only jobs of this operation."},
    {"asset_id", "query", false, R"({"type":"string","format":"uuid"})",
     "Only jobs whose own asset_id this is; not those that name it among blocks or patches."},
    {"tileset_id", "query", false, R"({"type":"string","format":"uuid"})",
     "Only jobs that name this tileset in their options, or made it."},
    {"Idempotency-Key", "header", false, "",
     "The same key with the same request returns the first request's job; with another request it is a conflict."},
    {"Prefer", "header", false,
     R"({"type":"string","pattern":"^(wait=[0-9]{1,9}(, server-timing)?|server-timing)$","examples":["wait=30"]})",
     "wait=N: the answer comes when the job has ended, or after N seconds (RFC 7240; at most 60). server-timing: the "
     "answer tells in Server-Timing where the request's time went."},
    {"Last-Event-ID", "header", false, R"({"type":"string","pattern":"^[0-9]{1,15}(-[0-9a-f-]{36}-[a-z]{4,9})?$"})",
     "The id of the last event that was seen: what has changed since comes first. Readers of events send it themselves "
     "when they come back."},
    {"job_id", "query", false, R"({"type":"string","format":"uuid"})", "Events of this job alone."},
    {"days", "query", false, R"({"type":"integer","minimum":1,"maximum":90,"default":30})",
     "How many days, of which today is the last."},
    {"feature", "path", true, R"({"type":"string","pattern":"^[a-z_]{1,64}$","examples":["cdn_delivery"]})",
     "The code of a feature."},
    {"q", "query", false, R"({"type":"string","maxLength":200})",
     "Only accounts whose slug or name holds this text, whatever its case; or the one with this id."},
    {"state:accounts", "query", false, R"({"type":"string","enum":["active","suspended","being_erased","erased"]})",
     "Only accounts that are so."},
    {"state:deliveries", "query", false, R"({"type":"string","enum":["pending","delivered","failed"]})",
     "Only deliveries that are so."},
    {"plan", "query", false, R"({"type":"string"})", "Only accounts on this plan."},
    {"account_id", "query", false, R"({"type":"string","format":"uuid"})", "Only what is this account's."},
    {"endpoint_id", "query", false, R"({"type":"string","format":"uuid"})", "Only what was for this endpoint."},
    {"X-Tessera-Console", "header", true, R"({"type":"string","const":"1"})",
     "Says that a page of the console asks: other sites can't send it."},
    {"expires:preview", "query", false, R"({"type":"integer","minimum":1,"maximum":253402300799})",
     "As it stands in the address of the asset's content; absent with a key."},
    {"sig:preview", "query", false, R"({"type":"string","pattern":"^[0-9a-f]{64}$"})",
     "As it stands in the address of the asset's content; absent with a key."},
    {"If-None-Match", "header", false,
     R"({"type":"string","pattern":"^(\\*|(W/)?\"[!#-~]{0,64}\"(, (W/)?\"[!#-~]{0,64}\"){0,8})$"})",
     "Entity tags of what the client has, or *."},
    {"Range", "header", false, R"({"type":"string","pattern":"^bytes=([0-9]{1,12}-([0-9]{1,12})?|-[0-9]{1,12})$"})",
     "One part of the bytes. Several are answered with the whole."},
    {"If-Range", "header", false, R"({"type":"string","pattern":"^(W/)?\"[!#-~]{0,64}\"$"})",
     "The part is wanted only of the bytes with this entity tag."},
};

struct Header {
    std::string_view name;
    std::string_view schema;
    std::string_view description;
};

constexpr Header headers[] = {
    {"X-Request-ID", R"({"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"})",
     "The request's id: the caller's own if it sent a valid one, else a new UUID."},
    {"Retry-After", R"({"type":"integer","minimum":0})", "Seconds to wait, where waiting helps."},
    {"RateLimit-Limit", R"({"type":"integer","minimum":1})", "Requests that a window admits, where there is a limit."},
    {"RateLimit-Remaining", R"({"type":"integer","minimum":0})", "Those left in this window."},
    {"RateLimit-Reset", R"({"type":"integer","minimum":0})", "Seconds until the window ends."},
    {"RateLimit-Policy", R"({"type":"string","pattern":"^\"[a-z_]+\";q=[0-9]+;w=[0-9]+$"})",
     "The limit as a structured field: its name, requests (q) in a window of seconds (w)."},
    {"RateLimit", R"({"type":"string","pattern":"^\"[a-z_]+\";r=[0-9]+;t=[0-9]+$"})",
     "Those left (r) until the window ends (t seconds), under the policy of that name."},
    {"WWW-Authenticate", R"({"type":"string","enum":["Bearer","Cookie"]})", "How to authenticate."},
    {"Set-Cookie", R"({"type":"string"})", "The session, for the browser to keep."},
    {"Idempotency-Replayed", R"({"type":"string","const":"true"})", "No new job was made and nothing was charged."},
    {"Job-Credits", R"({"type":"integer","minimum":1})",
     "What the job costs. It was charged once, when the job was accepted."},
    {"Preference-Applied", R"({"type":"string","pattern":"^wait=[0-9]{1,2}$"})",
     "The wait that was applied, where the request preferred one."},
    {"Server-Timing", R"({"type":"string"})", "Where the request's time went, where it preferred to know."},
    {"X-Accel-Buffering", R"({"type":"string","const":"no"})", "Asks proxies to pass on what comes as it comes."},
    {"Cache-Control", R"({"type":"string"})", "Who may keep the answer, and for how long."},
    {"ETag", R"({"type":"string","pattern":"^\"[!#-~]+\"$"})", "Names these very bytes."},
    {"Link", R"({"type":"string"})", "The only spelling of this picture's address (canonical), and the profile."},
    {"Location", R"({"type":"string"})", "Where to go on."},
    {"Vary", R"({"type":"string","const":"Accept"})", "What the answer depends on beside the address."},
    {"Accept-Ranges", R"({"type":"string","const":"bytes"})", "Parts can be had."},
    {"Content-Range", R"({"type":"string","pattern":"^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$"})", "Which part this is."},
    {"Content-Disposition", R"({"type":"string"})", "A name for the file."},
};

json::object schema_of(const Parameter& parameter) {
    if (parameter.name == "Idempotency-Key") {
        return {
            {"type", "string"}, {"pattern", service::idempotency_key_pattern}, {"minLength", 8}, {"maxLength", 128}};
    }
    if (parameter.name == "z") return {{"type", "integer"}, {"minimum", 0}, {"maximum", max_zoom_level}};
    if (parameter.name == "x") return {{"type", "integer"}, {"minimum", 0}, {"maximum", max_tile_index}};
    return json::parse(parameter.schema).as_object();
}

json::object documented(std::string_view name) {
    const auto* found = std::ranges::find(table, name, &Parameter::name);
    if (found == std::end(table)) throw std::logic_error("a parameter without documentation: " + std::string(name));
    // Where a name has two meanings, what follows a colon tells them apart.
    return {{"name", found->name.substr(0, found->name.find(':'))},
            {"in", found->in},
            {"required", found->required},
            {"description", found->description},
            {"schema", schema_of(*found)}};
}

}  // namespace

json::array openapi_parameters(const Route& route) {
    json::array parameters;
    std::string_view rest = route.pattern;
    for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
        const std::size_t close = rest.find('}', open);
        parameters.push_back(documented(rest.substr(open + 1, close - open - 1)));
        rest.remove_prefix(close);
    }
    for (const std::string& name : route.parameters) parameters.push_back(documented(name));
    return parameters;
}

json::object openapi_headers() {
    json::object made;
    for (const Header& header : headers) {
        made[header.name] = json::object{{"description", header.description}, {"schema", json::parse(header.schema)}};
    }
    return made;
}

json::object header_references(const std::vector<std::string>& names) {
    json::object made;
    for (const std::string& name : names) made[name] = json::object{{"$ref", "#/components/headers/" + name}};
    return made;
}

}  // namespace tessera::http
