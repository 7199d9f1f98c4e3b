// F(S) of categorical columns, the sum over cells of N ln N, for sets that share their beginnings.
#include <algorithm>
#include <cmath>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "agon/certificate/node_bits.h"
#include "agon/certificate/plain_regret.h"
#include "agon/certificate/plain_set_scores.h"

namespace agon::plain {
namespace {

constexpr uint32_t kLargeGroup = 12;  // rows from which a group is worth bit masks
constexpr int kKeptConfigurations = 500;
constexpr int kMostMasks = 64;  // pairs of masks beyond which rows are counted one by one

// The rows of one configuration: words [word, next word) of a mask.
struct LargeGroup {
  uint32_t first = 0, end = 0;  // places in Partition::rows
  uint32_t word = 0, words = 0;
};

// One variable over the large groups: a mask for each level but the last, and how often each level occurs.
struct Masks {
  long stamp = 0;                // of the partition that they belong to
  std::vector<uint64_t> bits;    // level after level
  std::vector<uint32_t> counts;  // group after group
};

struct PairOfMasks {
  const Masks *u, *v;
  int u_levels, v_levels;
  size_t words;  // of one level
};

// Adds the terms of the cells (group, level of u, level of v). The last level of each is what the others leave.
__attribute__((always_inline)) inline void add_cells(const std::vector<LargeGroup>& groups, const PairOfMasks& pair,
                                                     const SetValue* terms, SetValue& out) {
  uint32_t column[kMostMasks + 1];
  const int u_last = pair.u_levels - 1, v_last = pair.v_levels - 1;
  for (size_t g = 0; g < groups.size(); ++g) {
    const uint32_t* u_count = &pair.u->counts[g * static_cast<size_t>(pair.u_levels)];
    const uint32_t* v_count = &pair.v->counts[g * static_cast<size_t>(pair.v_levels)];
    for (int b = 0; b <= v_last; ++b) column[b] = v_count[b];
    const auto add = [&](uint32_t count) {
      out.up += terms[count].up;
      out.down += terms[count].down;
    };
    for (int a = 0; a < u_last; ++a) {
      uint32_t left = u_count[a];
      if (left == 0) continue;
      const uint64_t* u_bits = &pair.u->bits[static_cast<size_t>(a) * pair.words + groups[g].word];
      for (int b = 0; b < v_last; ++b) {
        if (column[b] == 0) continue;
        const uint64_t* v_bits = &pair.v->bits[static_cast<size_t>(b) * pair.words + groups[g].word];
        uint32_t count = 0;
        for (uint32_t w = 0; w < groups[g].words; ++w) {
          count += static_cast<uint32_t>(__builtin_popcountll(u_bits[w] & v_bits[w]));
        }
        add(count);
        left -= count;
        column[b] -= count;
      }
      add(left);
      column[v_last] -= left;
    }
    for (int b = 0; b <= v_last; ++b) add(column[b]);
  }
}
using AddCells = void (*)(const std::vector<LargeGroup>&, const PairOfMasks&, const SetValue*, SetValue&);
void add_cells_anywhere(const std::vector<LargeGroup>& groups, const PairOfMasks& pair, const SetValue* terms,
                        SetValue& out) {
  add_cells(groups, pair, terms, out);
}
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("popcnt"))) void add_cells_popcnt(const std::vector<LargeGroup>& groups, const PairOfMasks& pair,
                                                        const SetValue* terms, SetValue& out) {
  add_cells(groups, pair, terms, out);
}
AddCells fastest_add_cells() { return __builtin_cpu_supports("popcnt") ? add_cells_popcnt : add_cells_anywhere; }
#else
AddCells fastest_add_cells() { return add_cells_anywhere; }
#endif

// Which of 64 codes equal the level.
uint64_t equal_bits(const uint8_t* codes, uint8_t level) {
  uint64_t out = 0;
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(level));
  for (int k = 0; k < 4; ++k) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 16 * k));
    out |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(here, wanted)))) << (16 * k);
  }
#else
  for (int k = 0; k < 64; ++k) out |= static_cast<uint64_t>(codes[k] == level) << k;
