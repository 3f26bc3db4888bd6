#include "webhooks/sender.hpp"

#include <pthread.h>

namespace tessera::webhooks {
namespace {

constexpr int longest_wait_ms = 1'000;

CURLM* new_multi() {
    static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    static_cast<void>(initialised);
    return curl_multi_init();
}

}  // namespace

Sender::Sender(TransferRules rules) : rules_(std::move(rules)), multi_(new_multi()), thread_([this] { run(); }) {}

Sender::~Sender() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    curl_multi_wakeup(multi_.get());
    thread_.join();
    for (auto& [handle, transfer] : under_way_) curl_multi_remove_handle(multi_.get(), handle);
}

void Sender::send(Outgoing message, Transfer::Done done) {
    auto transfer = std::make_unique<Transfer>(std::move(message), rules_, std::move(done));
    if (transfer->handle() == nullptr) return transfer->end(CURLE_FAILED_INIT);
    {
        const std::lock_guard lock(mutex_);
        new_.push_back(std::move(transfer));
    }
    curl_multi_wakeup(multi_.get());
}

void Sender::take_new() {
    std::vector<std::unique_ptr<Transfer>> taken;
    {
        const std::lock_guard lock(mutex_);
        taken.swap(new_);
    }
    for (auto& transfer : taken) {
        CURL* const handle = transfer->handle();
        const CURLMcode added = curl_multi_add_handle(multi_.get(), handle);
        if (added != CURLM_OK) {
            transfer->end(CURLE_FAILED_INIT);
            continue;
        }
        under_way_.emplace(handle, std::move(transfer));
    }
}

void Sender::end_finished() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURLcode result = message->data.result;
        CURL* const handle = message->easy_handle;
        curl_multi_remove_handle(multi_.get(), handle);
        auto node = under_way_.extract(handle);
        node.mapped()->end(result);
    }
}

void Sender::run() {
    pthread_setname_np(pthread_self(), "webhook-sender");
    while (true) {
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) return;
        }
        take_new();
        int running = 0;
        curl_multi_perform(multi_.get(), &running);
        end_finished();
        curl_multi_poll(multi_.get(), nullptr, 0, longest_wait_ms, nullptr);
    }
}

}  // namespace tessera::webhooks
