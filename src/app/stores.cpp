#include "app/stores.hpp"

#include "app/plans_file.hpp"
#include "app/trouble.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view sqlite_prefix = "sqlite:";

}  // namespace

Result<std::unique_ptr<metadata::Store>> open_metadata(const Config& config, const DataFolder& folder,
                                                       const Clock& clock) {
    const std::string& url = config.metadata.url;
    if (url == "sqlite" || url.starts_with(sqlite_prefix)) {
        const std::string path = url == "sqlite" ? folder.database().string() : url.substr(sqlite_prefix.size());
        metadata::SqliteOptions options;
        if (config.metadata.connections > 0) options.readers = static_cast<int>(config.metadata.connections);
        auto store = metadata::open_sqlite(path, clock, options);
        if (!store) return trouble("can't open the database " + path + ": " + told(store.error()));
        return store;
    }
    return trouble("metadata.url names PostgreSQL, which this build can't use yet\nleave it out to use SQLite");
}

Result<void> apply_configured_plans(metadata::Store& store, const PlansConfig& config) {
    const Result<std::vector<Plan>> present = store.plans().all();
    if (!present) return present.error();
    if (config.file.empty()) {
        if (!present->empty()) return {};
        return store.plans().apply(built_in_plans());
    }
    const Result<std::vector<Plan>> wanted = read_plans_file(config.file);
    if (!wanted) return wanted.error();
    if (*wanted == *present) return {};
    return store.plans().apply(*wanted);
}

}  // namespace tessera::app
