#include "app/backup/blob_list.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "app/trouble.hpp"
#include "core/file.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t digest_length = 64;
constexpr std::string_view no_digest = "-";

std::optional<metadata::NamedBlob> parse(const std::string& line) {
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string::npos ? first : line.find(' ', first + 1);
    if (second == std::string::npos) return std::nullopt;
    metadata::NamedBlob blob;
    blob.sha256 = line.substr(0, first);
    if (blob.sha256 == no_digest) blob.sha256.clear();
    if (!blob.sha256.empty() && blob.sha256.size() != digest_length) return std::nullopt;
    const char* end = line.data() + second;
    const auto read = std::from_chars(line.data() + first + 1, end, blob.size);
    blob.key = line.substr(second + 1);
    if (read.ec != std::errc{} || read.ptr != end || blob.key.empty()) return std::nullopt;
    return blob;
}

}  // namespace

BlobListWriter::BlobListWriter(std::filesystem::path file)
    : file_(std::move(file)), draft_(file_.string() + ".new"), out_(draft_, std::ios::binary | std::ios::trunc) {}

void BlobListWriter::add(const metadata::NamedBlob& blob) {
    out_ << (blob.sha256.empty() ? no_digest : std::string_view(blob.sha256)) << ' ' << blob.size << ' ' << blob.key
         << '\n';
}

Result<void> BlobListWriter::finish() {
    out_.close();
    if (!out_) return trouble("can't write " + file_.string() + ": is the disk full?");
    const UniqueFd written(::open(draft_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!written || ::fsync(written.get()) != 0) return from_errno("sync " + draft_.string());
    if (std::rename(draft_.c_str(), file_.c_str()) != 0) return from_errno("rename " + draft_.string());
    return sync_folder(file_.parent_path());
}

BlobListReader::BlobListReader(const std::filesystem::path& file) : file_(file), in_(file, std::ios::binary) {}

Result<std::optional<metadata::NamedBlob>> BlobListReader::next() {
    std::string line;
    if (!std::getline(in_, line)) {
        if (in_.eof() && !in_.bad()) return std::optional<metadata::NamedBlob>();
        return trouble("can't read the list of blobs " + file_.string());
    }
    auto blob = in_.eof() ? std::nullopt : parse(line);  // a last line without its end was cut off
    if (!blob || (!last_key_.empty() && blob->key <= last_key_)) {
        return trouble("the list of blobs " + file_.string() + " is damaged");
    }
    last_key_ = blob->key;
    return blob;
}

Result<void> each_key_of(const std::vector<std::filesystem::path>& lists, const UseKey& use) {
    std::vector<BlobListReader> readers;
    readers.reserve(lists.size());
    std::vector<std::optional<metadata::NamedBlob>> heads;
    for (const std::filesystem::path& list : lists) {
        auto head = readers.emplace_back(list).next();
        if (!head) return head.error();
        heads.push_back(*std::move(head));
    }
    while (true) {
        std::optional<metadata::NamedBlob> least;
        for (const auto& head : heads) {
            if (head && (!least || head->key < least->key)) least = head;
        }
        if (!least) return {};
        std::vector<std::size_t> named_by;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (!heads[i] || heads[i]->key != least->key) continue;
            named_by.push_back(i);
            if (least->sha256.empty()) least->sha256 = heads[i]->sha256;
            auto next = readers[i].next();
            if (!next) return next.error();
            heads[i] = *std::move(next);
        }
        if (auto used = use(*least, named_by); !used) return used;
    }
}

}  // namespace tessera::app
