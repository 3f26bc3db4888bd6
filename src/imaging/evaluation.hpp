// Inside imaging only: reports the progress of a libvips pipeline and stops it when nobody waits for it any more.
#pragma once

#include <functional>
#include <vips/vips8>

namespace tessera::imaging {

class Evaluation {
  public:
    Evaluation(const vips::VImage& image, std::function<void(double)> progress, std::function<bool()> cancelled);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    ~Evaluation();

  private:
    static void on_eval(VipsImage* image, VipsProgress* progress, Evaluation* self);
    vips::VImage image_;
    std::function<void(double)> progress_;
    std::function<bool()> cancelled_;
    gulong handler_;
};

}  // namespace tessera::imaging
