// The operations there are, by name, and the entrance that every submitted request goes through.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "operations/operation.hpp"

namespace tessera::operations {

class Registry {
  public:
    static Registry built_in();

    // Two operations of one name are a mistake of ours: std::logic_error.
    void add(std::unique_ptr<Operation> operation);

    [[nodiscard]] const Operation* find(std::string_view name) const;
    // What engines can run: these, and what no job may ask for.
    [[nodiscard]] const Operation* find_runnable(std::string_view name) const;
    [[nodiscard]] std::span<const std::unique_ptr<Operation>> all() const { return operations_; }

    // The first operation's that has one; empty where none has.
    [[nodiscard]] std::string_view example(std::string_view Examples::*part) const;

    // The refusal of a name that is none of theirs; it lists them.
    [[nodiscard]] Error unsupported(std::string_view name) const;

    // `options` is null where the request has none.
    [[nodiscard]] Result<NormalizedRequest> normalize(std::string_view operation, const boost::json::value* options,
                                                      const std::optional<Uuid>& asset_id) const;
    // The request is one that `normalize` made.
    [[nodiscard]] Result<ResolvedRequest> resolve(NormalizedRequest request, const SubmitContext& context) const;
    // Both, for whoever needs no identity in between.
    [[nodiscard]] Result<ResolvedRequest> accept(std::string_view operation, const boost::json::value& options,
                                                 const std::optional<Uuid>& asset_id,
                                                 const SubmitContext& context) const;

    // What the operation of an accepted request will make.
    [[nodiscard]] Result<ProductPlan> plan(const RunRequest& request) const;

  private:
    std::vector<std::unique_ptr<Operation>> operations_;
    std::vector<std::unique_ptr<Operation>> inner_;  // not for jobs
};

}  // namespace tessera::operations
