#include "app/backup/manifest.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>

#include "app/file_digest.hpp"
#include "app/trouble.hpp"
#include "core/file.hpp"
#include "core/hex.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

constexpr std::int64_t format = 1;
constexpr std::uint64_t largest_manifest = 1 << 20;

Result<std::string> digest_text(const std::filesystem::path& file) {
    const auto digest = sha256_of_file(file);
    if (!digest) return digest.error();
    return to_hex(*digest);
}

Error damaged(const BackupFiles& backup, const std::string& what) {
    return trouble("the backup " + backup.folder.string() + " is damaged: " + what + "; try another one");
}

}  // namespace

Result<Manifest> write_manifest(const BackupFiles& backup, Manifest manifest) {
    const auto take = [](const std::filesystem::path& file, std::string& to) -> Result<void> {
        auto digest = digest_text(file);
        if (!digest) return digest.error();
        to = *std::move(digest);
        return {};
    };
    if (auto taken = take(backup.database(), manifest.database_sha256); !taken) return taken.error();
    if (auto taken = take(backup.blobs(), manifest.list_sha256); !taken) return taken.error();
    if (manifest.has_secrets) {
        if (auto taken = take(backup.secrets(), manifest.secrets_sha256); !taken) return taken.error();
    }
    const json::object text{{"format", format},
                            {"made_at", manifest.made_at},
                            {"version", manifest.version},
                            {"blobs", manifest.blobs},
                            {"bytes", manifest.bytes},
                            {"damaged", manifest.damaged},
                            {"database_sha256", manifest.database_sha256},
                            {"list_sha256", manifest.list_sha256},
                            {"secrets_sha256", manifest.secrets_sha256}};
    if (auto written = replace_file(backup.manifest(), json::serialize(text) + "\n", 0600); !written) {
        return written.error();
    }
    return manifest;
}

Result<Manifest> read_manifest(const BackupFiles& backup) {
    const auto text = read_whole_file(backup.manifest(), largest_manifest);
    if (!text) return damaged(backup, "it has no manifest.json");
    boost::system::error_code not_json;
    const json::value parsed = json::parse(*text, not_json);
    if (not_json || !parsed.is_object()) return damaged(backup, "its manifest.json can't be read");
    try {
        const json::object& from = parsed.as_object();
        if (from.at("format").as_int64() != format) {
            return trouble("the backup " + backup.folder.string() + " was made by another version of Tessera");
        }
        Manifest manifest;
        manifest.made_at = json::value_to<std::string>(from.at("made_at"));
        manifest.version = json::value_to<std::string>(from.at("version"));
        manifest.blobs = json::value_to<std::int64_t>(from.at("blobs"));
        manifest.bytes = json::value_to<std::uint64_t>(from.at("bytes"));
        manifest.damaged = json::value_to<std::int64_t>(from.at("damaged"));
        manifest.database_sha256 = json::value_to<std::string>(from.at("database_sha256"));
        manifest.list_sha256 = json::value_to<std::string>(from.at("list_sha256"));
        manifest.secrets_sha256 = json::value_to<std::string>(from.at("secrets_sha256"));
        manifest.has_secrets = !manifest.secrets_sha256.empty();
        return manifest;
    } catch (const std::exception&) {
        return damaged(backup, "its manifest.json lacks something");
    }
}

Result<void> check_files(const BackupFiles& backup, const Manifest& manifest) {
    const auto check = [&](const std::filesystem::path& file, const std::string& expected) -> Result<void> {
        const auto digest = digest_text(file);
        if (!digest) return damaged(backup, file.filename().string() + " can't be read");
        if (*digest != expected) return damaged(backup, file.filename().string() + " is not what was written");
        return {};
    };
    if (auto good = check(backup.database(), manifest.database_sha256); !good) return good;
    if (auto good = check(backup.blobs(), manifest.list_sha256); !good) return good;
    return manifest.has_secrets ? check(backup.secrets(), manifest.secrets_sha256) : Result<void>();
}

}  // namespace tessera::app
