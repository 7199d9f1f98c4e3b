#include "agon/data/bayes_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {

int BayesNet::edge_count() const {
  size_t count = 0;
  for (const auto& list : parents) count += list.size();
  return static_cast<int>(count);
}

size_t BayesNet::configurations(int node) const {
  size_t count = 1;
  for (int parent : parents[node]) count *= levels[parent].size();
  return count;
}

long BayesNet::parameter_count() const {
  long count = 0;
  for (int node = 0; node < size(); ++node) {
    count += static_cast<long>((levels[node].size() - 1) * configurations(node));
  }
  return count;
}

int BayesNet::index_of(const std::string& name) const {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

std::vector<std::pair<std::string, std::string>> BayesNet::edges() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (int node = 0; node < size(); ++node) {
    for (int parent : parents[node]) out.emplace_back(names[parent], names[node]);
  }
  return out;
}

double normalise_row(std::span<double> row) {
  double sum = 0;
  for (double x : row) sum += x;
  const double difference = std::abs(sum - 1);
  if (difference > kRowRounding && sum > 0) {
    for (double& x : row) x /= sum;
  }
  return difference;
}

std::vector<int> parents_first_order(const std::vector<std::vector<int>>& parents) {
  const int p = static_cast<int>(parents.size());
  std::vector<std::vector<int>> children(p);
  std::vector<int> waiting(p);  // number of parents not placed yet
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int node = 0; node < p; ++node) {
    waiting[node] = static_cast<int>(parents[node].size());
    for (int parent : parents[node]) children[parent].push_back(node);
    if (waiting[node] == 0) ready.push(node);
  }
  std::vector<int> order;
  while (!ready.empty()) {
    const int node = ready.top();
    ready.pop();
    order.push_back(node);
    for (int child : children[node]) {
      if (--waiting[child] == 0) ready.push(child);
    }
  }
  return order;
}

