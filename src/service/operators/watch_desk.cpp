#include "service/operators/watch_desk.hpp"

#include <limits>
#include <map>

#include "metadata/accounts.hpp"
#include "metadata/audit.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/store.hpp"
#include "metadata/webhooks.hpp"
#include "service/access/page_cursor.hpp"
#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;

Error no_such(std::string_view what) {
    return Error{ErrorCode::not_found, std::string(what) + " not found", {}}.with_hint("check the id");
}

Error invalid_id(std::string_view name) {
    return {ErrorCode::invalid_id, std::string(name) + " must be a valid uuid", {}};
}

// Nothing where it is absent or empty.
Result<std::optional<Uuid>> parse_id(std::string_view name, std::optional<std::string_view> text) {
    if (!text || text->empty()) return std::optional<Uuid>();
    const auto id = Uuid::parse(*text);
    if (!id) return invalid_id(name);
    return std::optional(*id);
}

Result<std::optional<metadata::DeliveryState>> parse_state(std::optional<std::string_view> text) {
    using metadata::DeliveryState;
    if (!text || text->empty()) return std::optional<DeliveryState>();
    for (const DeliveryState state : {DeliveryState::pending, DeliveryState::delivered, DeliveryState::failed}) {
        if (to_string(state) == *text) return std::optional(state);
    }
    return Error{ErrorCode::invalid_request, "state must be pending, delivered or failed", {}};
}

// A place in the trail in the form that cursors have: its number in the last eight bytes.
Uuid place_of(std::int64_t sequence) {
    Uuid::Bytes bytes{};
    for (std::size_t i = 0; i < 8; ++i)
        bytes[15 - i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(sequence) >> (8 * i));
    return Uuid(bytes);
}
std::int64_t sequence_at(const Uuid& place) {
    std::uint64_t number = 0;
    for (std::size_t i = 8; i < 16; ++i) number = number << 8 | place.bytes()[i];
    return static_cast<std::int64_t>(number & static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

// Slugs of accounts, each looked up once.
class Slugs {
  public:
    explicit Slugs(metadata::Store& store) : store_(store) {}
    Result<std::string> of(const Uuid& account_id) {
        const auto known = slugs_.find(account_id);
        if (known != slugs_.end()) return known->second;
        const auto account = store_.accounts().find(account_id);
        if (!account) return account.error();
        return slugs_[account_id] = *account ? (*account)->slug : std::string();
    }

  private:
    metadata::Store& store_;
    std::map<Uuid, std::string> slugs_;
};

using Changed = Result<std::optional<metadata::WebhookEndpoint>>;
Result<Shown> shown_endpoint(metadata::Store& store, const Changed& changed) {
    if (!changed) return changed.error();
    if (!*changed) return no_such("endpoint");
    const auto slug = Slugs(store).of((*changed)->account_id);
    if (!slug) return slug.error();
    return shown(**changed, *slug);
}

}  // namespace

Result<Shown> StoredWatchDesk::endpoints(std::optional<std::string_view> account_id) {
    const auto only = parse_id("account_id", account_id);
    if (!only) return only.error();
    const auto found = store_.webhooks().list(*only);
    if (!found) return found.error();
    Slugs slugs(store_);
    json::array all;
    for (const metadata::WebhookEndpoint& one : *found) {
        const auto slug = slugs.of(one.account_id);
        if (!slug) return slug.error();
        all.push_back(shown(one, *slug));
    }
    return Shown{{"endpoints", std::move(all)}};
}

Result<Shown> StoredWatchDesk::enable_endpoint(std::string_view text) {
    const auto id = Uuid::parse(text);
    if (!id) return invalid_id("id");
    return shown_endpoint(store_, store_.webhooks().enable(*id));
}

Result<Shown> StoredWatchDesk::disable_endpoint(std::string_view text) {
    const auto id = Uuid::parse(text);
    if (!id) return invalid_id("id");
    return shown_endpoint(store_, store_.webhooks().disable(*id));
}

Result<Shown> StoredWatchDesk::deliveries(const DeliveriesQuery& query) {
    const auto page = parse_page(query.page);
    if (!page) return page.error();
    const auto account_id = parse_id("account_id", query.account_id);
    if (!account_id) return account_id.error();
    const auto endpoint_id = parse_id("endpoint_id", query.endpoint_id);
    if (!endpoint_id) return endpoint_id.error();
    const auto state = parse_state(query.state);
    if (!state) return state.error();
    const auto found = store_.operator_views().deliveries({*account_id, *endpoint_id, *state}, *page);
    if (!found) return found.error();
    json::array all;
    for (const metadata::WebhookDelivery& one : found->items) all.push_back(shown(one));
    return Shown{{"deliveries", std::move(all)}, {"next_cursor", text_or_null(cursor_of(found->next))}};
}

Result<Shown> StoredWatchDesk::delivery(std::string_view text) {
    const auto id = Uuid::parse(text);
    if (!id) return invalid_id("id");
    const auto found = store_.webhooks().find_delivery(*id);
    if (!found) return found.error();
    if (!*found) return no_such("delivery");
    return shown_whole(**found);
}

Result<Shown> StoredWatchDesk::replay(std::string_view text) {
    const auto id = Uuid::parse(text);
    if (!id) return invalid_id("id");
    const auto again = store_.webhooks().replay(*id);
    if (!again) return again.error();
    if (!*again) return no_such("delivery");
    return shown(**again);
}

Result<Shown> StoredWatchDesk::audit(const PageRequest& request, std::optional<std::string_view> account_id) {
    const auto page = parse_page(request);
    if (!page) return page.error();
    const auto only = parse_id("account_id", account_id);
    if (!only) return only.error();
    const auto before = page->before ? std::optional(sequence_at(*page->before)) : std::nullopt;
    auto found = store_.operator_views().audit(*only, before, page->limit + 1);
    if (!found) return std::move(found).error();
    std::optional<Uuid> next;
    if (found->size() > static_cast<std::size_t>(page->limit)) {
        found->resize(static_cast<std::size_t>(page->limit));
        next = place_of(found->back().sequence);
    }
    Slugs slugs(store_);
    json::array all;
    for (const metadata::AuditEntry& entry : *found) {
        const auto slug = entry.account_id ? slugs.of(*entry.account_id) : Result<std::string>(std::string());
        if (!slug) return slug.error();
        all.push_back(shown(entry, *slug));
    }
    return Shown{{"entries", std::move(all)}, {"next_cursor", text_or_null(cursor_of(next))}};
}

}  // namespace tessera::service