#endif
  return out;
}

class DiscreteSets final : public SetScores {
 public:
  // With `regret` the price is that quotient, instead of one for each parameter.
  DiscreteSets(const Dataset& data, double penalty, double price, RegretQuotient* regret)
      : price_(price), regret_(regret), add_cells_(fastest_add_cells()) {
    n_ = data.rows();
    const int p = data.size();
    codes_.resize(p);
    levels_.assign(p, 1);
    for (Node v = 0; v < p; ++v) {
      const Column& column = data.column(v);
      if (column.is_isolated()) continue;
      levels_[v] = static_cast<int>(column.levels.size());
      codes_[v].resize(n_);
      for (size_t row = 0; row < n_; ++row) codes_[v][row] = static_cast<uint8_t>(column.codes[row]);
    }
    terms_.assign(n_ + 1, {});
    for (size_t c = 2; c <= n_; ++c) {
      const long double x = static_cast<long double>(c) * std::log(static_cast<long double>(c));
      terms_[c] = {static_cast<int64_t>(std::ceil(x * kUnits)) + 1, static_cast<int64_t>(std::floor(x * kUnits)) - 1};
    }
    per_parameter_ = static_cast<long double>(penalty) * 0.5L * std::log(static_cast<long double>(n_));
    if (regret_ != nullptr) keep_regrets();
  }

  SetValue of_empty() const override { return terms_[n_]; }
  int64_t price(Node child, int parents, double configurations) const override {
    return units_below(nats(child, parents, configurations) - 0.5L * rounding());
  }
  int64_t price_above(Node child, int parents, double configurations) const override {
    return units_above(nats(child, parents, configurations) + 0.5L * rounding());
  }
  // The price of one more parent under qnml falls again when there are many configurations, so that a parent that does
  // not pay now may pay in the company of others. That of qnml-edges never falls, as far as its line goes.
  bool has_entropies() const override {
    double configurations = 1;
    for (const int levels : levels_) configurations *= levels;
    return regret_ == nullptr || (regret_ == straight_quotient && configurations <= kMostCounted);
  }
  bool is_exact() const override { return regret_ == nullptr; }
  double levels(Node v) const override { return levels_[v]; }
  double work_per_set() const override { return 0.25 * static_cast<double>(n_) + 300; }
  double rounding() const override { return regret_ != nullptr ? 2e-7 : 0; }
  std::unique_ptr<SetWalk> walk() const override { return std::make_unique<Walk>(*this); }

 private:
  // A proof asks for the same few regrets millions of times.
  void keep_regrets() {
    kept_regrets_.resize(static_cast<size_t>(*std::ranges::max_element(levels_)) + 1);
    for (const int levels : levels_) {
      std::vector<double>& kept = kept_regrets_[static_cast<size_t>(levels)];
      for (int q = static_cast<int>(kept.size()); q <= kKeptConfigurations; ++q) {
        kept.push_back(q == 0 ? 0 : regret_(static_cast<double>(n_), q, levels));
      }
    }
  }
  double regret_of(double configurations, int levels) const {
    if (configurations <= kKeptConfigurations) {
      return kept_regrets_[static_cast<size_t>(levels)][static_cast<size_t>(configurations)];
    }
    return regret_(static_cast<double>(n_), configurations, levels);
  }

  long double nats(Node child, int parents, double configurations) const {
    if (regret_ != nullptr) {
      return static_cast<long double>(regret_of(configurations, levels_[child])) +
             static_cast<long double>(price_) * parents;
    }
    return per_parameter_ * (levels_[child] - 1) * static_cast<long double>(configurations) +
           static_cast<long double>(price_) * parents;
  }

