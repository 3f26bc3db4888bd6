// tessera remote usage: whose key it is, what is left of its credits, and its limits.
#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>

#include "app/examples.hpp"
#include "app/remote/bar.hpp"
#include "app/remote_commands/session.hpp"
#include "app/text_table.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using remote::number_at;
using remote::text_at;

const json::object& object_at(const json::object& object, std::string_view name) {
    static const json::object none;
    const json::value* value = object.if_contains(name);
    return value != nullptr && value->is_object() ? value->get_object() : none;
}

std::string bar(std::int64_t used, std::int64_t limit) {
    constexpr std::int64_t width = 20;
    const std::int64_t filled =
        limit <= 0
            ? 0
            : std::clamp<std::int64_t>(
                  static_cast<std::int64_t>(static_cast<double>(used) / static_cast<double>(limit) * width), 0, width);
    return "[" + std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(width - filled), '.') + "]";
}

std::string limit_text(std::string_view name, std::int64_t limit) {
    if (name.find("bytes") != std::string_view::npos) return remote::bytes_text(static_cast<std::uint64_t>(limit));
    if (name.ends_with("_seconds")) return remote::time_text(std::chrono::seconds(limit));
    return std::to_string(limit);
}

std::string text_of(const json::object& account, const std::string& service) {
    const json::object& usage = object_at(account, "usage");
    const json::object& credits = object_at(usage, "processing_credits");
    const json::object& key = object_at(account, "api_key");
    TextTable table({"service", service});
    table.add({"account", text_at(object_at(account, "account"), "slug")});
    table.add({"key", text_at(key, "name") + " (" + text_at(key, "role_code") + ")"});
    table.add({"plan", text_at(object_at(account, "plan"), "code")});
    table.add({"credits", bar(number_at(credits, "used"), number_at(credits, "limit")) + " " +
                              std::to_string(number_at(credits, "used")) + " of " +
                              std::to_string(number_at(credits, "limit")) + " used, " +
                              std::to_string(number_at(credits, "remaining")) + " left"});
    const std::int64_t delivered = number_at(object_at(usage, "cdn_delivery_bytes"), "used");
    table.add({"tiles delivered", remote::bytes_text(static_cast<std::uint64_t>(delivered))});
    std::string text = table.text();
    TextTable limits({"LIMIT", ""});
    for (const auto& [name, value] : object_at(account, "quotas")) {
        if (!value.is_object() || name == "processing_credits_monthly") continue;
        limits.add({std::string(name), limit_text(name, number_at(value.get_object(), "limit"))});
    }
    return text + "\n" + limits.text();
}

void show(const RemoteOptions& options, bool as_json) {
    RemoteSession session(options);
    const std::string service = session.service().address().text();
    const json::object account = session.object(session.service().get("/v1/account"), service);
    std::cout << (as_json ? with_plain_numbers(json::serialize(account)) + "\n" : text_of(account, service));
}

}  // namespace

void add_remote_usage_command(CLI::App& remote, const SharedRemoteOptions& options) {
    CLI::App* command = remote.add_subcommand("usage", "Whose key it is, its credits and its limits");
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "Print JSON for programs");
    command->callback([options, as_json] { show(*options, *as_json); });
    add_examples(command, {"tessera remote usage", "tessera remote usage --json"});
}

}  // namespace tessera::app
