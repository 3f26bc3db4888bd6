#include "app/admin/operator_password.hpp"

#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "app/command_failed.hpp"
#include "service/operators/password_hash.hpp"

namespace tessera::app {
namespace {

// What is typed is not shown while it lives.
class NoEcho {
  public:
    NoEcho() {
        ::tcgetattr(STDIN_FILENO, &before_);
        termios silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    NoEcho(const NoEcho&) = delete;
    NoEcho& operator=(const NoEcho&) = delete;
    ~NoEcho() {
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
        std::cerr << '\n';
    }

  private:
    termios before_{};
};

std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line)) throw CommandFailed(ExitCode::usage, "no password came from standard input");
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

std::string ask(const std::string& question) {
    std::cerr << question << std::flush;
    const NoEcho silent;
    return read_line();
}

}  // namespace

std::string read_new_password(const std::string& name) {
    std::string password;
    if (::isatty(STDIN_FILENO) == 0) {
        password = read_line();
    } else {
        password = ask("Password of operator " + name + ": ");
        if (ask("Once more: ") != password) throw CommandFailed(ExitCode::usage, "the two passwords differ");
    }
    const auto good = service::check_password("the password", password);
    if (!good) throw CommandFailed(ExitCode::usage, good.error().message);
    return password;
}

}  // namespace tessera::app
