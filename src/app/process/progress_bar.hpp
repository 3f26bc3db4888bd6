// A line on a terminal that shows how far work has come.
#pragma once

namespace tessera::app {

class ProgressBar {
  public:
    explicit ProgressBar(bool visible) : visible_(visible) {}
    void show(double share);  // 0 to 1
    void clear();

  private:
    bool visible_;
    int drawn_ = -1;  // in percent
};

}  // namespace tessera::app
