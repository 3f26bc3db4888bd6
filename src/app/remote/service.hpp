// The interface of a service as requests: who asks, and where.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/remote/address.hpp"
#include "app/remote/message.hpp"

namespace tessera::remote {

class Service {
  public:
    Service(Address address, std::string key) : address_(std::move(address)), key_(std::move(key)) {}

    [[nodiscard]] const Address& address() const { return address_; }

    // `path` begins with a slash; what it names must be free of characters with a meaning, as ids are.
    [[nodiscard]] Request get(std::string_view path) const;
    [[nodiscard]] Request post(std::string_view path, const boost::json::object& body) const;
    [[nodiscard]] Request remove(std::string_view path) const;
    [[nodiscard]] Request upload(FilePart file) const;

  private:
    [[nodiscard]] Request request(std::string method, std::string_view path) const;

    const Address address_;
    const std::string key_;
};

// A signed address is used as it was given, and without a key.
Request signed_download(std::string url);

// A value as it may stand in a query.
std::string in_query(std::string_view text);

// The object that a successful answer holds; nothing for any other answer.
std::optional<boost::json::object> object_of(const Answer& answer);

// Text and numbers of it; empty, 0 where it has none of that name. Control characters become blanks: texts of a service
// are shown on terminals.
std::string text_at(const boost::json::object& object, std::string_view name);
std::int64_t number_at(const boost::json::object& object, std::string_view name);

}  // namespace tessera::remote
