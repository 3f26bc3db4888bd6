#include "app/supervisor.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "core/file.hpp"
#include "core/log.hpp"

namespace tessera::app {
namespace {

// One datagram to the address in $NOTIFY_SOCKET: a path, or a name that begins with @ in the abstract namespace.
void tell(std::string_view state) {
    const char* variable = std::getenv("NOTIFY_SOCKET");
    if (variable == nullptr) return;
    const std::string_view name = variable;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (name.empty() || name.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';

    const UniqueFd sender(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    const auto sent = sendto(sender.get(), state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), size);
    if (sent != static_cast<ssize_t>(state.size())) {
        log::warning("supervisor_not_told", {{"state", state}, {"reason", std::system_category().message(errno)}});
    }
}

}  // namespace

void tell_supervisor_ready() {
    tell("READY=1\nSTATUS=Ready");
}

void tell_supervisor_stopping() {
    tell("STOPPING=1\nSTATUS=Finishing what was begun");
}

}  // namespace tessera::app
