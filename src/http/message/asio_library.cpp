// The one file that compiles Asio's and Beast's own code.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
