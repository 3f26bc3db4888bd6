// Sends messages, many at once on one thread: libcurl's multi interface waits for all of them together, so that a slow
// one holds nobody else up.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "webhooks/transfer.hpp"

namespace tessera::webhooks {

class Sender {
  public:
    explicit Sender(TransferRules rules);
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    ~Sender();  // gives up what is under way

    // `done` is called on the sender's thread: be quick. Not at all when the sender ends first.
    void send(Outgoing message, Transfer::Done done);

  private:
    void run();
    void take_new();
    void end_finished();

    using Multi = Owned<CURLM, curl_multi_cleanup>;

    const TransferRules rules_;
    Multi multi_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Transfer>> new_;
    bool stopping_ = false;
    std::unordered_map<CURL*, std::unique_ptr<Transfer>> under_way_;  // of the thread alone
    std::thread thread_;
};

}  // namespace tessera::webhooks
