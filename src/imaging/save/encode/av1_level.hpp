// Inside imaging only: quality between the levels of libaom's quantiser, of which there are 64. AV1 itself has 256
// steps.
#pragma once

#include <aom/aom_encoder.h>

namespace tessera::imaging {

// AV1's own number of the step at a level, 0 to 255; levels are 0 to 63, and what is between them counts.
int step_index_at(double level);
bool is_between_levels(double level);

// Of ten bits where it is between two. libaom picks a step there where it is asked for a size: the one by which it
// expects that. It can't go wrong by more than the levels on either side.
struct LevelAim {
    double level = 0;
    bool is_screen = false;  // what is on a screen it expects to take half as much
};
// The picture's size is set already.
void aim_at(const LevelAim& aim, aom_codec_enc_cfg_t& config);

// Whether libaom takes a picture of ten bits for what is on a screen: much of it has few values of lightness.
bool is_screen_to_libaom(const aom_image_t& planes);

}  // namespace tessera::imaging
