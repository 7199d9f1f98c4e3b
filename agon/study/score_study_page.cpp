// The tables of docs/results/scores.md, in Markdown.
//
// A block is one sample of one network: all contenders saw the same rows. Means are taken over samples first, then over
// sizes, then over networks, so that a network counts once however many samples it has. Intervals are over networks:
// 1.96 standard errors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "agon/base/text.h"
#include "agon/study/score_study.h"

namespace agon {
namespace {

// What one contender did on one network at one size, over the samples.
struct Mean {
  double shd = 0, ratio_base = 0, rank = 0, f1 = 0, sid = 0, held_out = 0, seconds = 0;
  int cells = 0, with_sid = 0;
};

struct Place {  // a network at a size
  std::string network;
  size_t rows;
  auto operator<=>(const Place&) const = default;
};

struct About {
  int nodes = 0;
  double edges = 0, levels = 0;
  int cells = 0;
};

struct CellsOfStudy {
  std::vector<std::string> contenders;
  std::vector<std::string> networks;  // in the order of the cells
  std::set<size_t> sizes;
  std::map<Place, std::map<std::string, Mean>> means;
  std::map<std::string, About> about;  // by network
  int blocks = 0;
};

constexpr const char* kByHeldOut = "chosen by 5,000 further rows";
constexpr const char* kOutOfSample = "chosen out of sample";
constexpr const char* kByStability = "chosen by stability";

bool is_choice(const std::string& row) { return row == kByHeldOut || row == kOutOfSample || row == kByStability; }

template <class T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::ranges::count(list, value) == 0) list.push_back(value);
}

// Ranks by SHD, 1 the nearest to the truth; contenders that tie share the mean of their ranks.
double rank_of(const std::vector<const ScoreCell*>& block, const ScoreCell& cell) {
  double below = 0, equal = 0;
  for (const ScoreCell* other : block) {
    below += other->shd < cell.shd;
    equal += other->shd == cell.shd;
  }
  return below + (equal + 1) / 2;
}

// Blocks that lack a contender are left out: they were cut short.
CellsOfStudy study_of(const std::vector<ScoreCell>& cells) {
  CellsOfStudy study;
  std::map<std::pair<Place, int>, std::vector<const ScoreCell*>> blocks;
  for (const ScoreCell& cell : cells) {
    add_new(study.contenders, cell.contender);
    blocks[{{cell.network, cell.rows}, cell.sample}].push_back(&cell);
  }
  for (const ScoreCell& cell : cells) {
    const auto& block = blocks.at({{cell.network, cell.rows}, cell.sample});
    if (block.size() < study.contenders.size()) continue;
    add_new(study.networks, cell.network);
    study.sizes.insert(cell.rows);
    About& about = study.about[cell.network];
    about.nodes = cell.nodes;
    about.edges += cell.true_edges;
    about.levels += cell.levels;
    ++about.cells;
    const auto add = [&](const std::string& contender, const ScoreCell& from, double rank) {
      Mean& mean = study.means[{from.network, from.rows}][contender];
      mean.shd += from.shd;
      mean.rank += rank;
      mean.f1 += from.skeleton_f1;
      if (from.sid) mean.sid += static_cast<double>(*from.sid), ++mean.with_sid;
      mean.held_out += from.held_out - block[0]->held_out;
      mean.seconds += from.seconds;
      ++mean.cells;
    };
    add(cell.contender, cell, rank_of(block, cell));
    if (&cell != block[0]) continue;
    ++study.blocks;
    const ScoreCell& best = **std::ranges::max_element(
        block, [](const ScoreCell* a, const ScoreCell* b) { return a->held_out < b->held_out; });
    add(kByHeldOut, best, rank_of(block, best));
    const auto chosen = std::ranges::find_if(block, [](const ScoreCell* one) { return one->chosen; });
    if (chosen != block.end()) add(kOutOfSample, **chosen, rank_of(block, **chosen));
    const auto stable = std::ranges::find_if(block, [](const ScoreCell* one) { return one->stable; });
    if (stable != block.end()) add(kByStability, **stable, rank_of(block, **stable));
  }
  for (auto& [place, by_contender] : study.means) {
    for (auto& [contender, mean] : by_contender) {
      for (double* sum : {&mean.shd, &mean.rank, &mean.f1, &mean.held_out, &mean.seconds}) *sum /= mean.cells;
      if (mean.with_sid > 0) mean.sid /= mean.with_sid;
    }
  }
  for (auto& [name, about] : study.about) about.edges /= about.cells, about.levels /= about.cells;
  return study;
}

