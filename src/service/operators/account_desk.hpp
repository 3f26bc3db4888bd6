// The desk for accounts, over the stores.
#pragma once

#include "core/clock.hpp"
#include "service/access/storage_limits.hpp"
#include "service/access/usage_days.hpp"
#include "service/operators/desk.hpp"
#include "service/operators/eraser.hpp"

namespace tessera::service {

class StoredAccountDesk final : public AccountDesk {
  public:
    StoredAccountDesk(metadata::Store& store, Eraser& eraser, UsageHistories& days, const Clock& clock,
                      const StorageConfig& storage)
        : store_(store), eraser_(eraser), days_(days), clock_(clock), storage_(storage) {}

    Result<Shown> list(const AccountQuery& query) override;
    Result<Shown> create(const AccountWish& wish) override;
    Result<Shown> show(std::string_view id) override;
    Result<Shown> suspend(std::string_view id) override;
    Result<Shown> resume(std::string_view id) override;
    Result<Shown> change_plan(std::string_view id, const std::string& plan) override;
    Result<Shown> set_entitlement(std::string_view id, const std::string& feature, bool enabled) override;
    Result<Shown> erase(std::string_view id, std::string_view confirm) override;
    Result<Shown> keys(std::string_view id) override;
    Result<Shown> issue_key(std::string_view id, const KeyWish& wish) override;
    Result<Shown> revoke_key(std::string_view key_id) override;
    Result<Shown> plans() override;
    Result<Shown> roles() override;
    Result<Shown> usage(const AccountQuery& query) override;
    Result<Shown> usage_by_day(std::string_view id, std::optional<std::string_view> days) override;

  private:
    Result<Account> account(std::string_view id);

    metadata::Store& store_;
    Eraser& eraser_;
    UsageHistories& days_;
    const Clock& clock_;
    const StorageConfig storage_;
};

}  // namespace tessera::service
