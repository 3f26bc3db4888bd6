#include "codecs/jpeg/recode.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "codecs/bytes/orientation_exif.hpp"
#include "codecs/jpeg/libjpeg_guard.hpp"
#include "codecs/jpeg/looks_table.hpp"
#include "codecs/jpeg/quantiser.hpp"
#include "codecs/jpeg/scan_scripts.hpp"

namespace tessera::codecs {
namespace {

// libjpeg reports errors by calling back and must not be returned to, so work on it happens in functions that hold
// nothing but plain values; everything with a destructor is a member here.
class Recoder {
  public:
    Recoder(std::span<const std::uint8_t> file, const JpegRecoding& recoding) : file_(file), recoding_(recoding) {
        in_.err = out_.err = guard_.install();
    }
    Recoder(const Recoder&) = delete;
    Recoder& operator=(const Recoder&) = delete;
    ~Recoder() {
        jpeg_destroy_compress(&out_);
        jpeg_destroy_decompress(&in_);
        std::free(buffer_);
        std::free(best_);
    }

    bool read_header() {
        if (setjmp(guard_.jump) != 0) return false;
        jpeg_create_decompress(&in_);
        jpeg_create_compress(&out_);
        jpeg_mem_src(&in_, file_.data(), file_.size());
        const int first = recoding_.keep_metadata ? 1 : 2;
        const int last = recoding_.keep_metadata ? 13 : 2;
        for (int app = first; app <= last; ++app) jpeg_save_markers(&in_, JPEG_APP0 + app, 0xFFFF);
        return jpeg_read_header(&in_, TRUE) == JPEG_HEADER_OK;
    }

    bool recode() {
        if (setjmp(guard_.jump) != 0) return false;
        coefficients_ = jpeg_read_coefficients(&in_);
        if (guard_.base.num_warnings > 0) return false;  // damaged: better decoded than copied
        if (recoding_.means != nullptr) collect_means();
        jpeg_copy_critical_parameters(&in_, &out_);
        if (recoding_.quality) {
            for (int component = 0; component < in_.num_components; ++component) requantise(component);
        }
        for (const ScanScript& script : scan_scripts(in_.num_components)) {
            out_.scan_info = script.data();
            out_.num_scans = static_cast<int>(script.size());
            write();
        }
        if (best_ == nullptr) {
            jpeg_simple_progression(&out_);
            write();
        }
        return true;
    }

    [[nodiscard]] JpegFacts facts() const {
        JpegFacts facts;
        facts.components = in_.num_components;
        facts.halved_colour = in_.max_h_samp_factor > 1 && in_.max_v_samp_factor > 1;
        facts.quality = estimated_quality();
        return facts;
    }
    [[nodiscard]] std::string take() const { return {reinterpret_cast<const char*>(best_), best_size_}; }

  private:
    // As the scans are ordered now; kept where that is the smallest yet.
    void write() {
        jpeg_mem_dest(&out_, &buffer_, &size_);
        out_.optimize_coding = TRUE;
        jpeg_write_coefficients(&out_, coefficients_);
        write_markers();
        jpeg_finish_compress(&out_);
        if (best_ == nullptr || size_ < best_size_) {
            std::swap(best_, buffer_);
            best_size_ = size_;
        }
        std::free(buffer_);
        buffer_ = nullptr;
        size_ = 0;
    }

    [[nodiscard]] QuantTable table_of(int component) const {
        QuantTable table{};
        table.fill(1);
        const int number = in_.comp_info[component].quant_tbl_no;
        const JQUANT_TBL* found = number >= 0 && number < NUM_QUANT_TBLS ? in_.quant_tbl_ptrs[number] : nullptr;
        if (found != nullptr) std::copy_n(found->quantval, block_size, table.begin());
        return table;
    }

    [[nodiscard]] int estimated_quality() const {
        const QuantTable own = table_of(0);
        int own_sum = 0;
        for (const int step : own) own_sum += step;
        for (int quality = 100; quality > 1; --quality) {
            int sum = 0;
            for (const int step : standard_table(false, quality)) sum += step;
            if (sum >= own_sum) return quality;
        }
        return 1;
    }

    // Pictures of other models than luma and colour have three planes that are all like luma.
    [[nodiscard]] Plane plane_of(int component) const {
        if (in_.jpeg_color_space != JCS_YCbCr || component == 0) return Plane::luma;
        return component == 1 ? Plane::blue : Plane::red;
    }

