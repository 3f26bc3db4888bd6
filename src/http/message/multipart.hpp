// A multipart/form-data body, read as it comes: whatever the sizes of the pieces, the same parts come out, and memory
// stays constant. Everything that is not well formed is `invalid multipart upload`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tessera::http {

struct PartHeader {
    std::string name;
    std::optional<std::string> filename;  // as the client sent it, decoded; not to be trusted
};

// Told of the parts as they are found. An error ends the parsing and is what feed() returns.
class MultipartEvents {
  public:
    virtual ~MultipartEvents() = default;
    // Whether the content of this part is wanted; otherwise it is skipped and nothing more is said of it.
    virtual Result<bool> on_part(const PartHeader& header) = 0;
    virtual Result<void> on_data(std::span<const std::uint8_t> bytes) = 0;
    virtual Result<void> on_part_end() = 0;
};

struct MultipartLimits {
    std::size_t max_parts = 32;
    std::size_t max_header_bytes = std::size_t{8} * 1024;  // of one part
    std::size_t max_ignored_bytes =
        std::size_t{64} * 1024;  // preamble, epilogue and parts that nobody wants, all together
};

// A refusal of a form; `why` becomes a part of its hint.
Error invalid_multipart(const std::string& why);

class MultipartParser {
  public:
    // The boundary that a Content-Type names.
    static Result<std::string> boundary_of(std::string_view content_type);

    MultipartParser(std::string_view boundary, MultipartEvents& events, MultipartLimits limits = {});

    Result<void> feed(std::span<const std::uint8_t> bytes);
    // The body has ended: an error unless the last boundary was seen.
    Result<void> finish() const;

  private:
    enum class State { preamble, content, after_boundary, headers, epilogue };

    Result<void> scan(std::span<const std::uint8_t>& bytes);
    Result<void> resume(std::span<const std::uint8_t>& bytes);
    [[nodiscard]] std::size_t common_prefix(std::span<const std::uint8_t> bytes, std::size_t from) const;
    Result<void> after_boundary(std::uint8_t byte);
    Result<void> header_byte(std::uint8_t byte);
    Result<void> begin_part();
    Result<void> end_part();
    Result<void> give(std::span<const std::uint8_t> bytes);
    Result<void> ignore(std::size_t count);

    MultipartEvents& events_;
    const MultipartLimits limits_;
    const std::string delimiter_;  // "\r\n--" and the boundary
    State state_ = State::preamble;
    std::size_t matched_ = 2;  // bytes of the delimiter that were seen at the end of the last piece
    std::size_t assumed_ = 2;  // of these: the line break before a body's first line, which need not be there
    std::string line_;         // what follows a boundary on its line, or the headers of a part
    bool wanted_ = false;
    std::size_t parts_ = 0;
    std::size_t ignored_ = 0;
};

}  // namespace tessera::http
