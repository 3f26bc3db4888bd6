#include "service/operators/account_acts.hpp"

#include <algorithm>

#include "core/permission.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "service/access/api_key_text.hpp"
#include "service/access/entitlement_list.hpp"

namespace tessera::service {
namespace {

Error invalid(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

Result<void> check_slug(std::string_view text) {
    const auto letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const bool good = !text.empty() && text.size() <= 64 && letter_or_digit(text.front()) &&
                      letter_or_digit(text.back()) &&
                      std::ranges::all_of(text, [&](char c) { return letter_or_digit(c) || c == '-'; });
    if (good) return {};
    return invalid("slug \"" + std::string(text.substr(0, 100)) +
                   "\": expected 1 to 64 of a-z, 0-9 and -, with no - at either end");
}

Result<void> check_plan(metadata::Store& store, const std::string& code) {
    const auto found = store.plans().find(code);
    if (!found) return found.error();
    if (*found) return {};
    const auto plans = store.plans().all();
    if (!plans) return plans.error();
    std::string known;
    for (const Plan& plan : *plans) (known += known.empty() ? "" : ", ") += plan.code;
    return Error{ErrorCode::not_found, "there is no plan \"" + code.substr(0, 100) + "\"; there are: " + known, {}};
}

std::string role_names() {
    std::string names;
    for (const Role& role : all_roles()) (names += names.empty() ? "" : ", ") += role.code;
    return names;
}

}  // namespace

Result<void> check_display_name(std::string_view field, std::string_view text) {
    const bool control =
        std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!text.empty() && text.size() <= 200 && !control) return {};
    return invalid(std::string(field) + ": expected 1 to 200 characters on one line");
}

Result<Account> create_account(metadata::Store& store, const AccountWish& wish) {
    if (auto good = check_slug(wish.slug); !good) return std::move(good).error();
    if (auto good = check_display_name("display_name", wish.display_name); !good) return std::move(good).error();
    if (auto good = check_plan(store, wish.plan); !good) return std::move(good).error();
    Result<Account> created =
        store.accounts().create({.slug = wish.slug, .display_name = wish.display_name, .plan_code = wish.plan});
    if (created || created.error().code != ErrorCode::conflict) return created;
    return Error{ErrorCode::conflict, "there is an account \"" + wish.slug + "\" already", {}}.with_hint(
        "choose another slug");
}

Result<Account> change_plan(metadata::Store& store, const Uuid& account_id, const std::string& plan) {
    if (auto good = check_plan(store, plan); !good) return std::move(good).error();
    return store.accounts().change_plan(account_id, plan, "admin");
}

Result<IssuedKey> issue_key(metadata::Store& store, const Uuid& account_id, const KeyWish& wish, Timestamp now) {
    if (auto good = check_display_name("name", wish.name); !good) return std::move(good).error();
    if (find_role(wish.role_code) == nullptr)
        return invalid("role_code \"" + wish.role_code.substr(0, 100) + "\": expected one of " + role_names());
    if (wish.expires_at && *wish.expires_at <= now) return invalid("expires_at is in the past");
    Result<NetworkList> networks = NetworkList::parse(wish.networks);
    if (!networks) return invalid("networks: " + networks.error().message);
    std::string text = make_api_key();
    Result<ApiKey> key = store.api_keys().create({.account_id = account_id,
                                                  .name = wish.name,
                                                  .role_code = wish.role_code,
                                                  .hash = hash_of_api_key(text),
                                                  .expires_at = wish.expires_at,
                                                  .networks = std::move(*networks)});
    if (!key) return std::move(key).error();
    return IssuedKey{std::move(*key), std::move(text)};
}

Result<Entitlement> set_entitlement(metadata::Store& store, const Uuid& account_id, const std::string& feature,
                                    bool enabled) {
    if (!is_known_feature(feature)) {
        std::string known;
        for (const std::string_view one : known_features()) (known += known.empty() ? "" : ", ") += one;
        return invalid("feature \"" + feature.substr(0, 100) + "\": expected one of " + known);
    }
    Entitlement entitlement = granted_by_admin(feature, enabled);
    if (auto set = store.entitlements().set(account_id, entitlement); !set) return std::move(set).error();
    return entitlement;
}

}  // namespace tessera::service
