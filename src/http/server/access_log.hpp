// One line per request. Never a key, a signature or a filename: the route's pattern stands for the target. Each loop
// has its own and hands lines over in batches, because the writer's lock is one that all loops share.
#pragma once

#include <string>

#include "http/message/request.hpp"
#include "http/server/stats.hpp"

namespace tessera::http {

class AccessLog {
  public:
    void add(const Request& request, const Answered& answered);
    // To the writer, with what was gathered. Called before the loop sleeps and at every tick.
    void hand_over();

  private:
    std::string lines_;
};

}  // namespace tessera::http
