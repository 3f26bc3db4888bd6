#include "app/demo_account.hpp"

#include "core/random.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/operators.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "service/access/api_key_text.hpp"
#include "service/access/entitlement_list.hpp"
#include "service/access/principal.hpp"
#include "service/operators/password_hash.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view slug = "demo";

}  // namespace

Result<std::string> plan_for_first_account(metadata::Store& store) {
    const Result<std::vector<Plan>> plans = store.plans().all();
    if (!plans) return plans.error();
    std::string chosen;
    for (const Plan& plan : *plans) {
        if (plan.status != "active") continue;
        chosen = plan.code;
        if (chosen == "unlimited") break;
    }
    return chosen;
}

Result<DemoAccount> make_demo_account(metadata::Store& store) {
    Result<std::optional<Account>> account = store.accounts().find_by_slug(slug);
    if (!account) return account.error();
    if (!*account) {
        const Result<std::string> plan = plan_for_first_account(store);
        if (!plan) return plan.error();
        Result<Account> created = store.accounts().create(
            {.slug = std::string(slug), .display_name = "Demo", .plan_code = *plan, .access_source = "demo"});
        if (!created) return created.error();
        *account = std::move(*created);
    }
    const Result<std::vector<ApiKey>> keys = store.api_keys().list((*account)->id);
    if (!keys) return keys.error();
    if (!keys->empty()) return DemoAccount{std::string(slug), std::nullopt};

    for (const std::string_view feature : service::known_features()) {
        const Entitlement granted = service::granted_by_admin(feature, true);
        if (Result<void> set = store.entitlements().set((*account)->id, granted); !set) return set.error();
    }
    const std::string text = service::make_api_key();
    const Result<ApiKey> key =
        store.api_keys().create({.account_id = (*account)->id, .name = "demo", .hash = service::hash_of_api_key(text)});
    if (!key) return key.error();
    return DemoAccount{std::string(slug), text};
}

Result<std::optional<DemoOperator>> make_demo_operator(metadata::Store& store) {
    const auto operators = store.operators().list();
    if (!operators) return operators.error();
    if (!operators->empty()) return std::optional<DemoOperator>();
    DemoOperator made{std::string(slug), random_token(24)};
    const auto created = store.operators().create(made.name, service::hash_password(made.password));
    if (!created) return created.error();
    return std::optional(std::move(made));
}

}  // namespace tessera::app
