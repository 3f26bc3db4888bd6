#include "imaging/save/evaluation.hpp"

namespace tessera::imaging {

Evaluation::Evaluation(const vips::VImage& image, Progress& progress, std::function<bool()> cancelled)
    : image_(image), progress_(progress), cancelled_(std::move(cancelled)) {
    vips_image_set_progress(image_.get_image(), TRUE);
    eval_ = g_signal_connect(image_.get_image(), "eval", G_CALLBACK(on_eval), this);
    posteval_ = g_signal_connect(image_.get_image(), "posteval", G_CALLBACK(on_posteval), this);
}

Evaluation::~Evaluation() {
    g_signal_handler_disconnect(image_.get_image(), eval_);
    g_signal_handler_disconnect(image_.get_image(), posteval_);
    vips_image_set_progress(image_.get_image(), FALSE);
}

void Evaluation::on_eval(VipsImage* image, VipsProgress* progress, Evaluation* self) {
    if (progress->percent > 0) self->progress_.pixels(progress->percent / 100.0);
    if (self->cancelled_ && self->cancelled_()) vips_image_set_kill(image, TRUE);
}

void Evaluation::on_posteval(VipsImage* /*image*/, VipsProgress* /*progress*/, Evaluation* self) {
    self->progress_.pixels_are_there();
}

}  // namespace tessera::imaging
