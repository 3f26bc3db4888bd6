// Given by one thread, waited for by another. std::binary_semaphore would yield the processor several times before it
// sleeps: in vain where a disk or a request is waited for.
#pragma once

#include <semaphore.h>

#include <cerrno>

namespace tessera {

class DoneSignal {
  public:
    DoneSignal() { ::sem_init(&semaphore_, 0, 0); }
    DoneSignal(const DoneSignal&) = delete;
    DoneSignal& operator=(const DoneSignal&) = delete;
    ~DoneSignal() { ::sem_destroy(&semaphore_); }

    void give() { ::sem_post(&semaphore_); }
    void wait() {
        while (::sem_wait(&semaphore_) != 0 && errno == EINTR) {
        }
    }

  private:
    sem_t semaphore_;
};

}  // namespace tessera
