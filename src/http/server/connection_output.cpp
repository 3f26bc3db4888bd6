#include "http/server/connection_output.hpp"

#include <algorithm>
#include <utility>

#include "http/server/file_pages.hpp"
#include "http/server/on_pool.hpp"

namespace tessera::http {
namespace {

// A file is sent in such pieces: others get their turn between them, and each is checked for being in memory.
constexpr std::uint64_t file_piece_bytes = 512 << 10;

}  // namespace

ConnectionOutput::Sent ConnectionOutput::send(std::string_view head, ResponseBody&& body) {
    body_ = std::move(body);
    body_sent_ = in_memory_until_ = 0;
    sent_ = send_some(head);
    if (sent_ == Sent::blocked || sent_ == Sent::cold) unsent_head_ = head;
    return sent_;
}

ConnectionOutput::Sent ConnectionOutput::finish() {
    body_ = std::string();
    return sent_;
}

ConnectionOutput::Sent ConnectionOutput::send_some(std::string_view& head) {
    if (const auto* text = std::get_if<std::string>(&body_)) return send_memory(head, *text);
    if (const auto* shared = std::get_if<SharedBytes>(&body_)) return send_memory(head, shared->bytes);
    if (const auto* resident = std::get_if<ResidentSlice>(&body_)) {
        return send_file(head, {resident->file, resident->offset, resident->length, true});
    }
    const auto& slice = std::get<FileSlice>(body_);
    return send_file(head, {slice.file ? slice.file->get() : -1, slice.offset, slice.length, false});
}

// Head and body in one system call.
ConnectionOutput::Sent ConnectionOutput::send_memory(std::string_view& head, std::string_view body) {
    body.remove_prefix(static_cast<std::size_t>(body_sent_));
    while (!head.empty() || !body.empty()) {
        const auto sent = socket_.send(head, body);
        if (!sent) return not_sent();
        const std::size_t of_head = std::min(*sent, head.size());
        const std::size_t of_body = *sent - of_head;
        head.remove_prefix(of_head);
        body.remove_prefix(of_body);
        body_sent_ += of_body;
    }
    return Sent::all;
}

ConnectionOutput::Sent ConnectionOutput::send_file(std::string_view& head, const FileRange& range) {
    while (!head.empty()) {
        const auto sent = range.length > 0 ? socket_.send_before_file(head) : socket_.send(head);
        if (!sent) return not_sent();
        head.remove_prefix(*sent);
    }
    std::uint64_t left_of_turn = file_piece_bytes;
    while (body_sent_ < range.length) {
        const std::uint64_t piece = std::min(range.length - body_sent_, left_of_turn);
        if (piece == 0) return Sent::blocked;
        const std::uint64_t offset = range.offset + body_sent_;
        if (!range.is_resident && body_sent_ >= in_memory_until_ && !is_in_memory(range.file, offset, piece)) {
            return Sent::cold;
        }
        const auto sent = socket_.send_file(range.file, offset, piece);
        if (!sent) return not_sent();
        if (*sent == 0) return Sent::short_file;
        body_sent_ += *sent;
        left_of_turn -= *sent;
    }
    return Sent::all;
}

Task<ConnectionOutput::Sent> ConnectionOutput::flush() {
    std::string_view head = unsent_head_;
    while (sent_ == Sent::blocked || sent_ == Sent::cold) {
        if (sent_ == Sent::cold) {
            const auto& file = std::get<FileSlice>(body_);
            const std::uint64_t at = file.offset + body_sent_;
            const std::uint64_t piece = std::min(file.length - body_sent_, file_piece_bytes);
            socket_.set_deadline(Deadline::none);
            co_await run_on_pool(
                socket_.loop(), [&] { return bring_into_memory(file.file->get(), at, piece); }, Turn::must_run);
            in_memory_until_ = body_sent_ + piece;
        } else {
            // Anew after each progress: a reader may be slow, but not stand still.
            socket_.set_deadline(Deadline::write);
            if (co_await socket_.ready(Direction::out) != Woken::ready) break;
        }
        if (socket_.is_aborted()) break;
        sent_ = send_some(head);
    }
    socket_.set_deadline(Deadline::none);
    unsent_head_.clear();
    co_return sent_;
}

}  // namespace tessera::http
