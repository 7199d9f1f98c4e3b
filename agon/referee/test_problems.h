// agon/referee/test_problems.h
//
// Small random problems whose best score is known, for tests: a table, a score, perhaps knowledge.
// random_proof_problem() makes one; best_score() finds its best score over all graphs, family by family.
#pragma once

#include <memory>
#include <string>

#include "agon/base/hash.h"
#include "agon/base/rng.h"
#include "agon/certificate/plain_families.h"
#include "agon/graph/knowledge.h"

namespace agon {

struct ProofProblem {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const plain::Scorer> scorer;
  std::string score;
  Knowledge knowledge;
  Dag some;  // a graph that satisfies the knowledge

  JudgedScore judged() const { return {.scorer = *scorer, .name = score, .penalty = 1, .data = *data}; }
};

// Columns that depend on some of those before them; categories of two to four levels for discrete scores.
inline ProofProblem random_proof_problem(Rng& rng, const std::string& score, int nodes, bool with_knowledge) {
  const bool numbers = score == "gaussian-bic" || score == "copula-bic";
  const int rows = 60 + rng.below(200);
  std::vector<std::vector<double>> values(nodes, std::vector<double>(rows));
  std::vector<Column> columns;
  for (int v = 0; v < nodes; ++v) {
    std::vector<double> weight(v, 0);
    for (double& w : weight) w = rng.below(3) == 0 ? 2 * rng.uniform() - 1 : 0;
    for (int row = 0; row < rows; ++row) {
      values[v][row] = rng.normal();
      for (int q = 0; q < v; ++q) values[v][row] += weight[q] * values[q][row];
    }
    const std::string name = "x" + std::to_string(v);
    if (numbers) {
      columns.push_back(continuous_column(name, values[v]));
      continue;
    }
    const int levels = 2 + rng.below(3);
    std::vector<int> codes(rows);
    for (int row = 0; row < rows; ++row) {
      const double x = values[v][row];
      codes[row] = std::min(levels - 1, x < -0.5 ? 0 : x < 0.3 ? 1 : x < 1 ? 2 : 3);
    }
    columns.push_back(categorical_column(name, codes));
  }
  ProofProblem out;
  out.data = std::make_shared<const Dataset>(make_dataset(columns, "random"));
  out.score = score;
  out.scorer = score == "discrete-bic"   ? plain::discrete_bic(*out.data, 1)
               : score == "qnml"         ? plain::qnml(*out.data)
               : score == "qnml-edges"   ? plain::qnml_edges(*out.data)
               : score == "bdeu"         ? plain::bdeu(*out.data, 10)
               : score == "gaussian-bic" ? plain::gaussian_bic(*out.data, 1)
                                         : plain::copula_bic(*out.data, 1);
  out.some = Dag(nodes);
  if (with_knowledge) {
    KnowledgeBuilder builder(out.data->names());
    const auto name = [&](int v) { return out.data->names()[v]; };
    for (int k = 0; k < nodes; ++k) {
      const int a = rng.below(nodes), b = rng.below(nodes);
      if (a < b) k % 4 == 0 ? builder.require(name(a), name(b), "test") : builder.forbid(name(b), name(a), "test");
    }
    out.knowledge = builder.build();
    out.some = repair(out.some, out.knowledge);
  }
  return out;
}

// Over all graphs of at most `limit` parents per node (0: no limit). Family by family, and nothing is left out.
inline double best_score(const ProofProblem& problem, int limit = 0) {
  const int p = problem.data->size();
  const size_t sets = size_t{1} << p;
  std::vector<std::vector<double>> best(p, std::vector<double>(sets, -1e300));
  for (Node v = 0; v < p; ++v) {
    for (size_t set = 0; set < sets; ++set) {
      if ((set >> v & 1) != 0) continue;
      std::vector<Node> parents;
      bool allowed = true;
      for (Node q = 0; q < p; ++q) {
        const bool in = (set >> q & 1) != 0;
        if (in) parents.push_back(q);
        if (q != v && (in ? problem.knowledge.is_forbidden({q, v}) : problem.knowledge.is_required({q, v})))
          allowed = false;
        if (in) best[v][set] = std::max(best[v][set], best[v][set ^ (size_t{1} << q)]);
      }
      if (!allowed || (limit > 0 && static_cast<int>(parents.size()) > limit)) continue;
      best[v][set] = std::max(best[v][set], problem.scorer->local(v, parents).score);
    }
  }
  std::vector<double> whole(sets, -1e300);
  whole[0] = 0;
  for (size_t set = 1; set < sets; ++set) {
    for (Node v = 0; v < p; ++v) {
      const size_t rest = set ^ (size_t{1} << v);
      if ((set >> v & 1) != 0) whole[set] = std::max(whole[set], whole[rest] + best[v][rest]);
    }
  }
  return whole[sets - 1];
}

// Changes a proof at random: a digit, a line left out, two lines exchanged. The sum is made to fit again.
inline std::string mutated(const std::string& text, Rng& rng) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  lines.pop_back();  // the sum
  for (int times = 1 + rng.below(3); times > 0; --times) {
    const size_t line = static_cast<size_t>(rng.below(static_cast<int>(lines.size())));
    if (const int kind = rng.below(8); kind == 0) {
      lines.erase(lines.begin() + static_cast<long>(line));
    } else if (kind == 1) {
      std::swap(lines[line], lines[static_cast<size_t>(rng.below(static_cast<int>(lines.size())))]);
    } else if (!lines[line].empty()) {
      char& c = lines[line][static_cast<size_t>(rng.below(static_cast<int>(lines[line].size())))];
      if (c >= '0' && c <= '9') c = static_cast<char>('0' + rng.below(10));
    }
    if (lines.empty()) break;
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out + "sum " + hex64(hash_text(out)) + "\n";
}

}  // namespace agon
