#include "codecs/jpeg/scan_scripts.hpp"

#include <initializer_list>

namespace tessera::codecs {
namespace {

constexpr int last = 63;

// The mean of every block, of all components at once.
jpeg_scan_info means(int components) {
    jpeg_scan_info scan{};
    scan.comps_in_scan = components;
    for (int i = 0; i < components; ++i) scan.component_index[i] = i;
    return scan;
}

struct Band {
    int first;
    int last;
    int skipped = 0;  // low bits that this scan leaves to a later one
    int sent = 0;     // the same of the scan before it, where this one adds a bit
};

void add(ScanScript& script, int component, std::initializer_list<Band> bands) {
    for (const Band& band : bands) {
        jpeg_scan_info scan{};
        scan.comps_in_scan = 1;
        scan.component_index[0] = component;
        scan.Ss = band.first;
        scan.Se = band.last;
        scan.Ah = band.sent;
        scan.Al = band.skipped;
        script.push_back(scan);
    }
}

ScanScript script_of(int components, std::initializer_list<Band> luma, std::initializer_list<Band> chroma) {
    ScanScript script{means(components)};
    add(script, 0, luma);
    for (int component = 1; component < components; ++component) add(script, component, chroma);
    return script;
}

// Bands with codes of their own suit coarse steps, where blocks end early; low bits that come later suit fine ones.
std::vector<ScanScript> scripts_of(int components) {
    return {
        script_of(components, {{1, 8}, {9, last}}, {{1, 8}, {9, last}}),
        script_of(components, {{1, 2}, {3, last}}, {{1, last}}),
        script_of(components, {{1, 5, 2}, {6, last, 2}, {1, last, 1, 2}, {1, last, 0, 1}},
                  {{1, last, 1}, {1, last, 0, 1}}),
    };
}

}  // namespace

std::span<const ScanScript> scan_scripts(int components) {
    static const std::vector<ScanScript> grey = scripts_of(1);
    static const std::vector<ScanScript> colours = scripts_of(3);
    if (components == 1) return grey;
    if (components == 3) return colours;
    return {};
}

}  // namespace tessera::codecs
