// A slow disk for the bench, to be preloaded into a server: every call that makes something durable waits for a flush
// that began after it came, a flush takes TESSERA_SYNC_US microseconds, and there is one at a time, as in the kernel's
// block layer. So callers that come together share a flush, and callers that come one by one do not. The real call
// follows. TESSERA_SYNC_COUNTS names a file of two 64-bit counters: calls, and flushes.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Counters {
    std::atomic<std::uint64_t> calls;
    std::atomic<std::uint64_t> flushes;
};

Counters* shared_counters() {
    static Counters unshared{};
    const char* path = std::getenv("TESSERA_SYNC_COUNTS");
    if (path == nullptr) return &unshared;
    const int file = ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return &unshared;
    void* mapped = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return mapped == MAP_FAILED ? &unshared : static_cast<Counters*>(mapped);
}

std::chrono::microseconds flush_time() {
    const char* text = std::getenv("TESSERA_SYNC_US");
    return std::chrono::microseconds(text == nullptr ? 0 : std::atol(text));
}

class Disk {
  public:
    void flush() {
        ++counters_->calls;
        if (takes_.count() == 0) return;
        std::unique_lock lock(mutex_);
        const std::uint64_t mine = begun_ + 1;
        while (ended_ < mine) {
            if (begun_ > ended_) {
                one_ended_.wait(lock);
                continue;
            }
            ++begun_;
            ++counters_->flushes;
            lock.unlock();
            std::this_thread::sleep_for(takes_);
            lock.lock();
            ended_ = begun_;
            one_ended_.notify_all();
        }
    }

  private:
    Counters* const counters_ = shared_counters();
    const std::chrono::microseconds takes_ = flush_time();
    std::mutex mutex_;
    std::condition_variable one_ended_;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
};

Disk& disk() {
    static Disk the_disk;
    return the_disk;
}

template <typename Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int fsync(int file) {
    static auto* const call = real<int(int)>("fsync");
    disk().flush();
    return call(file);
}

int fdatasync(int file) {
    static auto* const call = real<int(int)>("fdatasync");
    disk().flush();
    return call(file);
}

int syncfs(int file) noexcept {
    static auto* const call = real<int(int)>("syncfs");
    disk().flush();
    return call(file);
}

void sync() noexcept {
    static auto* const call = real<void()>("sync");
    disk().flush();
    call();
}

int msync(void* address, std::size_t size, int flags) {
    static auto* const call = real<int(void*, std::size_t, int)>("msync");
    if ((flags & MS_SYNC) != 0) disk().flush();
    return call(address, size, flags);
}

// Only begins to write unless it is told to wait.
int sync_file_range(int file, off64_t offset, off64_t size, unsigned flags) {
    static auto* const call = real<int(int, off64_t, off64_t, unsigned)>("sync_file_range");
    if ((flags & (SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER)) != 0) disk().flush();
    return call(file, offset, size, flags);
}
}
