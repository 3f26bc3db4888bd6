#include "imaging/evaluation.hpp"

namespace tessera::imaging {

Evaluation::Evaluation(const vips::VImage& image, std::function<void(double)> progress, std::function<bool()> cancelled)
    : image_(image), progress_(std::move(progress)), cancelled_(std::move(cancelled)) {
    vips_image_set_progress(image_.get_image(), TRUE);
    handler_ = g_signal_connect(image_.get_image(), "eval", G_CALLBACK(on_eval), this);
}

Evaluation::~Evaluation() {
    g_signal_handler_disconnect(image_.get_image(), handler_);
    vips_image_set_progress(image_.get_image(), FALSE);
}

void Evaluation::on_eval(VipsImage* image, VipsProgress* progress, Evaluation* self) {
    if (self->progress_) self->progress_(progress->percent / 100.0);
    if (self->cancelled_ && self->cancelled_()) vips_image_set_kill(image, TRUE);
}

}  // namespace tessera::imaging
