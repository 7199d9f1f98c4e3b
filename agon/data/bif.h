// agon/data/bif.h
//
// Bayesian networks as BIF text (Cozman 1998, Interchange Format for Bayesian Networks 0.15), the form in which the
// well-known networks are published.
//
//   std::vector<std::string> warnings;
//   BayesNet net = read_bif("alarm.bif", &warnings);
//   write_bif(std::cout, net);
//
//   variable smoke { type discrete [ 2 ] { yes, no }; }
//   probability ( lung | smoke ) { (yes) 0.1, 0.9; (no) 0.01, 0.99; }
//
// The reader accepts what is found in practice: any spacing, missing commas, comments (// to the end of the line and
// /* */, where a word could start), `property` lines, names in double quotes (\" and \\ inside), and unquoted names of
// any characters but white space and , ; { } ( ) [ ] |. Variables may be declared after they are used. Probabilities
// come as one row per configuration of the parents, as `default` for the configurations not listed, or as one `table`.
//
// A `table` of a node with parents lists, after Cozman, the first level of the node for all configurations, then the
// second, and so on. Some programs write the other order. When the sums show that only the other order can be meant, it
// is used, with a warning.
//
// Rows whose sum is off by at most 1e-3 are divided by it, with one warning for the whole file that names the worst; a
// larger difference is an error. Every error is an InputError with path:line. Time is linear in the size of the text.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "agon/data/bayes_net.h"

namespace agon {

// `name` is what messages call the text: usually a path. `warnings` may be null.
BayesNet parse_bif(std::string_view text, const std::string& name, std::vector<std::string>* warnings = nullptr);
BayesNet read_bif(const std::string& path, std::vector<std::string>* warnings = nullptr);

// Names are quoted where they must be; probabilities carry all their digits, so reading it back gives an equal network.
void write_bif(std::ostream& out, const BayesNet& net);

}  // namespace agon
