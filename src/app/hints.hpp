// Commands that hints tell people to type. They name this program, and the folder and the configuration of the command
// that prints them, so that they work when they are pasted.
#pragma once

#include <string>
#include <string_view>

namespace tessera::app {

struct CommonOptions;
struct LoadedConfig;

// What to type to run this program again: its name where the PATH finds it, else where it lies.
std::string name_of_this_program();

// `text` as a shell takes it for one word.
std::string shell_word(std::string_view text);

// "tessera admin --data-dir D", with the options as they were typed: for the shell that they were typed in.
std::string admin_command(const CommonOptions& options);

// The same for any other shell: paths are absolute, and the data folder is named.
std::string admin_command_from_anywhere(const CommonOptions& options, const LoadedConfig& loaded);

}  // namespace tessera::app
