// The database, the blob store and the scanner that the configuration names.
#include <chrono>

#include "app/checked_stores.hpp"
#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/stores.hpp"
#include "app/trouble.hpp"
#include "blobs/inspector.hpp"
#include "metadata/facts.hpp"
#include "service/uploads/scanner.hpp"

namespace tessera::app {
namespace {

constexpr Millis most_skew{2'000};

std::string schema_text(const metadata::DatabaseFacts& facts) {
    if (!facts.schema) return "no tables yet; the first start makes them";
    if (*facts.schema < facts.known_schema) {
        return "schema " + std::to_string(*facts.schema) + "; the next start brings it to " +
               std::to_string(facts.known_schema);
    }
    return "schema " + std::to_string(*facts.schema);
}

std::optional<Diagnosis> too_new(const metadata::DatabaseFacts& facts) {
    if (!facts.schema || *facts.schema <= facts.known_schema) return std::nullopt;
    return failure("database",
                   facts.server + ", made by a newer Tessera: its schema is " + std::to_string(*facts.schema) +
                       " and this one knows up to " + std::to_string(facts.known_schema),
                   "start the newer version, or restore a backup");
}

Diagnosis embedded(const std::string& path) {
    const auto facts = metadata::sqlite_facts(path);
    if (!facts) return failure("database", told(facts.error()), "restore a backup, or correct metadata.url");
    if (auto newer = too_new(*facts)) return *std::move(newer);
    return fine("database", facts->server + ", " + schema_text(*facts));
}

Diagnoses shared(const Config& config) {
    const Timestamp before = SystemClock().now();
    const auto facts = metadata::postgres_facts(config.metadata.url);
    const Timestamp after = SystemClock().now();
    if (!facts) {
        return {failure("database", facts.error().detail,
                        "start it, let this machine connect to it, or correct metadata.url")};
    }
    Diagnoses found;
    const std::string text = facts->server + ", " + schema_text(*facts);
    if (auto newer = too_new(*facts)) {
        found.push_back(*std::move(newer));
    } else if (facts->is_read_only) {
        found.push_back(failure("database", text + ", and it can't be written", "name the primary in metadata.url"));
    } else if (facts->encoding != "UTF8") {
        found.push_back(
            failure("database", text + ", in " + facts->encoding, "make the database with ENCODING 'UTF8'"));
    } else {
        found.push_back(fine("database", text));
    }
    const auto wanted = config.metadata.connections > 0 ? config.metadata.connections : 8;
    const auto left = facts->max_connections - facts->connections;
    const std::string connections = std::to_string(left) + " of " + std::to_string(facts->max_connections) +
                                    " connections are left, and a node takes up to " + std::to_string(wanted + 1);
    found.push_back(left > wanted ? fine("connections", connections)
                                  : warning("connections", connections,
                                            "raise max_connections of PostgreSQL, or lower metadata.connections"));
    // The database's clock decides what is due; this machine's signs and verifies addresses.
    const Millis skew = *facts->clock < before  ? before - *facts->clock
                        : *facts->clock > after ? *facts->clock - after
                                                : Millis(0);
    const std::string difference = std::to_string(skew.count()) + " ms away from this machine's";
    found.push_back(skew <= most_skew ? fine("clock of the database", difference)
                                      : warning("clock of the database", difference,
                                                "have both clocks set over the network: systemd-timesyncd or chrony"));
    return found;
}

Diagnosis blob_store(const Config& config, const DataFolder& folder) {
    if (const auto path = blobs_folder(config, folder)) return fine("blobs", "files in " + path->string());
    const auto inspector = open_inspector(config, folder);
    if (!inspector) return failure("blobs", told(inspector.error()), "correct blobs.url");
    const auto looked = (*inspector)->look();
    if (looked) return fine("blobs", *looked + " (whether it can be written is tried at a start)");
    const std::string text = looked.error().message;
    const std::size_t line = text.find('\n');
    return failure("blobs", text.substr(0, line),
                   line == std::string::npos ? "start the store, or correct blobs.url" : text.substr(line + 1));
}

Diagnosis scanner(const service::ScanningConfig& config) {
    if (!config.enabled) return fine("scanner", "not used (scanning.enabled)");
    const std::string advice = "start clamd, or correct scanning.address: until then every upload gets 503";
    const auto made = service::make_clamd_scanner(config);
    if (!made) return failure("scanner", told(made.error()), advice);
    const auto answered = (*made)->check();
    if (!answered) return failure("scanner", "at " + config.address + ", " + answered.error().detail, advice);
    return fine("scanner", "clamd at " + config.address + " answers");
}

}  // namespace

Diagnoses look_at_stores(const Config& config) {
    const DataFolder folder = DataFolder::at(config.data.dir);
    Diagnoses found;
    if (const auto file = database_file(config, folder)) {
        found.push_back(embedded(file->string()));
    } else {
        found = shared(config);
    }
    found.push_back(blob_store(config, folder));
    found.push_back(scanner(config.scanning));
    return found;
}

}  // namespace tessera::app
