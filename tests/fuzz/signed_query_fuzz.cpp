// Input: lines, as what stands in a request beside its body: the query of a signed address, Range, If-None-Match,
// X-Forwarded-For, Content-Disposition, Accept, Prefer, traceparent, tracestate, X-Request-Id. A signature fits only
// when it is the one that we would make ourselves, a range lies in its body, a wait has its bound, and nothing that is
// sent on, as a name of a file, the state of a trace or an id, ends its header.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/uuid.hpp"
#include "http/message/accept.hpp"
#include "http/message/address.hpp"
#include "http/message/conditional.hpp"
#include "http/message/content_disposition.hpp"
#include "http/message/header_parameters.hpp"
#include "http/message/origin.hpp"
#include "http/message/prefer.hpp"
#include "http/message/request_id.hpp"
#include "http/message/request_trace.hpp"
#include "service/delivery/signing.hpp"

namespace {

using namespace tessera;
using namespace tessera::http;

void require(bool holds) {
    if (!holds) std::abort();
}

void require_one_line(std::string_view value) {
    for (const char c : value) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

std::string_view next_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return line;
}

void check_query(std::string_view query) {
    static const service::Signer signer({std::string(32, 's')}, {});
    static const Uuid id = Uuid::parse("0190aaaa-0000-7000-8000-000000000001").value();
    Request request;
    request.query = query;
    for (const std::string_view name : {"expires", "sig"}) {
        const auto plain = plain_query_parameter(query, name);
        if (plain) require(request.query_parameter(name).has_value());
    }
    const auto expires_text = plain_query_parameter(query, "expires");
    const auto signature = plain_query_parameter(query, "sig");
    if (!expires_text || !signature) return;
    const auto expires = service::parse_expires(*expires_text);
    if (!expires) return;
    require(std::to_string(*expires) == *expires_text);
    if (signer.verify_artifact(id, *expires, *signature, Timestamp{})) {
        require(*signature == signer.sign_artifact(id, *expires));
    }
    if (signer.verify_tileset(id, *expires, *expires, *signature, Timestamp{})) {
        require(*signature == signer.sign_tileset(id, *expires, *expires));
    }
}

void check_range(std::string_view header) {
    for (const std::uint64_t size : std::array<std::uint64_t, 4>{0, 1, 1000, ~std::uint64_t{0} >> 1}) {
        const RangeChoice choice = choose_range(header, size);
        if (const auto* range = std::get_if<ByteRange>(&choice)) {
            require(range->length > 0 && range->first < size && range->length <= size - range->first);
        }
    }
}

void check_forwarded(std::string_view header) {
    static const std::array<std::string, 2> proxies{"10.0.0.0/8", "fd00::/8"};
    static const NetworkList trusted = NetworkList::parse(proxies).value();
    static const IpAddress peer = IpAddress::parse("10.1.2.3").value();
    const std::array<HeaderView, 1> line{{{"X-Forwarded-For", header}}};
    const IpAddress client = client_behind_proxies(peer, ListFromEnd(line, "X-Forwarded-For"), trusted);
    require(IpAddress::parse(client.to_string()) == client);
    // However the list is spread over lines, it is the same list.
    const auto comma = header.find(',');
    if (comma == std::string_view::npos) return;
    const std::array<HeaderView, 2> lines{
        {{"X-Forwarded-For", header.substr(0, comma)}, {"x-forwarded-for", header.substr(comma + 1)}}};
    require(client_behind_proxies(peer, ListFromEnd(lines, "X-Forwarded-For"), trusted) == client);
}

void check_disposition(std::string_view text) {
    const auto parsed = parse_parameterised(text);
    if (!parsed) return;
    for (const auto& parameter : parsed->parameters) {
        require_one_line(content_disposition(parameter.value));
        static_cast<void>(decode_extended_value(parameter.value));
    }
}

void check_wishes(std::string_view accept, std::string_view prefer) {
    const std::array<HeaderView, 2> lines{{{"Accept", accept}, {"Accept-Encoding", accept}}};
    for (const auto names : {accepts_problem_details, accepts_html, accepts_open_metrics, accepts_json_ld}) {
        const bool named = names(lines);
        require(!named || !accept.empty());
    }
    static_cast<void>(accepts_encoding(lines, "gzip"));
    Request request;
    const std::array<HeaderView, 1> wishes{{{"Prefer", prefer}}};
    request.headers = wishes;
    const auto wait = preferred_wait(request);
    if (wait) require(wait->count() >= 0 && *wait <= longest_preferred_wait);
    static_cast<void>(prefers_timing(request));
}

void check_trace(std::string_view parent, std::string_view state, std::string_view inbound) {
    RequestId id;
    id.choose(inbound);
    require(RequestId::is_valid(id.view()));
    require_one_line(id.view());
    const std::array<HeaderView, 2> lines{{{"traceparent", parent}, {"tracestate", state}}};
    const RequestTrace trace = trace_of(lines, id);
    for (const char c : trace.state) require(c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    require(trace.caller.has_value() || trace.state.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    check_query(next_line(rest));
    check_range(next_line(rest));
    static_cast<void>(if_none_match_names(next_line(rest), "\"tag\""));
    check_forwarded(next_line(rest));
    check_disposition(next_line(rest));
    const std::string_view accept = next_line(rest);
    check_wishes(accept, next_line(rest));
    const std::string_view parent = next_line(rest);
    const std::string_view state = next_line(rest);
    check_trace(parent, state, next_line(rest));
    return 0;
}
