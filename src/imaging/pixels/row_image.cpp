#include "imaging/pixels/row_image.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "imaging/pixels/vips_runtime.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int lines_at_once = 16;
constexpr const char* key = "tessera-rows";

// Reads through libvips, whose threads each come with a region of their own.
class RegionRows final : public RowReader {
  public:
    explicit RegionRows(const VImage& image) : width_(image.width()), height_(image.height()) {}

    RowReader* on(VipsRegion* region) {
        region_ = region;
        return this;
    }

    const std::uint8_t* next() override {
        if (!is_held() && !fetch()) return nullptr;
        return region_->data + std::ptrdiff_t{row_++ - region_->valid.top} * region_->bpl;
    }

  private:
    [[nodiscard]] bool is_held() const {
        const VipsRect& valid = region_->valid;
        return region_ == held_ && row_ >= valid.top && row_ < valid.top + valid.height;
    }
    bool fetch() {
        const VipsRect area{0, row_, width_, std::min(lines_at_once, height_ - row_)};
        held_ = vips_region_prepare(region_, &area) == 0 ? region_ : nullptr;
        return held_ != nullptr;
    }

    int width_;
    int height_;
    int row_ = 0;
    VipsRegion* region_ = nullptr;
    const VipsRegion* held_ = nullptr;
};

struct Rows {
    Rows(const VImage& made_from, std::unique_ptr<RowMaker> made_by, bool reads)
        : model(made_from), maker(std::move(made_by)), reads_model(reads), through_libvips(made_from) {}

    VImage model;
    std::unique_ptr<RowMaker> maker;
    bool reads_model;
    int next = 0;
    RegionRows through_libvips;  // of the model
};

using SharedRows = std::shared_ptr<Rows>;

void forget(void* rows) {
    const std::unique_ptr<SharedRows> owned(static_cast<SharedRows*>(rows));
}

void attach(SharedRows rows, const VImage& image) {
    auto owned = std::make_unique<SharedRows>(std::move(rows));
    g_object_set_data_full(G_OBJECT(image.get_image()), key, owned.release(), forget);
}

SharedRows attached(const VImage& image) {
    const auto* rows = static_cast<const SharedRows*>(g_object_get_data(G_OBJECT(image.get_image()), key));
    return rows != nullptr ? *rows : nullptr;
}

// libvips' sequential cache sees to it that rows are asked for in order and by one thread at a time.
int generate(VipsRegion* region, void* upstream, void* /*model*/, void* rows_pointer, gboolean* /*stop*/) {
    auto& rows = *static_cast<Rows*>(rows_pointer);
    const VipsRect& area = region->valid;
    if (area.top != rows.next) {
        vips_error("rows", "asked for row %d after row %d", area.top, rows.next);
        return -1;
    }
    RowReader* reader = upstream != nullptr ? rows.through_libvips.on(static_cast<VipsRegion*>(upstream)) : nullptr;
    for (int y = 0; y < area.height; ++y, ++rows.next) {
        std::uint8_t* out = region->data + std::ptrdiff_t{y} * region->bpl;
        if (!rows.maker->write(out, reader)) {
            note_failed_rows();
            return -1;
        }
    }
    return 0;
}

class MadeRows final : public RowReader {
  public:
    MadeRows(SharedRows rows, std::unique_ptr<RowReader> upstream, const VImage& image)
        : rows_(std::move(rows)), upstream_(std::move(upstream)), height_(image.height()), row_(row_bytes(image)) {}

    const std::uint8_t* next() override {
        if (rows_->next == height_) {
            vips_error("rows", "asked for a row after the last");
            return nullptr;
        }
        ++rows_->next;
        return rows_->maker->write(row_.data(), upstream_.get()) ? row_.data() : nullptr;
    }

  private:
    SharedRows rows_;
    std::unique_ptr<RowReader> upstream_;
    int height_;
    std::vector<std::uint8_t> row_;
};

class RowsInMemory final : public RowReader {
  public:
    explicit RowsInMemory(const VImage& image) : image_(image), at_(image.get_image()->data) {}

    const std::uint8_t* next() override {
        const std::uint8_t* row = at_;
        at_ += row_bytes(image_);
        return row;
    }

  private:
    VImage image_;
    const std::uint8_t* at_;
};

class PassedRows final : public RowMaker {
  public:
    explicit PassedRows(const VImage& image) : size_(row_bytes(image)) {}

    bool write(std::uint8_t* out, RowReader* upstream) override {
        const std::uint8_t* row = upstream->next();
        if (row != nullptr) std::memcpy(out, row, size_);
        return row != nullptr;
    }

  private:
    std::size_t size_;
};

bool is_in_memory(const VImage& image) {
    const VipsImageType type = image.get_image()->dtype;
    return type == VIPS_IMAGE_SETBUF || type == VIPS_IMAGE_SETBUF_FOREIGN;
}

}  // namespace

VImage image_of_rows(const VImage& model, int width, int height, std::unique_ptr<RowMaker> maker, bool reads_model) {
    auto rows = std::make_shared<Rows>(model, std::move(maker), reads_model);
    const VImage image(vips_image_new());
    VipsImage* made = image.get_image();
    if (vips_image_pipelinev(made, VIPS_DEMAND_STYLE_THINSTRIP, model.get_image(), nullptr) != 0) throw vips::VError();
    made->Xsize = width;
    made->Ysize = height;
    attach(rows, image);
    const int failed = vips_image_generate(made, reads_model ? vips_start_one : nullptr, generate,
                                           reads_model ? vips_stop_one : nullptr, model.get_image(), rows.get());
    if (failed != 0) throw vips::VError();
    VImage in_order = image.sequential(VImage::option()->set("tile_height", lines_at_once));
    attach(std::move(rows), in_order);
    return in_order;
}

void make_rows_also_by(std::unique_ptr<RowMaker> maker, const VImage& model, const VImage& image) {
    attach(std::make_shared<Rows>(model, std::move(maker), true), image);
}

VImage copy_of(const VImage& image) {
    VImage copy = image.copy();
    make_rows_also_by(std::make_unique<PassedRows>(image), image, copy);
    return copy;
}

std::unique_ptr<RowReader> rows_without_libvips(const VImage& image) {
    if (is_in_memory(image)) return std::make_unique<RowsInMemory>(image);
    SharedRows rows = attached(image);
    if (!rows || rows->next != 0) return nullptr;
    std::unique_ptr<RowReader> upstream;
    if (rows->reads_model) {
        upstream = rows_without_libvips(rows->model);
        if (!upstream) return nullptr;
    }
    return std::make_unique<MadeRows>(std::move(rows), std::move(upstream), image);
}

}  // namespace tessera::imaging
