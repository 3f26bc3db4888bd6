// The addresses to listen on, and the one that clients are told.
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "app/config/config.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/trouble.hpp"
#include "http/message/address.hpp"
#include "http/server/listen_socket.hpp"

namespace tessera::app {
namespace {

// Bound as a start does, and let go at once.
Diagnosis listening_on(const std::string& key, const std::string& text) {
    const std::string name = "address " + text;
    const auto address = http::ListenAddress::parse(text);
    if (!address) return failure(name, told(address.error()), "correct " + key);
    const auto bound = http::bind_for_loops(*address, 1, false);
    if (bound) return fine(name, "free");
    return failure(name, told(bound.error()), "stop whoever listens there, or set " + key + " to another address");
}

bool is_open_to_others(const Config& config) {
    for (const std::string& text : config.server.listen) {
        const auto address = http::ListenAddress::parse(text);
        if (address && !address->is_loopback()) return true;
    }
    return false;
}

Diagnosis public_address(const Config& config) {
    const std::string name = "public address";
    const std::string& url = config.links.public_url;
    const bool open = is_open_to_others(config);
    if (url.empty() && (open || !config.server.trusted_proxies.empty())) {
        return warning(name, "server.public_url is not set: signed addresses begin with whatever a client connected to",
                       "set server.public_url to what clients call this service");
    }
    if (url.empty()) return fine(name, "not set, and only this machine can connect");
    const auto parsed = boost::urls::parse_uri(url);
    const std::string host = parsed ? std::string(parsed->host()) : "";
    if (open && (host == "localhost" || host == "127.0.0.1" || host == "[::1]")) {
        return warning(name, url + " is this machine's alone, and others can connect",
                       "set server.public_url to what clients call this service");
    }
    if (parsed && parsed->scheme() == "http" && host != "localhost" && host != "127.0.0.1" && host != "[::1]") {
        return warning(name, url + ": keys and pictures travel unencrypted",
                       "put a proxy with TLS before the service and name its https address");
    }
    return fine(name, url);
}

}  // namespace

Diagnoses look_at_addresses(const Config& config) {
    Diagnoses found;
    for (const std::string& text : config.server.listen) found.push_back(listening_on("server.listen", text));
    for (const std::string& text : config.server.admin_listen) {
        found.push_back(listening_on("server.admin_listen", text));
    }
    for (const std::string& text : config.console.operator_listen) {
        found.push_back(listening_on("console.operator_listen", text));
    }
    found.push_back(public_address(config));
    return found;
}

}  // namespace tessera::app
