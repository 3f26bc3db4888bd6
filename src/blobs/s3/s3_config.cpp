#include "blobs/s3/s3_config.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/hex.hpp"

namespace tessera::blobs {

namespace {

Error wrong(std::string message) {
    return {ErrorCode::invalid_request, "blobs.url: " + std::move(message), ""};
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        std::array<std::uint8_t, 1> byte{};
        if (i + 2 >= text.size() || !from_hex(text.substr(i + 1, 2), byte)) return std::nullopt;
        out += static_cast<char>(byte[0]);
        i += 2;
    }
    return out;
}

bool valid_bucket(std::string_view name) {
    return name.size() >= 3 && name.size() <= 63 && std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
           });
}

bool valid_prefix(std::string_view prefix) {
    return prefix.find("//") == std::string_view::npos && !prefix.starts_with('/') &&
           std::ranges::all_of(prefix, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                      c == '_' || c == '-' || c == '/';
           });
}

std::string first_of(const Environment& environment, std::initializer_list<const char*> names) {
    for (const auto* name : names) {
        if (auto value = environment(name); value && !value->empty()) return *value;
    }
    return "";
}

Result<void> apply_query(S3Config& config, std::string_view query, std::string& style) {
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        const auto equals = pair.find('=');
        const auto name = pair.substr(0, equals);
        const auto value = percent_decoded(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
        if (!value || value->empty()) return wrong("a value is missing or badly encoded: " + std::string(name));
        if (name == "endpoint") {
            config.endpoint = *value;
        } else if (name == "region") {
            config.region = *value;
        } else if (name == "style") {
            style = *value;
        } else {
            return wrong("unknown parameter \"" + std::string(name) + "\"; there are endpoint, region and style");
        }
    }
    return {};
}

Result<void> finish(S3Config& config, const std::string& style, bool own_endpoint) {
    while (config.endpoint.ends_with('/')) config.endpoint.pop_back();
    const bool http = config.endpoint.starts_with("http://") || config.endpoint.starts_with("https://");
    if (!http || config.endpoint.find('/', config.endpoint.find("//") + 2) != std::string::npos ||
        config.endpoint.find('@') != std::string::npos)
        return wrong("endpoint must be http://host[:port] or https://host[:port]");
    if (style.empty()) {
        config.path_style = own_endpoint;
    } else if (style == "path" || style == "virtual") {
        config.path_style = style == "path";
    } else {
        return wrong("style must be path or virtual");
    }
    return {};
}

}  // namespace

Environment process_environment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return value;
    };
}

Result<S3Config> parse_s3_url(std::string_view url, const Environment& environment) {
    constexpr std::string_view scheme = "s3://";
    if (!url.starts_with(scheme)) return wrong("must begin with s3://");
    url.remove_prefix(scheme.size());
    const auto question = url.find('?');
    const auto path = url.substr(0, question);
    const auto slash = path.find('/');

    S3Config config;
    config.bucket = path.substr(0, slash);
    if (!valid_bucket(config.bucket)) return wrong("\"" + config.bucket + "\" is not the name of a bucket");
    if (slash != std::string_view::npos) config.prefix = path.substr(slash + 1);
    if (!valid_prefix(config.prefix)) return wrong("the prefix may hold letters, digits, '.', '_', '-' and single '/'");
    if (!config.prefix.empty() && !config.prefix.ends_with('/')) config.prefix += '/';

    if (auto region = first_of(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"}); !region.empty())
        config.region = region;
    config.endpoint = first_of(environment, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
    config.access_key_id = first_of(environment, {"AWS_ACCESS_KEY_ID"});
    config.secret_access_key = first_of(environment, {"AWS_SECRET_ACCESS_KEY"});
    config.session_token = first_of(environment, {"AWS_SESSION_TOKEN"});

    std::string style;
    if (question != std::string_view::npos) {
        const auto applied = apply_query(config, url.substr(question + 1), style);
        if (!applied) return applied.error();
    }
    const bool own_endpoint = !config.endpoint.empty();
    if (!own_endpoint) config.endpoint = "https://s3." + config.region + ".amazonaws.com";
    const auto finished = finish(config, style, own_endpoint);
    if (!finished) return finished.error();
    return config;
}

}  // namespace tessera::blobs
