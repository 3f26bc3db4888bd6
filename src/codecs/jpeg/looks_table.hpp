// Quantisation tables that were found by looks: where the same bytes got the best SSIMULACRA 2 scores on photographs.
#pragma once

#include "codecs/jpeg/quantiser.hpp"

namespace tessera::codecs {

// Luma, and the two differences of colour, blue and red. `halved` is of colour at half resolution both ways, whose
// frequencies are half as high. Quality is of 1 to 100, and looks about as the IJG's tables do at that number.
enum class Plane { luma, blue, red };
QuantTable looks_table(Plane plane, bool halved, double quality);

// What an error at each frequency weighs when it is weighed against bits, in zigzag order: beyond what the steps say.
using FrequencyWeights = std::array<float, block_size>;
FrequencyWeights looks_weights(Plane plane);

}  // namespace tessera::codecs
