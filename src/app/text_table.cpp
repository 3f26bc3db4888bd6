#include "app/text_table.hpp"

#include <algorithm>

namespace tessera::app {
namespace {

// Counts characters, not bytes: every byte that does not continue a UTF-8 sequence starts one.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string TextTable::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string out;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += row[i];
            if (i + 1 < row.size()) out.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        out += '\n';
    }
    return out;
}

}  // namespace tessera::app
