// Many HTTP exchanges at once on one thread: libcurl's multi interface waits for all of them together, and keeps
// connections for the next ones.
#pragma once

#include <curl/curl.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "app/remote/message.hpp"
#include "core/owned.hpp"

namespace tessera::remote {

class Transfers {
  public:
    using Done = std::function<void(Answer)>;

    explicit Transfers(std::string user_agent);
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;
    ~Transfers();

    // `done` is called from `wait`, and may start others.
    void start(Request request, Done done);
    // Moves what there is to move, for as long as nothing ends, and hands out what has ended.
    void wait(Millis at_most);
    // Breaks off all that is under way; nobody is told.
    void drop_all();

    [[nodiscard]] std::size_t under_way() const { return under_way_.size(); }
    [[nodiscard]] std::uint64_t sent_bytes() const { return sent_; }          // of files
    [[nodiscard]] std::uint64_t received_bytes() const { return received_; }  // of bodies

  private:
    struct Transfer;
    void set_options(Transfer& transfer);
    void hand_out_ended();
    static std::size_t on_header(char* data, std::size_t, std::size_t size, void* transfer);
    static std::size_t on_body(char* data, std::size_t, std::size_t size, void* transfer);
    static std::size_t on_send(char* out, std::size_t, std::size_t room, void* transfer);
    static int on_seek(void* transfer, curl_off_t offset, int origin);

    const std::string user_agent_;
    Owned<CURLM, curl_multi_cleanup> multi_;
    std::unordered_map<CURL*, std::unique_ptr<Transfer>> under_way_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
};

}  // namespace tessera::remote
