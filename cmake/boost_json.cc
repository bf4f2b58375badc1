// Debian ships Boost.JSON 1.81 as headers only; this is its one translation unit.
#include <boost/json/src.hpp>
