#include "app/signing_secrets.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/trouble.hpp"
#include "core/file.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "core/random.hpp"
#include "core/uuid.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t secret_length = 64;
constexpr std::uint64_t largest_file = 64 << 10;
constexpr std::string_view head =
    "# Signing secrets of Tessera, newest first. Whoever has one can sign addresses: keep this file to yourself.\n"
    "# Rotate with `tessera admin secret rotate`.\n";

Error failed(const std::filesystem::path& file, std::string_view step) {
    return trouble("the signing secrets " + file.string() + ": " + std::string(step) + ": " +
                   std::generic_category().message(errno));
}

SigningSecret new_secret(Timestamp now) {
    return {new_secret_text(), now};
}

std::string as_text(const std::vector<SigningSecret>& secrets) {
    std::string text(head);
    for (const SigningSecret& secret : secrets) text += to_iso8601(secret.created_at) + ' ' + secret.secret + '\n';
    return text;
}

Result<std::vector<SigningSecret>> parse(const std::filesystem::path& file, std::string_view text) {
    std::vector<SigningSecret> secrets;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        const std::size_t blank = line.find(' ');
        const auto created_at = from_iso8601(line.substr(0, blank));
        const std::string_view secret = blank == std::string_view::npos ? "" : line.substr(blank + 1);
        if (!created_at || secret.size() < 32 || secret.find(' ') != std::string_view::npos) {
            return trouble(file.string() + ":" + std::to_string(number) +
                           ": expected a time and a secret of at least 32 characters, as `tessera admin secret rotate` "
                           "writes them");
        }
        secrets.push_back({std::string(secret), *created_at});
    }
    if (secrets.empty()) {
        return trouble("the file of signing secrets " + file.string() +
                       " holds none\nput it back from a backup, or delete it to have a new one made "
                       "(signed addresses that are out stop working)");
    }
    std::stable_sort(secrets.begin(), secrets.end(),
                     [](const auto& a, const auto& b) { return a.created_at > b.created_at; });
    return secrets;
}

// Publishes the first list, unless another process was faster. Either way a whole file is there afterwards.
Result<void> make_once(const std::filesystem::path& file, Timestamp now) {
    const std::filesystem::path draft = file.string() + ".new-" + Uuid::random().to_string();
    if (Result<void> written = replace_file(draft, as_text({new_secret(now)}), 0600); !written) {
        return trouble("can't write the signing secrets: " + told(written.error()));
    }
    const bool linked = link(draft.c_str(), file.c_str()) == 0;
    const int failure = errno;
    unlink(draft.c_str());
    errno = failure;
    if (!linked && failure != EEXIST) return failed(file, "making it");
    return sync_folder(file.parent_path());
}

}  // namespace

std::string new_secret_text() {
    return random_token(secret_length);
}

std::string SigningSecret::fingerprint() const {
    return to_hex(sha256("fingerprint " + secret)).substr(0, 12);
}

std::filesystem::path secrets_path(const SecretsConfig& config, const DataFolder& folder) {
    return config.file.empty() ? folder.signing_secrets() : std::filesystem::absolute(config.file);
}

Result<std::vector<SigningSecret>> read_secrets(const std::filesystem::path& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return failed(file, "opening it");
    if ((status.st_mode & 077) != 0) {
        return trouble("the signing secrets " + file.string() +
                       " can be read by others than their owner\nif nobody did: chmod 600 " + file.string() +
                       "; otherwise rotate them too: tessera admin secret rotate --keep 1");
    }
    const Result<std::string> text = read_whole_file(file, largest_file);
    if (!text) return trouble("can't read the signing secrets: " + told(text.error()));
    return parse(file, *text);
}

Result<std::vector<SigningSecret>> read_or_make_secrets(const std::filesystem::path& file, Timestamp now) {
    if (access(file.c_str(), F_OK) != 0) {
        if (errno != ENOENT) return failed(file, "looking for it");
        if (Result<void> made = make_once(file, now); !made) return made.error();
    }
    return read_secrets(file);
}

Result<std::vector<SigningSecret>> rotate_secrets(const std::filesystem::path& file, std::size_t keep, Timestamp now) {
    const UniqueFd folder(open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder || flock(folder.get(), LOCK_EX) != 0) return failed(file, "locking its folder");
    Result<std::vector<SigningSecret>> secrets = read_or_make_secrets(file, now);
    if (!secrets) return secrets;
    // A clock that was set back must not put the new secret behind the old ones.
    const Timestamp newest = std::max(now, secrets->front().created_at + Millis(1));
    secrets->insert(secrets->begin(), new_secret(newest));
    secrets->resize(std::min(std::max<std::size_t>(keep, 1), secrets->size()));
    if (Result<void> written = replace_file(file, as_text(*secrets), 0600); !written) {
        return trouble("can't write the signing secrets: " + told(written.error()));
    }
    return secrets;
}

std::vector<SigningSecret> in_order_of_use(std::vector<SigningSecret> secrets, Timestamp now) {
    const auto settled = std::find_if(secrets.begin(), secrets.end(),
                                      [&](const SigningSecret& s) { return s.created_at + settling_time <= now; });
    // Where none has settled yet, the oldest is the one that most nodes know.
    const auto signing = settled != secrets.end() ? settled : std::prev(secrets.end());
    std::rotate(secrets.begin(), signing, signing + 1);
    return secrets;
}

}  // namespace tessera::app
