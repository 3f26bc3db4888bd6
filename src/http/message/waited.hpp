// Something that a request waits for while it holds no thread.
#pragma once

#include <functional>

namespace tessera::http {

class Waited {
  public:
    virtual ~Waited() = default;
    // `over` is called once, from any thread, now or later. Called on the loop: be quick.
    virtual void wait(std::function<void()> over) = 0;
    // The client has gone, or the server drains: what is waited for is over now. On the loop, perhaps more than once.
    virtual void give_up() = 0;
};

}  // namespace tessera::http
