#include "service/delivery/deletion_service.hpp"

#include <string>

#include "core/log.hpp"
#include "metadata/deletions.hpp"
#include "metadata/store.hpp"

namespace tessera::service {
namespace {

using metadata::Deletion;
using Remove = Result<Deletion> (metadata::Deletions::*)(Uuid account_id, Uuid id);

struct Thing {
    std::string_view name;  // as errors and the log call it
    const ErrorKind& not_found;
    Remove remove;
};

Result<void> remove(metadata::Store& store, const Thing& thing, const Principal& principal, std::string_view id) {
    const std::string name(thing.name);
    const auto parsed = Uuid::parse(id);
    if (!parsed) return Error{ErrorCode::invalid_id, "invalid " + name + " id", {}};
    const auto done = (store.deletions().*thing.remove)(principal.account.id, *parsed);
    if (!done) return done.error();
    switch (*done) {
        case Deletion::removed:
            log::info("deleted", {{"account", principal.account.id.to_string()}, {name, parsed->to_string()}});
            return {};
        case Deletion::removed_before: return {};
        case Deletion::not_found: return Error{thing.not_found, name + " not found", {}};
        case Deletion::not_ended:
            return Error{ErrorCode::conflict, "the job has not ended", {}}.with_hint(
                "cancel the job, or wait until it has ended");
    }
    return internal_error("a deletion ended in no known way");
}

}  // namespace

Result<void> DeletionService::remove_asset(const Principal& principal, std::string_view id) {
    return remove(store_, {"asset", ErrorCode::asset_not_found, &metadata::Deletions::remove_asset}, principal, id);
}

Result<void> DeletionService::remove_artifact(const Principal& principal, std::string_view id) {
    return remove(store_, {"artifact", ErrorCode::artifact_not_found, &metadata::Deletions::remove_artifact}, principal,
                  id);
}

Result<void> DeletionService::remove_artifacts_of(const Principal& principal, std::string_view job_id) {
    return remove(store_, {"job", ErrorCode::job_not_found, &metadata::Deletions::remove_artifacts_of}, principal,
                  job_id);
}

Result<void> DeletionService::remove_tileset(const Principal& principal, std::string_view id) {
    return remove(store_, {"tileset", ErrorCode::tileset_not_found, &metadata::Deletions::remove_tileset}, principal,
                  id);
}

}  // namespace tessera::service
