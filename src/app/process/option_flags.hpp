// Command-line flags made from an operation's own table of options, and what was typed as the options of a request.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <string>

#include "operations/operation.hpp"

namespace CLI {
class App;
}

namespace tessera::app {

class OutputName;

using TypedOptions = std::map<std::string, std::string, std::less<>>;  // by the option's name, as typed

// Typed values go to `typed`, which outlives the command.
void add_option_flag(CLI::App& command, const operations::Option& option, TypedOptions& typed);

// As a request has them, but with the path of a picture, by its local_name, where one names an asset. `name` is that of
// the result, where it is known: what it says of format and kind is among them. `reads` is told of each file of
// options.
boost::json::object options_from(const operations::Operation& operation, const TypedOptions& typed,
                                 const OutputName* name, const std::function<void(const std::string&)>& reads);

// The format of the first result, as far as `options` tell it: its own where there are several, else the job's.
std::string first_format(const operations::Operation& operation, const boost::json::object& options);

// What OUT is, for --help.
std::string result_description(const operations::Operation& operation);

}  // namespace tessera::app
