// Inside imaging only: reports the progress of a libvips pipeline and stops it when nobody waits for it any more.
#pragma once

#include <functional>
#include <vips/vips8>

#include "imaging/save/progress.hpp"

namespace tessera::imaging {

class Evaluation {
  public:
    // Tells `progress`, which outlives it, how many pixels have come.
    Evaluation(const vips::VImage& image, Progress& progress, std::function<bool()> cancelled);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    ~Evaluation();

  private:
    static void on_eval(VipsImage* image, VipsProgress* progress, Evaluation* self);
    static void on_posteval(VipsImage* image, VipsProgress* progress, Evaluation* self);
    vips::VImage image_;
    Progress& progress_;
    std::function<bool()> cancelled_;
    gulong eval_;
    gulong posteval_;
};

}  // namespace tessera::imaging
