#include "s3_server.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "core/file.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

namespace {

// The script, running.
class CephProcess {
  public:
    CephProcess() {
        const std::string ready = (folder_.path() / "ready.json").string();
        pid_ = ::fork();
        if (pid_ == 0) {
            ::execl("/usr/bin/python3", "python3", TESSERA_CEPH_S3, "--ready", ready.c_str(), nullptr);
            _exit(127);
        }
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(3);
        while (!std::filesystem::exists(ready)) {
            if (::waitpid(pid_, nullptr, WNOHANG) == pid_ || std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("Ceph did not start: are ceph-mon, ceph-osd and radosgw installed?");
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        const auto text = read_whole_file(ready, 4096);
        const auto document = boost::json::parse(*text).as_object();
        const auto member = [&](const char* name) { return std::string(document.at(name).as_string()); };
        server = {member("endpoint"), member("bucket"), member("access_key"), member("secret_key")};
    }
    ~CephProcess() {
        if (owner_ != ::getpid()) return;  // a forked child of a test
        ::kill(pid_, SIGTERM);
        ::waitpid(pid_, nullptr, 0);
    }
    CephProcess(const CephProcess&) = delete;
    CephProcess& operator=(const CephProcess&) = delete;

    S3Server server;

  private:
    TemporaryFolder folder_;
    pid_t pid_ = -1;
    pid_t owner_ = ::getpid();
};

}  // namespace

const S3Server& S3Server::instance() {
    static const CephProcess process;
    return process.server;
}

S3Config S3Server::config(const std::string& prefix) const {
    S3Config config;
    config.bucket = bucket;
    config.prefix = prefix;
    config.endpoint = endpoint;
    config.path_style = true;
    config.access_key_id = access_key;
    config.secret_access_key = secret_key;
    config.part_bytes = 5 << 20;  // the smallest that S3 takes
    return config;
}

}  // namespace tessera::blobs::contract