  // Partitions of the rows by the configuration of the members pushed, one per depth, without the last member u: F of
  // the set with v is a sum over the groups of that partition and the pairs of levels of u and v. In a large group a
  // pair is counted by the bits that two masks share; in a small one row by row.
  class Walk final : public SetWalk {
   public:
    explicit Walk(const DiscreteSets& sets) : sets_(sets), masks_(sets.codes_.size()) {
      Partition all;
      all.rows.resize(sets.n_);
      for (size_t row = 0; row < sets.n_; ++row) all.rows[row] = static_cast<uint32_t>(row);
      all.ends = {static_cast<uint32_t>(sets.n_)};
      all.stamp = ++stamp_;
      depth_.push_back(std::move(all));
    }
    void push(Node v) override { members_.push_back(v); }
    void pop() override {
      members_.pop_back();
      refined_ = std::min(refined_, members_.size());
    }
    SetValue with(Node v) override {
      if (members_.empty()) return of_one(v);
      const Partition& base = refined_to(members_.size() - 1);
      const Node u = members_.back();
      const int u_levels = sets_.levels_[u], v_levels = sets_.levels_[v];
      SetValue out;
      if ((u_levels - 1) * (v_levels - 1) > kMostMasks) {
        add_rows(base, 0, sets_.codes_[u].data(), sets_.codes_[v].data(), v_levels, out);
        return out;
      }
      if (laid_out_ != base.stamp) lay_out(base);
      sets_.add_cells_(groups_, {&masks_of(u, base), &masks_of(v, base), u_levels, v_levels, words_},
                       sets_.terms_.data(), out);
      add_rows(small_, 0, sets_.codes_[u].data(), sets_.codes_[v].data(), v_levels, out);
      return out;
    }

   private:
    // A group of one row adds 1 ln 1 = 0 here and in every refinement, so it is left out.
    struct Partition {
      std::vector<uint32_t> rows;  // group after group
      std::vector<uint32_t> ends;  // of the groups
      long stamp = 0;              // no other partition has it
    };

    SetValue of_one(Node v) {
      count_.assign(static_cast<size_t>(sets_.levels_[v]), 0);
      for (const uint8_t code : sets_.codes_[v]) ++count_[code];
      SetValue out;
      for (const uint32_t count : count_) {
        out.up += sets_.terms_[count].up;
        out.down += sets_.terms_[count].down;
      }
      return out;
    }

    const Partition& refined_to(size_t depth) {
      if (depth_.size() <= depth) depth_.resize(depth + 1);
      for (; refined_ < depth; ++refined_) refine(depth_[refined_], depth_[refined_ + 1], members_[refined_]);
      return depth_[depth];
    }
    void refine(const Partition& from, Partition& to, Node v) {
      const uint8_t* code = sets_.codes_[v].data();
      const size_t levels = static_cast<size_t>(sets_.levels_[v]);
      to.rows.resize(from.rows.size());
      to.ends.clear();
      to.stamp = ++stamp_;
      uint32_t first = 0, kept = 0;
      for (const uint32_t end : from.ends) {
        count_.assign(levels, 0);
        for (uint32_t k = first; k < end; ++k) ++count_[code[from.rows[k]]];
        place_.assign(levels, UINT32_MAX);
        for (size_t level = 0; level < levels; ++level) {
          if (count_[level] < 2) continue;
          place_[level] = kept;
          kept += count_[level];
          to.ends.push_back(kept);
        }
        for (uint32_t k = first; k < end; ++k) {
          uint32_t& place = place_[code[from.rows[k]]];
          if (place != UINT32_MAX) to.rows[place++] = from.rows[k];
        }
        first = end;
      }
      to.rows.resize(kept);
    }

