// Lists and descriptions of accounts, keys, plans and use.
#include <algorithm>
#include <boost/json/array.hpp>

#include "core/permission.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/operator_views.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "service/access/entitlement_list.hpp"
#include "service/access/page_cursor.hpp"
#include "service/operators/account_desk.hpp"
#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;

Result<std::optional<metadata::AccountState>> parse_state(std::optional<std::string_view> text) {
    using metadata::AccountState;
    constexpr std::pair<std::string_view, AccountState> states[] = {{"active", AccountState::active},
                                                                    {"suspended", AccountState::suspended},
                                                                    {"being_erased", AccountState::being_erased},
                                                                    {"erased", AccountState::erased}};
    if (!text || text->empty()) return std::optional<AccountState>();
    for (const auto& [name, state] : states) {
        if (name == *text) return std::optional(state);
    }
    return Error{ErrorCode::invalid_request, "state must be active, suspended, being_erased or erased", {}};
}

// A page of accounts; a whole id finds its account alone.
Result<metadata::Listed<metadata::AccountUse>> find_accounts(metadata::Store& store, const AccountQuery& query) {
    const auto page = parse_page(query.page);
    if (!page) return page.error();
    const auto state = parse_state(query.state);
    if (!state) return state.error();
    metadata::AccountFilter filter{.text = query.text, .state = *state};
    if (query.plan && !query.plan->empty()) filter.plan_code = std::string(*query.plan);
    if (const auto id = Uuid::parse(query.text)) {
        filter.id = *id;
        filter.text.clear();
    }
    return store.operator_views().accounts(filter, *page);
}

json::object credits(std::int64_t used, std::int64_t limit) {
    return {{"used", used}, {"remaining", std::max<std::int64_t>(0, limit - used)}, {"limit", limit}};
}

json::object period_of(const CreditPeriod& period) {
    return {{"starts_at", to_iso8601(period.starts_at)}, {"ends_at", to_iso8601(period.ends_at)}};
}

std::int64_t credits_of(const std::vector<Plan>& plans, const std::string& code) {
    const auto found = std::ranges::find(plans, code, &Plan::code);
    return found == plans.end() ? 0 : found->included_processing_credits;
}

}  // namespace

Result<Shown> StoredAccountDesk::list(const AccountQuery& query) {
    const auto found = find_accounts(store_, query);
    if (!found) return found.error();
    json::array accounts;
    for (const metadata::AccountUse& use : found->items) accounts.push_back(shown(use.account));
    return Shown{{"accounts", std::move(accounts)}, {"next_cursor", text_or_null(cursor_of(found->next))}};
}

Result<Shown> StoredAccountDesk::usage(const AccountQuery& query) {
    const auto found = find_accounts(store_, query);
    if (!found) return found.error();
    const auto plans = store_.plans().all();
    if (!plans) return plans.error();
    json::array accounts;
    for (const metadata::AccountUse& use : found->items) {
        const json::object account = shown(use.account);
        json::object one;
        for (const char* field : {"id", "slug", "display_name", "plan", "state"}) one[field] = account.at(field);
        one["period"] = period_of(use.usage.period);
        one["processing_credits"] = credits(use.usage.credits_used, credits_of(*plans, use.account.plan_code));
        one["cdn_delivery_bytes"] = use.usage.delivered_bytes;
        one["storage"] = json::object{{"bytes", use.storage.bytes}, {"assets", use.storage.assets}};
        accounts.push_back(std::move(one));
    }
    return Shown{{"accounts", std::move(accounts)}, {"next_cursor", text_or_null(cursor_of(found->next))}};
}

Result<Shown> StoredAccountDesk::show(std::string_view id) {
    const auto found = account(id);
    if (!found) return found.error();
    const auto entitlements = store_.entitlements().list(found->id);
    if (!entitlements) return entitlements.error();
    const auto usage = store_.usage().current(found->id);
    if (!usage) return usage.error();
    const auto storage = store_.usage().storage(found->id);
    if (!storage) return storage.error();
    const auto plan = store_.plans().find(found->plan_code);
    if (!plan) return plan.error();
    const auto keys = store_.api_keys().list(found->id);
    if (!keys) return keys.error();

    const Plan terms = plan->value_or(Plan{});
    const Timestamp now = clock_.now();
    json::array features;
    for (const Entitlement& one : with_every_feature(*entitlements)) features.push_back(shown(one));
    const auto active =
        std::ranges::count_if(*keys, [&](const ApiKey& key) { return !key.revoked_at && !key.expired(now); });
    Shown details = shown(*found);
    details["entitlements"] = std::move(features);
    details["usage"] =
        json::object{{"period", period_of(usage->period)},
                     {"processing_credits", credits(usage->credits_used, terms.included_processing_credits)},
                     {"cdn_delivery_bytes", usage->delivered_bytes}};
    details["storage"] = json::object{{"bytes", storage->bytes},
                                      {"assets", storage->assets},
                                      {"max_bytes", storage_.bytes_for(terms.limits)},
                                      {"max_assets", storage_.assets_for(terms.limits)}};
    details["keys"] = json::object{{"active", active}, {"total", keys->size()}};
    return details;
}

Result<Shown> StoredAccountDesk::keys(std::string_view id) {
    const auto found = account(id);
    if (!found) return found.error();
    const auto keys = store_.api_keys().list(found->id);
    if (!keys) return keys.error();
    json::array all;
    for (const ApiKey& key : *keys) all.push_back(shown(key, found->slug, clock_.now()));
    return Shown{{"keys", std::move(all)}};
}

Result<Shown> StoredAccountDesk::plans() {
    const auto plans = store_.plans().all();
    if (!plans) return plans.error();
    const auto counts = store_.operator_views().accounts_by_plan();
    if (!counts) return counts.error();
    json::array all;
    for (const Plan& plan : *plans) {
        const auto on_it = counts->find(plan.code);
        json::object one = shown(plan);
        one["accounts"] = on_it == counts->end() ? 0 : on_it->second;
        all.push_back(std::move(one));
    }
    return Shown{{"plans", std::move(all)}};
}

Result<Shown> StoredAccountDesk::roles() {
    json::array all;
    for (const Role& role : all_roles()) {
        json::array permissions;
        for (const Permission permission : role.permissions) permissions.emplace_back(to_string(permission));
        all.push_back(json::object{
            {"code", role.code}, {"description", role.description}, {"permissions", std::move(permissions)}});
    }
    return Shown{{"roles", std::move(all)}};
}

Result<Shown> StoredAccountDesk::usage_by_day(std::string_view id, std::optional<std::string_view> days) {
    const auto found = account(id);
    if (!found) return found.error();
    const auto history = days_.read(found->id, days);
    if (!history) return history.error();
    return shown(*history);
}

}  // namespace tessera::service
