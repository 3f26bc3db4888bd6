#include "imaging/save/file_target.hpp"

#include <fcntl.h>

#include <utility>

namespace tessera::imaging {
namespace {

JobError can_not_write(std::string detail) {
    return {JobErrorCode::storage_unavailable, "files could not be read or written", std::move(detail)};
}

gint64 write_to(VipsTargetCustom* /*target*/, gpointer data, gint64 length, gpointer self) {
    const std::span bytes(static_cast<const std::uint8_t*>(data), static_cast<std::size_t>(length));
    return static_cast<FileTarget*>(self)->write(bytes) ? length : -1;
}

}  // namespace

JobResult<FileTarget> FileTarget::create(const std::filesystem::path& path, std::int64_t max_bytes) {
    UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file) return can_not_write(from_errno("open a result").detail);
    return FileTarget(std::move(file), max_bytes);
}

void FileTarget::insert(std::int64_t at, std::string bytes) {
    insert_at_ = at;
    inserted_ = std::move(bytes);
}

bool FileTarget::write(std::span<const std::uint8_t> bytes) {
    const std::int64_t left = insert_at_ - size_;
    if (inserted_.empty() || std::cmp_less(bytes.size(), left)) return append(bytes);
    const std::string inserted = std::exchange(inserted_, {});
    const auto front = static_cast<std::size_t>(left);
    return append(bytes.first(front)) &&
           append({reinterpret_cast<const std::uint8_t*>(inserted.data()), inserted.size()}) &&
           append(bytes.subspan(front));
}

bool FileTarget::append(std::span<const std::uint8_t> bytes) {
    if (failure_) return false;
    if (size_ + static_cast<std::int64_t>(bytes.size()) > max_bytes_) {
        failure_ = JobError{JobErrorCode::artifact_too_large,
                            "the result is over the limit of " + std::to_string(max_bytes_) + " bytes", ""};
        return false;
    }
    if (auto written = write_all(file_.get(), bytes); !written) {
        failure_ = can_not_write(written.error().detail);
        return false;
    }
    size_ += static_cast<std::int64_t>(bytes.size());
    return true;
}

vips::VTarget FileTarget::as_vips_target() {
    VipsTargetCustom* target = vips_target_custom_new();
    g_signal_connect(target, "write", G_CALLBACK(write_to), this);
    return vips::VTarget(VIPS_TARGET(target));
}

}  // namespace tessera::imaging
