// kill -9 at any instant: afterwards a blob is complete under its key or not there, what was acknowledged is there, and
// the next start leaves no staging file of the dead.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "backend.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

using BlobCrash = BlobContract;
INSTANTIATE_TEST_SUITE_P(On, BlobCrash, testing::ValuesIn(all_backends()), backend_name);

namespace {

// Publishes from several threads until it is killed, and writes the digest of each acknowledged blob to `acknowledged`.
[[noreturn]] void publish_until_killed(Backend& backend, int acknowledged, std::uint64_t seed) {
    const auto store = backend.open();
    if (!store) _exit(3);
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            std::mt19937_64 random(seed * 4 + t);
            for (;;) {
                const auto text = content(random(), random() % 5 == 0 ? 1'200'000 : random() % 60'000);
                if (!put(*store, self_describing_key(text), text)) _exit(4);
                const Digest digest = sha256(text);
                if (::write(acknowledged, digest.data(), digest.size()) != static_cast<ssize_t>(digest.size()))
                    _exit(5);
            }
        });
    }
    threads.clear();
    _exit(6);
}

std::vector<Digest> read_all(int fd) {
    std::vector<Digest> digests;
    Digest digest;
    while (::read(fd, digest.data(), digest.size()) == static_cast<ssize_t>(digest.size())) digests.push_back(digest);
    return digests;
}

}  // namespace

TEST_P(BlobCrash, AfterAKillEachBlobIsCompleteOrAbsentAndNothingIsLeftStaged) {
    std::mt19937 random(42);
    std::size_t acknowledged = 0;
    store.reset();
    for (std::uint64_t round = 0; round < 25; ++round) {
        int pipe[2];
        ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
        UniqueFd reading(pipe[0]);
        UniqueFd writing(pipe[1]);
        ::fcntl(writing.get(), F_SETPIPE_SZ, 1 << 20);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) publish_until_killed(*backend, writing.get(), round);
        writing.reset();

        // Every other kill comes when something has been acknowledged, however slow the machine is.
        pollfd first_digest{reading.get(), POLLIN, 0};
        if (round % 2 == 1) {
            ASSERT_EQ(::poll(&first_digest, 1, 300'000), 1);
        }
        // The only wait here that is meant: the kill must come at an arbitrary instant.
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);

        store = backend->open();
        ASSERT_NE(store, nullptr);
        EXPECT_EQ(files_below(backend->local_folder() / "staging"), 0U);
        for (const auto& digest : read_all(reading.get())) {
            ++acknowledged;
            EXPECT_TRUE(describes_itself(*store, key("self/" + to_hex(digest))));
        }
        for (const auto& name : keys(*store)) {
            ASSERT_TRUE(describes_itself(*store, key(name))) << name;
            ASSERT_TRUE(store->remove(key(name)));
        }
        store.reset();
    }
    EXPECT_GT(acknowledged, 0U);
}

}  // namespace tessera::blobs::contract
