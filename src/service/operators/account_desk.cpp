// What is done to accounts and keys; lists and descriptions are in account_views.cpp.
#include "service/operators/account_desk.hpp"

#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/store.hpp"
#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

Error no_such_account() {
    return Error{ErrorCode::not_found, "account not found", {}}.with_hint("check the id: the list of accounts has it");
}

Result<Shown> shown_or_error(Result<Account> account) {
    if (!account) return std::move(account).error();
    return shown(*account);
}

// A plan that is not there is the request's fault, not the address's.
Error in_request(Error error) {
    if (error.code == ErrorCode::not_found) error.code = ErrorCode::invalid_request;
    return error;
}

}  // namespace

Result<Account> StoredAccountDesk::account(std::string_view id) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid account id", {}};
    auto found = store_.accounts().find(*parsed);
    if (!found) return std::move(found).error();
    if (!*found) return no_such_account();
    return *std::move(*found);
}

Result<Shown> StoredAccountDesk::create(const AccountWish& wish) {
    auto created = create_account(store_, wish);
    if (!created) return in_request(std::move(created).error());
    return shown(*created);
}

Result<Shown> StoredAccountDesk::suspend(std::string_view id) {
    const auto found = account(id);
    if (!found) return found.error();
    return shown_or_error(store_.accounts().suspend(found->id));
}

Result<Shown> StoredAccountDesk::resume(std::string_view id) {
    const auto found = account(id);
    if (!found) return found.error();
    return shown_or_error(store_.accounts().resume(found->id));
}

Result<Shown> StoredAccountDesk::change_plan(std::string_view id, const std::string& plan) {
    const auto found = account(id);
    if (!found) return found.error();
    if (found->erasure_begun_at) return Error{ErrorCode::conflict, "the account is being erased", {}};
    auto changed = service::change_plan(store_, found->id, plan);
    if (!changed) return in_request(std::move(changed).error());
    return shown(*changed);
}

Result<Shown> StoredAccountDesk::set_entitlement(std::string_view id, const std::string& feature, bool enabled) {
    const auto found = account(id);
    if (!found) return found.error();
    const auto set = service::set_entitlement(store_, found->id, feature, enabled);
    if (!set) return set.error();
    return shown(*set);
}

Result<Shown> StoredAccountDesk::erase(std::string_view id, std::string_view confirm) {
    const auto found = account(id);
    if (!found) return found.error();
    if (confirm != found->slug) {
        return Error{ErrorCode::invalid_request, "confirm must be the account's slug", {}}.with_hint(
            "this erases the account with all it owns, for good; if that is meant send its slug as confirm");
    }
    return shown_or_error(eraser_.begin(found->id));
}

Result<Shown> StoredAccountDesk::issue_key(std::string_view id, const KeyWish& wish) {
    const auto found = account(id);
    if (!found) return found.error();
    if (found->erasure_begun_at) return Error{ErrorCode::conflict, "the account is being erased", {}};
    const Timestamp now = clock_.now();
    const auto issued = service::issue_key(store_, found->id, wish, now);
    if (!issued) return issued.error();
    Shown one = shown(issued->key, found->slug, now);
    one["api_key"] = issued->text;
    return one;
}

Result<Shown> StoredAccountDesk::revoke_key(std::string_view key_id) {
    const auto parsed = Uuid::parse(key_id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid key id", {}};
    const auto revoked = store_.api_keys().revoke(*parsed);
    if (!revoked) return revoked.error();
    if (!*revoked) return Error{ErrorCode::not_found, "key not found", {}}.with_hint("check the id of the key");
    const auto owner = store_.accounts().find((*revoked)->account_id);
    if (!owner) return owner.error();
    return shown(**revoked, *owner ? (*owner)->slug : "", clock_.now());
}

}  // namespace tessera::service
