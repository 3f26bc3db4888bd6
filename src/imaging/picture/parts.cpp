#include "imaging/picture/parts.hpp"

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/heif/boxes.hpp"
#include "codecs/jpeg/frame.hpp"

namespace tessera::imaging {
namespace {

using codecs::FileBytes;

// 255 segments are the largest profile, and some hundreds the largest XMP that is written. libjpeg looks through all
// that it has kept before it keeps another.
constexpr std::size_t most_segments = 2'000;
// A grid of a thousand tiles has about as many items, each with a box. libheif looks for an item's properties among
// those of all items.
constexpr std::size_t most_boxes = 6'000;
constexpr std::size_t most_table_bytes = std::size_t{128} << 10;

class BoxCount {
  public:
    bool is_too_many(FileBytes file) {
        walk(file, [this](std::string_view type, FileBytes body) {
            if (type == "meta" && body.size() > 4) look_into_meta(body.subspan(4));
        });
        return boxes_ > most_boxes || table_bytes_ > most_table_bytes;
    }

  private:
    template <typename Visit>
    void walk(FileBytes bytes, Visit&& visit) {
        codecs::for_each_box(bytes, [&](std::string_view type, FileBytes body) {
            ++boxes_;
            if (boxes_ <= most_boxes) visit(type, body);
        });
    }
    void look_into_meta(FileBytes meta) {
        walk(meta, [this](std::string_view type, FileBytes body) {
            if (type == "iloc" || type == "iref") table_bytes_ += body.size();
            if (type == "iref" && body.size() > 4) count(body.subspan(4));
            // The number of entries has four bytes, or two in the first version.
            if (type == "iinf" && body.size() > 8) count(body.subspan(body[0] == 0 ? 6 : 8));
            if (type == "iprp") look_into_properties(body);
        });
    }
    void look_into_properties(FileBytes properties) {
        walk(properties, [this](std::string_view type, FileBytes body) {
            if (type == "ipma") table_bytes_ += body.size();
            if (type == "ipco") count(body);
        });
    }
    void count(FileBytes boxes) {
        walk(boxes, [](std::string_view, FileBytes) {});
    }

    std::size_t boxes_ = 0;
    std::size_t table_bytes_ = 0;
};

}  // namespace

bool has_too_many_parts(int file, ImageFormat format) {
    if (format != ImageFormat::jpeg && format != ImageFormat::heif && format != ImageFormat::avif) return false;
    if (format == ImageFormat::jpeg) return codecs::has_more_jpeg_segments_than(most_segments, file);
    const auto mapped = codecs::MappedFile::open(file);
    return mapped && BoxCount().is_too_many(mapped->bytes());
}

}  // namespace tessera::imaging
