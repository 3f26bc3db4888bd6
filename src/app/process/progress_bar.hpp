// A line on a terminal that shows how far work has come.
#pragma once

#include <string>

namespace tessera::app {

class ProgressBar {
  public:
    explicit ProgressBar(bool visible) : visible_(visible) {}
    void show(double share, const std::string& label = {});  // 0 to 1
    void clear();                                            // the line is free again
    void keep();                                             // the line stays, and the next one begins

  private:
    bool visible_;
    int drawn_ = -1;  // in percent
};

}  // namespace tessera::app
