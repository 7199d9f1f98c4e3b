// agon/data/dream4.h
//
// The DREAM4 in-silico challenge (Marbach et al. 2010, PNAS 107:6286): expression of 100 simulated genes under 100
// multifactorial perturbations. It may not be redistributed, so the user obtains it (Synapse, syn3049712, after a free
// registration) and names the folder.
//
//   Dream4 d = read_dream4("downloads/dream4", 1);
//
// Files looked for in the folder, for network k:
//   insilico_size100_k_multifactorial.tsv   a header of gene names, then one row of numbers per perturbation
//   insilico_size100_k_goldstandard.tsv     or DREAM4_GoldStandard_InSilico_Size100_multifactorial_k.tsv, or
//                                           DREAM4_GoldStandard_InSilico_Size100_k.tsv: from, to, 0 or 1
// The true graphs of the challenge contain cycles.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

struct Dream4 {
  Dataset data;                                            // all columns continuous
  std::vector<std::pair<std::string, std::string>> truth;  // (from, to), in file order
};

// Throws InputError that names each file not found, or path:line of what cannot be read; UsageError for a network
// other than 1 .. 5.
Dream4 read_dream4(const std::string& folder, int network = 1);

}  // namespace agon
