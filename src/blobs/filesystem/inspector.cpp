#include "blobs/inspector.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "blobs/filesystem/layout.hpp"
#include "blobs/filesystem/listing.hpp"
#include "core/file.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t step = std::size_t{1} << 20;
constexpr mode_t for_us_alone = 0700;

std::uint64_t bytes_below(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->is_regular_file(ignored)) bytes += it->file_size(ignored);
    }
    return bytes;
}

// Whoever works in a staging folder holds its lock.
bool is_abandoned(const fs::path& folder) {
    const UniqueFd lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return lock && ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0;
}

class FileInspector final : public Inspector {
  public:
    explicit FileInspector(const fs::path& data_dir) : data_dir_(data_dir), layout_(data_dir / "blobs") {}

    Result<std::string> look() override { return "files in " + layout_.root().string(); }

    Result<BlobPage> list(const std::optional<std::string>& from, std::size_t limit) override {
        std::error_code ignored;
        if (!fs::exists(layout_.root(), ignored)) return BlobPage{};
        return list_files(layout_, "", from, limit);
    }

    Result<std::optional<StoredBlob>> look_at(const BlobKey& key) override {
        const fs::path path = layout_.path_of(key);
        struct stat status {};
        if (::stat(path.c_str(), &status) == 0) {
            if (!S_ISREG(status.st_mode)) return std::optional<StoredBlob>();
            return std::optional(StoredBlob{static_cast<std::uint64_t>(status.st_size)});
        }
        if (errno == ENOENT || errno == ENOTDIR) return std::optional<StoredBlob>();
        return from_errno("look at " + path.string());
    }

    Result<void> read(const BlobKey& key, const UseBytes& use) override {
        const auto file = open_file(key);
        if (!file) return file.error();
        std::vector<std::uint8_t> buffer(step);
        for (std::uint64_t offset = 0;;) {
            const ssize_t got = ::pread(file->get(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return from_errno("read " + layout_.path_of(key).string());
            if (got == 0) break;
            use(std::span(buffer).first(static_cast<std::size_t>(got)));
            offset += static_cast<std::uint64_t>(got);
        }
        // Read once and by nobody else: what the service keeps in memory is of more use there.
        ::posix_fadvise(file->get(), 0, 0, POSIX_FADV_DONTNEED);
        return {};
    }

    Result<ReadAt> open(const BlobKey& key) override {
        auto file = open_file(key);
        if (!file) return file.error();
        return ReadAt([held = std::make_shared<const UniqueFd>(*std::move(file))](
                          std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
            return read_exactly_at(held->get(), offset, out);
        });
    }

    [[nodiscard]] std::string place_of(const BlobKey& key) const override { return layout_.path_of(key).string(); }

    Result<void> leftovers(Timestamp /*before*/, const std::function<void(const Leftover&)>& use) override {
        std::error_code error;
        for (fs::directory_iterator it(data_dir_ / "staging", error), end; !error && it != end; it.increment(error)) {
            std::error_code ignored;
            if (!it->is_directory(ignored) || fs::is_empty(it->path(), ignored) || !is_abandoned(it->path())) continue;
            use({Leftover::Kind::staged, it->path().string(), bytes_below(it->path())});
        }
        if (error && error != std::errc::no_such_file_or_directory) {
            return storage_unavailable("list " + (data_dir_ / "staging").string() + ": " + error.message());
        }
        error.clear();
        for (fs::recursive_directory_iterator it(layout_.root(), error), end; !error && it != end;
             it.increment(error)) {
            std::error_code gone;
            if (it->is_directory(gone)) continue;
            if (!is_stray(it->path())) continue;
            const std::uintmax_t bytes = it->is_regular_file(gone) ? it->file_size(gone) : 0;
            if (!gone) use({Leftover::Kind::stray, it->path().string(), bytes});
        }
        if (error && error != std::errc::no_such_file_or_directory) {
            return storage_unavailable("list " + layout_.root().string() + ": " + error.message());
        }
        return {};
    }

    Result<std::optional<std::string>> set_aside(const BlobKey& key, std::string_view run, std::string_view note,
                                                 const MayGo& may_go) override {
        return move_aside(layout_.path_of(key), fs::path(run) / key.text(), note, may_go);
    }

    Result<std::string> set_stray_aside(const std::string& where, std::string_view run,
                                        std::string_view note) override {
        const fs::path to = fs::path(run) / "stray" / fs::path(where).lexically_relative(layout_.root());
        auto moved = move_aside(where, to, note, [] { return true; });
        if (!moved) return moved.error();
        return **std::move(moved);
    }

  private:
    [[nodiscard]] Result<UniqueFd> open_file(const BlobKey& key) const {
        const fs::path path = layout_.path_of(key);
        UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (file) return file;
        if (errno == ENOENT) return Error{ErrorCode::not_found, "not found", "no blob " + key.text()};
        return from_errno("open " + path.string());
    }

    // Files lie two folders deep, in the one that their key belongs to.
    [[nodiscard]] bool is_stray(const fs::path& path) const {
        const fs::path folder = path.parent_path();
        if (folder.parent_path().parent_path() != layout_.root()) return true;
        const auto key = Layout::key_of(folder.parent_path().filename().string(), path.filename().string());
        return !key || layout_.path_of(*key) != path;
    }

    // The note first, then the bytes under their new name, then the old name goes.
    [[nodiscard]] Result<std::optional<std::string>> move_aside(const fs::path& from, const fs::path& to,
                                                                std::string_view note, const MayGo& may_go) const {
        const fs::path target = data_dir_ / "quarantine" / to;
        if (auto made = make_folders(target.parent_path()); !made) return made.error();
        if (auto noted = replace_file(target.string() + ".json", note, 0600); !noted) return noted.error();
        const bool linked = ::link(from.c_str(), target.c_str()) == 0 || errno == EEXIST;
        std::error_code ignored;
        if (!linked && errno == ENOENT && fs::exists(target, ignored)) return std::optional(target.string());
        if (!linked && errno != EPERM && errno != EOPNOTSUPP) {
            return from_errno("move " + from.string() + " to " + target.string());
        }
        if (auto synced = sync_folder(target.parent_path()); !synced) return synced.error();
        const auto goes = may_go();
        if (!goes) return goes.error();
        if (!*goes) return std::optional<std::string>();
        // A filesystem without hard links moves it in one step.
        const bool gone =
            linked ? ::unlink(from.c_str()) == 0 || errno == ENOENT : ::rename(from.c_str(), target.c_str()) == 0;
        if (!gone) return from_errno("move " + from.string() + " to " + target.string());
        for (const fs::path& folder : {from.parent_path(), target.parent_path()}) {
            if (auto synced = sync_folder(folder); !synced) return synced.error();
        }
        return std::optional(target.string());
    }

    [[nodiscard]] Result<void> make_folders(const fs::path& folder) const {
        if (folder == data_dir_) return {};
        if (auto above = make_folders(folder.parent_path()); !above) return above;
        if (::mkdir(folder.c_str(), for_us_alone) == 0) return sync_folder(folder.parent_path());
        if (errno == EEXIST) return {};
        return from_errno("create " + folder.string());
    }

    const fs::path data_dir_;
    const Layout layout_;
};

}  // namespace

std::unique_ptr<Inspector> inspect_files(const fs::path& data_dir) {
    return std::make_unique<FileInspector>(data_dir);
}

}  // namespace tessera::blobs
