#include "app/process/progress_bar.hpp"

#include <algorithm>
#include <iostream>
#include <string>

namespace tessera::app {

void ProgressBar::show(double share, const std::string& label) {
    constexpr int width = 40;
    const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
    if (!visible_ || percent == drawn_) return;
    drawn_ = percent;
    const auto filled = static_cast<std::size_t>(percent * width / 100);
    std::cerr << '\r' << label << (label.empty() ? "[" : " [") << std::string(filled, '#')
              << std::string(width - filled, '.') << "] " << percent << " %" << std::flush;
}

void ProgressBar::clear() {
    if (drawn_ < 0) return;
    std::cerr << "\r\x1b[K" << std::flush;
    drawn_ = -1;
}

void ProgressBar::keep() {
    if (drawn_ < 0) return;
    std::cerr << std::endl;
    drawn_ = -1;
}

}  // namespace tessera::app
