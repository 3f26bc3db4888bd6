// Text as manual pages have it: the macros of man(7), and what must be escaped in them.
#pragma once

#include <string>
#include <string_view>

namespace tessera::app::roff {

std::string escaped(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);
// A paragraph's text: what stands between `backticks` is bold.
std::string prose(std::string_view text);

std::string title(std::string_view name, int section);  // with the version and the day of its release
std::string section(std::string_view name);
std::string subsection(std::string_view name);
// "term" with its explanation indented below it; both are roff already.
std::string entry(std::string_view term, std::string_view explanation);
std::string example(std::string_view line);

}  // namespace tessera::app::roff
