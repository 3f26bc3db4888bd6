// What operators do to accounts, the same from the command line and from the console: each act is checked here. Errors
// are for whoever acts: `invalid_request` begins with the field at fault, `not_found` and `conflict` say what is there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/account.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::service {

struct AccountWish {
    std::string slug;  // 1 to 64 of a-z, 0-9 and -
    std::string display_name;
    std::string plan;
};

struct KeyWish {
    std::string name;
    std::string role_code = "runtime";
    std::optional<Timestamp> expires_at = {};
    std::vector<std::string> networks = {};
};

struct IssuedKey {
    ApiKey key;
    std::string text;  // known to nobody else: what is stored is its hash
};

// 1 to 200 characters on one line.
Result<void> check_display_name(std::string_view field, std::string_view text);

Result<Account> create_account(metadata::Store& store, const AccountWish& wish);
Result<Account> change_plan(metadata::Store& store, const Uuid& account_id, const std::string& plan);
Result<IssuedKey> issue_key(metadata::Store& store, const Uuid& account_id, const KeyWish& wish, Timestamp now);
Result<Entitlement> set_entitlement(metadata::Store& store, const Uuid& account_id, const std::string& feature,
                                    bool enabled);

}  // namespace tessera::service