std::vector<int> find_cycle(const std::vector<std::vector<int>>& parents) {
  const std::vector<int> order = parents_first_order(parents);
  if (order.size() == parents.size()) return {};
  std::vector<bool> placed(parents.size());
  for (int node : order) placed[node] = true;
  // Every remaining node has a remaining parent, so walking up must return to a node already seen.
  int node = static_cast<int>(std::find(placed.begin(), placed.end(), false) - placed.begin());
  std::vector<int> step(parents.size(), -1), walk;
  while (step[node] < 0) {
    step[node] = static_cast<int>(walk.size());
    walk.push_back(node);
    node = *std::find_if(parents[node].begin(), parents[node].end(), [&](int q) { return !placed[q]; });
  }
  std::vector<int> cycle(walk.begin() + step[node], walk.end());
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

void check(const BayesNet& net, const std::string& place) {
  const size_t p = net.names.size();
  if (net.levels.size() != p || net.parents.size() != p || net.tables.size() != p) {
    throw InputError(place, fmt::format("a network of {} names has {} level lists, {} parent lists and {} tables", p,
                                        net.levels.size(), net.parents.size(), net.tables.size()));
  }
  std::set<std::string> names;
  for (size_t node = 0; node < p; ++node) {
    const auto fail = [&](const std::string& problem) {
      throw InputError(place, fmt::format("node {}: {}", quoted(net.names[node]), problem));
    };
    if (net.names[node].find_first_not_of(" \t\r\n") == std::string::npos) {
      throw InputError(place, fmt::format("node {} has no name", node + 1));
    }
    if (!names.insert(net.names[node]).second) fail("defined twice");
    if (net.levels[node].empty()) fail("has no levels");
    std::set<std::string> levels;
    for (const std::string& level : net.levels[node]) {
      if (!levels.insert(level).second) fail(fmt::format("level {} appears twice", quoted(level)));
    }
    std::set<int> parents;
    for (int parent : net.parents[node]) {
      if (parent < 0 || parent >= net.size()) fail("has a parent that does not exist");
      if (parent == static_cast<int>(node)) fail("is its own parent");
      if (!parents.insert(parent).second) fail(fmt::format("parent {} appears twice", quoted(net.names[parent])));
    }
  }
  if (const std::vector<int> cycle = find_cycle(net.parents); !cycle.empty()) {
    std::string text;
    for (int node : cycle) text += net.names[node] + " -> ";
    throw InputError(place, "the edges form a cycle: " + text + net.names[cycle.front()]);
  }
  for (int node = 0; node < net.size(); ++node) {
    const size_t width = net.levels[node].size(), expected = width * net.configurations(node);
    const auto& table = net.tables[node];
    if (table.size() != expected) {
      throw InputError(place, fmt::format("node {}: found {} probabilities, expected {}", quoted(net.names[node]),
                                          table.size(), expected));
    }
    for (size_t start = 0; start < table.size(); start += width) {
      double sum = 0;
      for (size_t k = 0; k < width; ++k) {
        const double x = table[start + k];
        if (!(x >= 0 && x <= 1 + kRowTolerance)) {
          throw InputError(place, fmt::format("node {}: {} is not a probability", quoted(net.names[node]), x));
        }
        sum += x;
      }
      if (std::abs(sum - 1) > 2 * kRowRounding) {
        throw InputError(place,
                         fmt::format("node {}: row {} sums to {}", quoted(net.names[node]), start / width + 1, sum));
      }
    }
  }
}

Dataset sample(const BayesNet& net, size_t rows, Rng rng, std::string source) {
  const int p = net.size();
  std::vector<std::vector<uint32_t>> cells(p);
  for (int node : parents_first_order(net.parents)) {
    const size_t width = net.levels[node].size();
    const auto& table = net.tables[node];
    // Running sums per row. A level of probability 0 has the same sum as the level before it and is never drawn. The
    // last level that can occur also takes what rounding left over.
    std::vector<double> up_to(table.size());
    for (size_t start = 0; start < table.size(); start += width) {
      double sum = 0;
      size_t last = 0;
      for (size_t k = 0; k < width; ++k) {
        sum += table[start + k];
        up_to[start + k] = sum;
        if (table[start + k] > 0) last = k;
      }
      for (size_t k = last; k < width; ++k) up_to[start + k] = 2;
    }
    std::vector<size_t> configuration(rows);
    for (int parent : net.parents[node]) {
      const size_t count = net.levels[parent].size();
      for (size_t row = 0; row < rows; ++row) configuration[row] = configuration[row] * count + cells[parent][row];
    }
    Rng stream = rng.split(net.names[node]);
    cells[node].resize(rows);
    for (size_t row = 0; row < rows; ++row) {
      const double u = stream.uniform();
      const double* sums = up_to.data() + configuration[row] * width;
      uint32_t level = 0;
      while (u >= sums[level]) ++level;
      cells[node][row] = level;
    }
  }
  std::vector<Column> columns(p);
  for (int node = 0; node < p; ++node) {
    columns[node].name = net.names[node];
    columns[node].kind = ColumnKind::kCategorical;
    columns[node].levels = net.levels[node];
    columns[node].codes.reserve(rows);
    for (uint32_t code : cells[node]) columns[node].codes.push_back(code);
  }
  return make_dataset(std::move(columns), std::move(source));
}

Setting setting_of(const BayesNet& net, const std::string& text) {
  // A name may hold a = itself, so the first one that ends a name counts.
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("found {}, expected VARIABLE=LEVEL", quoted(text)));
  }
  for (size_t at = equals; at != std::string::npos; at = text.find('=', at + 1)) {
    if (net.index_of(text.substr(0, at)) < 0) continue;
    equals = at;
    break;
  }
  const std::string name = text.substr(0, equals), level = text.substr(equals + 1);
  const int node = net.index_of(name);
  if (node < 0) {
    throw UsageError(fmt::format("the network has no variable {}", quoted(name)), did_you_mean(name, net.names));
  }
  const auto& levels = net.levels[node];
  const auto found = std::find(levels.begin(), levels.end(), level);
  if (found == levels.end()) {
    const std::string near = did_you_mean(level, levels);
    throw UsageError(fmt::format("{} has no level {}", name, quoted(level)),
                     near.empty() ? "its levels are " + listed(levels) : near);
  }
  return {node, static_cast<size_t>(found - levels.begin())};
}

BayesNet under_experiment(const BayesNet& net, const std::vector<Setting>& settings, Intervention kind) {
  BayesNet out = net;
  std::set<int> done;
  for (const auto& [node, level] : settings) {
    if (!done.insert(node).second) throw UsageError(fmt::format("{} is set twice", net.names[node]));
    const size_t width = net.levels[node].size();
    if (kind == Intervention::kPerfect) {
      out.parents[node].clear();
      out.tables[node].assign(width, 0);
      out.tables[node][level] = 1;
      continue;
    }
    for (double& x : out.tables[node]) x /= 2;
    for (size_t at = level; at < out.tables[node].size(); at += width) out.tables[node][at] += 0.5;
  }
  return out;
}

BayesNet with_label(BayesNet net, const std::string& name, const std::string& label) {
  net.names.push_back(name);
  net.levels.push_back({label});
  net.parents.emplace_back();
  net.tables.push_back({1.0});
  return net;
}

}  // namespace agon
