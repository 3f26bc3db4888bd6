// Server-Sent Events, as they come: bytes in, whole events out.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::remote {

struct Event {
    std::string name;  // "message" where the stream gives none
    std::string data;  // lines joined by \n
    std::string id;    // the last one that the stream told, of this event or before
};

class EventParser {
  public:
    // The events that end within these bytes.
    std::vector<Event> feed(std::string_view bytes);
    // A new connection: what was begun is gone, the last id stays.
    void start_over();

    [[nodiscard]] const std::string& last_id() const { return last_id_; }
    // How long to wait before coming back, where the stream said so.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

  private:
    void take_line(std::string_view line, std::vector<Event>& out);

    std::string line_;
    bool after_cr_ = false;  // a \n that comes next belongs to the line before
    bool first_line_ = true;
    std::string name_;
    std::string data_;
    bool has_data_ = false;
    std::string last_id_;
    std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace tessera::remote