std::vector<std::string> rows_of(const CellsOfStudy& study) {
  std::vector<std::string> out = study.contenders;
  out.push_back(kByHeldOut);
  const auto has_choice = [](const auto& means) { return means.second.contains(kOutOfSample); };
  if (std::ranges::all_of(study.means, has_choice)) out.push_back(kOutOfSample);
  return out;
}

// By network: the mean over sizes of what `value` says.
template <class Value>
std::vector<double> by_network(const CellsOfStudy& study, const std::string& contender, Value value) {
  std::vector<double> out;
  for (const std::string& network : study.networks) {
    double sum = 0;
    int places = 0;
    for (const auto& [place, means] : study.means) {
      if (place.network == network) sum += value(place, means.at(contender)), ++places;
    }
    out.push_back(sum / places);
  }
  return out;
}

std::string with_interval(const std::vector<double>& values, int digits) {
  const double n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / n;
  for (const double x : values) squares += (x - mean) * (x - mean);
  if (values.size() < 2) return fmt::format("{:.{}f}", mean, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", mean, digits, 1.96 * std::sqrt(squares / (n - 1) / n), digits);
}

// The SHD of a contender on a network, summed over sizes, beside that of the first contender.
double change(const CellsOfStudy& study, const std::string& network, const std::string& contender) {
  double own = 0, base = 0;
  for (const auto& [place, means] : study.means) {
    if (place.network != network) continue;
    own += means.at(contender).shd;
    base += means.at(study.contenders[0]).shd;
  }
  return base > 0 ? own / base - 1 : own > 0 ? 1 : 0;
}

std::string ranking(const CellsOfStudy& study) {
  std::string out = fmt::format(
      "| score | mean rank | SHD / true edges | SHD beside {0} | skeleton F1 | SID / p(p-1) | held-out nats a row, "
      "beside "
      "{0} | time, {0} = 1 |\n|---|---|---|---|---|---|---|---|\n",
      study.contenders[0]);
  std::vector<std::pair<double, std::string>> lines;
  for (const std::string& contender : rows_of(study)) {
    const auto edges = [&](const Place& place) { return std::max(1.0, study.about.at(place.network).edges); };
    const std::vector<double> ranks = by_network(study, contender, [](const Place&, const Mean& m) { return m.rank; });
    std::vector<double> changes;
    for (const std::string& network : study.networks) changes.push_back(100 * change(study, network, contender));
    const auto pairs = [&](const Place& place) {
      const double p = study.about.at(place.network).nodes;
      return p * (p - 1);
    };
    double mean_rank = 0;
    for (const double rank : ranks) mean_rank += rank / static_cast<double>(ranks.size());
    const std::vector<double> times = by_network(study, contender, [&](const Place& place, const Mean& m) {
      return m.seconds / std::max(1e-6, study.means.at(place).at(study.contenders[0]).seconds);
    });
    lines.emplace_back(
        mean_rank,
        fmt::format(
            "| {} | {} | {} | {} % | {} | {} | {} | {} |\n", contender, with_interval(ranks, 2),
            with_interval(
                by_network(study, contender, [&](const Place& place, const Mean& m) { return m.shd / edges(place); }),
                3),
            with_interval(changes, 0),
            with_interval(by_network(study, contender, [](const Place&, const Mean& m) { return m.f1; }), 3),
            with_interval(
                by_network(study, contender, [&](const Place& place, const Mean& m) { return m.sid / pairs(place); }),
                3),
            with_interval(by_network(study, contender, [](const Place&, const Mean& m) { return m.held_out; }), 3),
            is_choice(contender) ? "" : with_interval(times, 1)));
  }
  std::ranges::sort(lines);
  for (const auto& [rank, line] : lines) out += line;
  return out;
}

// StARS was tried in part of the samples: what it takes there, beside the rest.
std::string by_stability(const CellsOfStudy& study) {
  std::map<std::string, double> sums;
  int places = 0;
  for (const auto& [place, means] : study.means) {
    if (!means.contains(kByStability)) continue;
    ++places;
    for (const auto& [contender, mean] : means) sums[contender] += mean.shd;
  }
  const double base = sums[study.contenders[0]];
  if (places == 0 || base <= 0) return "";
  std::string out = fmt::format(
      "### Chosen by stability\n\nIn networks of up to 40 nodes. SHD in sum over {} networks and sizes, beside {}.\n\n"
      "| score | SHD |\n|---|---|\n",
      places, study.contenders[0]);
  std::vector<std::pair<double, std::string>> lines;
  for (const auto& [contender, sum] : sums) lines.emplace_back(sum / base - 1, contender);
  std::ranges::sort(lines);
  for (const auto& [change, contender] : lines) out += fmt::format("| {} | {:+.0f} % |\n", contender, 100 * change);
  return out + "\n";
}

std::string by_place(const CellsOfStudy& study) {
  std::string out = "| network | p | edges | levels | rows |", rule = "|---|---|---|---|---|";
  for (const std::string& contender : study.contenders) out += fmt::format(" {} |", contender), rule += "---|";
  out += "\n" + rule + "\n";
  for (const std::string& network : study.networks) {
    const About& about = study.about.at(network);
    for (const size_t rows : study.sizes) {
      const auto found = study.means.find({network, rows});
      if (found == study.means.end()) continue;
      double least = found->second.at(study.contenders[0]).shd;
      for (const std::string& c : study.contenders) least = std::min(least, found->second.at(c).shd);
      out += fmt::format("| {} | {} | {:.0f} | {:.1f} | {} |", network, about.nodes, about.edges, about.levels, rows);
      for (const std::string& c : study.contenders) {
        const double shd = found->second.at(c).shd;
        out += shd < least + 1e-9 ? fmt::format(" **{:.1f}** |", shd) : fmt::format(" {:.1f} |", shd);
      }
      out += "\n";
    }
  }
  return out;
}

// The three contenders with the lowest SHD / true edges, by the size of the problem.
std::string by_region(const CellsOfStudy& study) {
  std::string out =
      "| p | levels | rows | networks | nearest to the truth (SHD / true edges) |\n|---|---|---|---|---|\n";
  for (const bool wide : {false, true}) {
    for (const bool many_levels : {false, true}) {
      for (const size_t rows : study.sizes) {
        std::map<std::string, double> sum;
        int places = 0;
        for (const auto& [place, means] : study.means) {
          const About& about = study.about.at(place.network);
          if (place.rows != rows || (about.nodes > 25) != wide || (about.levels > 2.5) != many_levels) continue;
          ++places;
          for (const std::string& c : study.contenders) sum[c] += means.at(c).shd / std::max(1.0, about.edges);
        }
        if (places == 0) continue;
        std::vector<std::pair<double, std::string>> order;
        for (const auto& [contender, shd] : sum) order.emplace_back(shd / places, contender);
        std::ranges::sort(order);
        out +=
            fmt::format("| {} | {} | {} | {} |", wide ? "> 25" : "≤ 25", many_levels ? "> 2.5" : "≤ 2.5", rows, places);
        for (size_t k = 0; k < std::min<size_t>(3, order.size()); ++k) {
          out += fmt::format("{} {} ({:.2f})", k > 0 ? "," : "", order[k].second, order[k].first);
        }
        out += " |\n";
      }
    }
  }
  return out;
}

std::string by_half(const CellsOfStudy& study) {
  std::string out, names[2];
  for (const std::string& network : study.networks) {
    std::string& list = names[judges_rules(network)];
    list += (list.empty() ? "" : ", ") + network;
  }
  out += fmt::format("To read a rule off: {}. To judge it: {}.\n\n", names[0], names[1]);
  out +=
      fmt::format("SHD beside {}: the sum over all networks of a half, and the network with the largest increase.\n\n",
                  study.contenders[0]);
  out += "| score | first half | worst network | second half | worst network |\n|---|---|---|---|---|\n";
  for (const std::string& contender : rows_of(study)) {
    out += fmt::format("| {} |", contender);
    for (const bool judging : {false, true}) {
      double own = 0, base = 0, worst = -2;
      std::string where;
      for (const std::string& network : study.networks) {
        if (judges_rules(network) != judging) continue;
        for (const auto& [place, means] : study.means) {
          if (place.network != network) continue;
          own += means.at(contender).shd;
          base += means.at(study.contenders[0]).shd;
        }
        const double here = change(study, network, contender);
        if (here > worst) worst = here, where = network;
      }
      if (base > 0) {
        out += fmt::format(" {:+.0f} % | {} {:+.0f} % |", 100 * (own / base - 1), where, 100 * worst);
      } else {
        out += " | |";
      }
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string score_study_page(const std::vector<ScoreCell>& cells) {
  const CellsOfStudy study = study_of(cells);
  if (study.blocks == 0) return "No sample was finished.\n";
  return fmt::format(
      "{} of {}; SHD is between CPDAGs. Intervals are 95 % over networks.\n\n"
      "### Ranks\n\n{}\n### By half\n\n{}\n{}### What wins where\n\n{}\n### SHD by network\n\n{}",
      counted(study.blocks, "sample"), counted(static_cast<long long>(study.networks.size()), "network"),
      ranking(study), by_half(study), by_stability(study), by_region(study), by_place(study));
}

}  // namespace agon
