#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace batholith {

// Flags of Volcano's scheduler, and of the log library that it uses, that mean nothing here: they
// are accepted, so that a Deployment of Volcano's needs no edit.
void DescribeInertFlags(boost::program_options::options_description& flags);
// A line for each that was given and changes nothing, with the reason.
void AddInertFlags(const boost::program_options::variables_map& values,
                   std::vector<std::string>& lines);

// The arguments without what a shell would have taken out, such as 2>&1 in the arguments of
// Volcano's chart, each with a line; and with flags' names as they stand in tables, --log-dir for
// --log_dir.
std::vector<std::string> WithoutShellWords(const std::vector<std::string>& arguments,
                                           std::vector<std::string>& lines);

}  // namespace batholith