    // Large groups get words of their own; the rows of small ones are kept together.
    void lay_out(const Partition& base) {
      laid_out_ = base.stamp;
      groups_.clear();
      small_.rows.clear();
      small_.ends.clear();
      words_ = 0;
      uint32_t first = 0;
      for (const uint32_t end : base.ends) {
        const uint32_t size = end - first;
        if (size >= kLargeGroup) {
          groups_.push_back({first, end, static_cast<uint32_t>(words_), (size + 63) / 64});
          words_ += groups_.back().words;
        } else {
          small_.rows.insert(small_.rows.end(), base.rows.begin() + first, base.rows.begin() + end);
          small_.ends.push_back(static_cast<uint32_t>(small_.rows.size()));
        }
        first = end;
      }
    }
    const Masks& masks_of(Node v, const Partition& base) {
      Masks& masks = masks_[static_cast<size_t>(v)];
      if (masks.stamp == base.stamp) return masks;
      masks.stamp = base.stamp;
      const uint8_t* code = sets_.codes_[v].data();
      const size_t levels = static_cast<size_t>(sets_.levels_[v]);
      masks.bits.resize((levels - 1) * words_);
      masks.counts.assign(levels * groups_.size(), 0);
      uint8_t codes[64];
      for (size_t g = 0; g < groups_.size(); ++g) {
        const LargeGroup& group = groups_[g];
        uint32_t* counts = &masks.counts[g * levels];
        counts[levels - 1] = group.end - group.first;
        for (uint32_t w = 0; w < group.words; ++w) {
          const uint32_t first = group.first + 64 * w, count = std::min<uint32_t>(64, group.end - first);
          for (uint32_t k = 0; k < count; ++k) codes[k] = code[base.rows[first + k]];
          const uint64_t valid = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
          std::fill(codes + count, codes + 64, uint8_t{0});
          for (size_t level = 0; level + 1 < levels; ++level) {
            const uint64_t bits = equal_bits(codes, static_cast<uint8_t>(level)) & valid;
            masks.bits[level * words_ + group.word + w] = bits;
            const uint32_t here = static_cast<uint32_t>(count_bits(bits));
            counts[level] += here;
            counts[levels - 1] -= here;
          }
        }
      }
      return masks;
    }

    // Row by row: counts up, then down again, so that nothing has to be cleared between groups.
    void add_rows(const Partition& part, uint32_t first, const uint8_t* u, const uint8_t* v, int v_levels,
                  SetValue& out) {
      if (joint_.empty()) joint_.assign(size_t{256} * 256, 0);
      for (const uint32_t end : part.ends) {
        const auto cell = [&](uint32_t k) -> uint32_t& {
          const uint32_t row = part.rows[k];
          return joint_[static_cast<size_t>(u[row]) * static_cast<size_t>(v_levels) + v[row]];
        };
        for (uint32_t k = first; k < end; ++k) ++cell(k);
        for (uint32_t k = first; k < end; ++k) {
          uint32_t& count = cell(k);
          out.up += sets_.terms_[count].up;
          out.down += sets_.terms_[count].down;
          count = 0;
        }
        first = end;
      }
    }

    const DiscreteSets& sets_;
    std::vector<Node> members_;
    std::vector<Partition> depth_;  // [k]: by the first k members
    size_t refined_ = 0;            // partitions up to this depth are those of the members
    long stamp_ = 0, laid_out_ = 0;
    std::vector<LargeGroup> groups_;
    Partition small_;
    size_t words_ = 0;
    std::vector<Masks> masks_;  // by node
    std::vector<uint32_t> count_, place_, joint_;
  };

  size_t n_ = 0;
  double price_;
  RegretQuotient* regret_;
  AddCells add_cells_;
  long double per_parameter_ = 0;
  std::vector<std::vector<uint8_t>> codes_;
  std::vector<int> levels_;
  std::vector<SetValue> terms_;                    // of c ln c
  std::vector<std::vector<double>> kept_regrets_;  // [levels][configurations]
};

std::unique_ptr<SetScores> categorical_set_scores(const Dataset& data, double penalty, double price,
                                                  RegretQuotient* regret) {
  if (data.has_missing() || data.has_drawn() || data.has_weights() || data.has_regimes() || data.is_summary())
    return nullptr;
  for (const Column& column : data.columns()) {
    if (column.is_isolated()) continue;
    if (column.kind != ColumnKind::kCategorical || column.levels.size() > 256) return nullptr;
  }
  return std::make_unique<DiscreteSets>(data, penalty, price, regret);
}

}  // namespace

std::unique_ptr<SetScores> discrete_set_scores(const Dataset& data, double penalty, double price) {
  return categorical_set_scores(data, penalty, price, nullptr);
}

std::unique_ptr<SetScores> regret_set_scores(const Dataset& data, RegretQuotient* regret, double price) {
  return categorical_set_scores(data, 0, price, regret);
}

}  // namespace agon::plain
