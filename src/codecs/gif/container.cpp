#include "codecs/gif/container.hpp"

#include <algorithm>

#include "codecs/gif/lzw.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t header_size = 13;
constexpr std::uint8_t extension = 0x21;
constexpr std::uint8_t graphic_control = 0xF9;
constexpr std::uint8_t image = 0x2C;

std::size_t colour_bytes(std::uint8_t flags) {
    return (flags & 0x80) == 0 ? 0 : std::size_t{3} << ((flags & 7) + 1);
}

// Blocks of data from `at` on, each with its length in front, closed by an empty one: how many bytes they have, and
// where what follows them is. The end of the file closes them, too.
struct Blocks {
    std::size_t bytes = 0;
    std::size_t end = 0;
};
Blocks walk_blocks(FileBytes file, std::size_t at) {
    Blocks blocks;
    while (at < file.size()) {
        const std::size_t length = std::min<std::size_t>(file[at], file.size() - at - 1);
        const bool last = file[at] == 0;
        blocks.bytes += length;
        at += 1 + length;
        if (last) break;
    }
    blocks.end = at;
    return blocks;
}

class Walk {
  public:
    explicit Walk(FileBytes file) : file_(file) {}

    std::optional<GifContainer> container() {
        if (file_.size() < header_size || !text_of(file_).starts_with("GIF8")) return std::nullopt;
        found_.width = static_cast<int>(read_little16(file_, 6));
        found_.height = static_cast<int>(read_little16(file_, 8));
        found_.frames = 0;
        at_ = header_size + colour_bytes(file_[10]);
        if (at_ > file_.size()) return std::nullopt;
        found_.colours = file_.subspan(header_size, colour_bytes(file_[10]));
        while (at_ < file_.size() && step()) {
        }
        if (found_.frames == 0) return std::nullopt;
        return found_;
    }

  private:
    // False where this is the end: the trailer, the file's end, or something that is no block.
    bool step() {
        if (file_[at_] == extension && at_ + 2 < file_.size()) {
            if (file_[at_ + 1] == graphic_control && at_ + 6 < file_.size()) note_transparency();
            at_ = walk_blocks(file_, at_ + 2).end;
            return true;
        }
        return file_[at_] == image && at_ + 10 < file_.size() && take_image();
    }

    // The control before the first frame is the first frame's.
    void note_transparency() {
        if (found_.frames > 0) return;
        found_.transparent.reset();
        if ((file_[at_ + 3] & 1) != 0) found_.transparent = file_[at_ + 6];
    }

    bool take_image() {
        const std::size_t table = at_ + 10;
        const std::size_t data = table + colour_bytes(file_[at_ + 9]);
        if (data >= file_.size()) return false;
        const Blocks blocks = walk_blocks(file_, data + 1);
        if (found_.frames == 0) {
            found_.left = static_cast<int>(read_little16(file_, at_ + 1));
            found_.top = static_cast<int>(read_little16(file_, at_ + 3));
            found_.frame_width = static_cast<int>(read_little16(file_, at_ + 5));
            found_.frame_height = static_cast<int>(read_little16(file_, at_ + 7));
            found_.interlaced = (file_[at_ + 9] & 0x40) != 0;
            if (data > table) found_.colours = file_.subspan(table, data - table);
            found_.code_size = file_[data];
            found_.blocks = file_.subspan(data + 1, blocks.end - data - 1);
            found_.compressed_bytes = blocks.bytes;
            if (!is_sound()) return false;
            found_.width = std::max(found_.width, found_.left + found_.frame_width);
            found_.height = std::max(found_.height, found_.top + found_.frame_height);
        }
        ++found_.frames;
        at_ = blocks.end;
        return true;
    }

    [[nodiscard]] bool is_sound() const {
        return found_.frame_width > 0 && found_.frame_height > 0 && found_.code_size >= 1 &&
               found_.code_size <= LzwReader::largest_first_size;
    }

    FileBytes file_;
    std::size_t at_ = 0;
    GifContainer found_;
};

}  // namespace

std::optional<GifContainer> read_gif_container(FileBytes file) {
    return Walk(file).container();
}

}  // namespace tessera::codecs