    void collect_means() {
        JpegMeans& means = *recoding_.means;
        means.is_rgb = in_.jpeg_color_space == JCS_RGB;
        means.planes.resize(static_cast<std::size_t>(in_.num_components));
        for (int component = 0; component < in_.num_components; ++component) {
            const jpeg_component_info& info = in_.comp_info[component];
            JpegMeans::Plane& plane = means.planes[static_cast<std::size_t>(component)];
            plane.width = static_cast<int>(info.width_in_blocks);
            plane.height = static_cast<int>(info.height_in_blocks);
            plane.values.clear();
            plane.values.reserve(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height));
            const int step = table_of(component)[0];
            for_each_block(component, FALSE, [&](const Block* block) {
                plane.values.push_back(static_cast<std::uint8_t>(std::clamp(block[0] * step / 8 + 128, 0, 255)));
            });
        }
    }

    // Steps are never made finer than they were: that would spend bits on nothing.
    void requantise(int component) {
        const QuantTable from = table_of(component);
        const Plane plane = plane_of(component);
        QuantTable to = looks_table(plane, in_.max_h_samp_factor > 1, *recoding_.quality);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
        use_table(component, to);

        const BlockQuantiser quantiser(from, to, looks_weights(plane));
        const float bit_worth = plane == Plane::luma ? luma_bit_worth : colour_bit_worth;
        SymbolCosts costs;
        for_each_block(component, FALSE, [&](Block* block) {
            std::copy_n(block, block_size, scratch_.begin());
            quantiser.round(scratch_.data());
            costs.count(scratch_.data());
        });
        costs.settle();
        for_each_block(component, TRUE, [&](Block* block) {
            std::copy_n(block, block_size, scratch_.begin());
            quantiser.optimise(scratch_.data(), block, costs, bit_worth);
        });
    }

    template <typename Visit>
    void for_each_block(int component, boolean writes, Visit&& visit) {
        const jpeg_component_info& info = in_.comp_info[component];
        for (JDIMENSION row = 0; row < info.height_in_blocks; ++row) {
            JBLOCKARRAY blocks = in_.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&in_),
                                                             coefficients_[component], row, 1, writes);
            for (JDIMENSION column = 0; column < info.width_in_blocks; ++column) visit(blocks[0][column]);
        }
    }

    void use_table(int component, const QuantTable& table) {
        const int slot = std::min(component, 2);  // luma, and one for each chroma: their old tables may differ
        JQUANT_TBL*& target = out_.quant_tbl_ptrs[slot];
        if (target == nullptr) target = jpeg_alloc_quant_table(reinterpret_cast<j_common_ptr>(&out_));
        std::copy(table.begin(), table.end(), target->quantval);
        target->sent_table = FALSE;
        out_.comp_info[component].quant_tbl_no = slot;
    }

    void write_markers() {
        for (jpeg_saved_marker_ptr marker = in_.marker_list; marker != nullptr; marker = marker->next) {
            const bool profile = marker->marker == JPEG_APP0 + 2;
            if (profile && !recoding_.keep_profile && !recoding_.keep_metadata) continue;
            jpeg_write_marker(&out_, marker->marker, marker->data, marker->data_length);
        }
        if (recoding_.keep_metadata || recoding_.orientation == 1) return;
        exif_ = std::string("Exif\0\0", 6) + orientation_exif(recoding_.orientation);
        jpeg_write_marker(&out_, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(exif_.data()),
                          static_cast<unsigned>(exif_.size()));
    }

    // A bit is worth this much squared error, in steps: where size and likeness balanced on photographs.
    static constexpr float luma_bit_worth = 0.06F;
    static constexpr float colour_bit_worth = 0.04F;

    std::span<const std::uint8_t> file_;
    const JpegRecoding& recoding_;
    JpegGuard guard_{};
    jpeg_decompress_struct in_{};
    jpeg_compress_struct out_{};
    jvirt_barray_ptr* coefficients_ = nullptr;
    unsigned char* buffer_ = nullptr;
    unsigned long size_ = 0;
    unsigned char* best_ = nullptr;
    unsigned long best_size_ = 0;
    std::array<Block, block_size> scratch_{};
    std::string exif_;
};

}  // namespace

std::optional<JpegFacts> read_jpeg_facts(std::span<const std::uint8_t> file) {
    const JpegRecoding nothing;
    Recoder recoder(file, nothing);
    if (!recoder.read_header()) return std::nullopt;
    return recoder.facts();
}

std::optional<std::string> recode_jpeg(std::span<const std::uint8_t> file, const JpegRecoding& recoding) {
    Recoder recoder(file, recoding);
    if (!recoder.read_header() || !recoder.recode()) return std::nullopt;
    return recoder.take();
}

}  // namespace tessera::codecs
