// The boxes that HEIF, AVIF and JPEG XL files are made of.
#pragma once

#include <optional>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

// Reads numbers of any width from a box's body and remembers when it ran out.
class BoxReader {
  public:
    explicit BoxReader(FileBytes bytes) : bytes_(bytes) {}
    std::uint64_t number(std::size_t width) {
        if (width > bytes_.size() - at_) {
            failed_ = true;
            at_ = bytes_.size();
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < width; ++i) value = value << 8 | bytes_[at_++];
        return value;
    }
    std::string_view text(std::size_t length) {
        if (length > bytes_.size() - at_) {
            failed_ = true;
            return {};
        }
        at_ += length;
        return text_of(bytes_.subspan(at_ - length, length));
    }
    [[nodiscard]] FileBytes rest() const { return bytes_.subspan(at_); }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    FileBytes bytes_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

struct Box {
    std::string_view type;
    FileBytes body;
    FileBytes whole;  // with its length and type
};

// The box at `at`; nothing where its length is none, or reaches past the end.
inline std::optional<Box> box_at(FileBytes bytes, std::size_t at) {
    if (bytes.size() - at < 8) return std::nullopt;
    std::uint64_t length = read_big32(bytes, at);
    std::size_t head = 8;
    if (length == 1) {
        if (bytes.size() - at < 16) return std::nullopt;
        length = read_big64(bytes, at + 8);
        head = 16;
    } else if (length == 0) {  // to the end of the file
        length = bytes.size() - at;
    }
    if (length < head || length > bytes.size() - at) return std::nullopt;
    return Box{text_of(bytes.subspan(at + 4, 4)), bytes.subspan(at + head, length - head), bytes.subspan(at, length)};
}

// Calls `visit(type, body)` for each box; false when their lengths do not add up.
template <typename Visit>
bool for_each_box(FileBytes bytes, Visit&& visit) {
    for (std::size_t at = 0; at < bytes.size();) {
        const auto box = box_at(bytes, at);
        if (!box) return false;
        visit(box->type, box->body);
        at += box->whole.size();
    }
    return true;
}

// Calls visit(id, kind) for every item of an `iinf` box; those of versions that have no kind are passed over. False
// where the list does not add up.
template <typename Visit>
bool for_each_item(FileBytes iinf, Visit visit) {
    BoxReader reader(iinf);
    const std::uint64_t version = reader.number(1);
    reader.number(3);                     // flags
    reader.number(version == 0 ? 2 : 4);  // how many there are
    bool sound = !reader.failed();
    return for_each_box(reader.rest(),
                        [&](std::string_view type, FileBytes body) {
                            if (type != "infe") return;
                            BoxReader entry(body);
                            const std::uint64_t entry_version = entry.number(1);
                            entry.number(3);  // flags
                            if (entry_version < 2) return;
                            const std::uint64_t id = entry.number(entry_version == 2 ? 2 : 4);
                            entry.number(2);  // protection
                            const std::string_view kind = entry.text(4);
                            sound = sound && !entry.failed();
                            visit(id, kind);
                        }) &&
           sound;
}

}  // namespace tessera::codecs
