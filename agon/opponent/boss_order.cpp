#include "agon/opponent/boss_order.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace agon {
namespace {

constexpr int kNowhere = std::numeric_limits<int>::max() / 2;
constexpr int kDeepest = 255;  // reach_ says "this deep or deeper"

}  // namespace

OrderSearch::OrderSearch(const LocalScore& score, const OrderRules& rules, size_t byte_limit, bool with_pairs)
    : p_(score.size()),
      rules_(rules),
      trees_(score, rules, byte_limit, with_pairs),
      position_(p_, kNowhere),
      path_(p_),
      local_(p_, 0),
      reach_(static_cast<size_t>(p_) * p_, 0),
      is_touched_(p_, 0),
      queued_(p_, 0) {
  if (!rules.required.empty()) {
    required_children_.resize(p_);
    for (Node child = 0; child < p_; ++child) {
      for (Node q : rules.required[child]) required_children_[q].push_back(child);
    }
  }
  for (Node v = 0; v < p_; ++v) {
    if (score.traits().constant[v]) local_[v] = score.local(v, {});
  }
}

double OrderSearch::score() const {
  double sum = 0;
  for (double x : local_) sum += x;
  return sum;
}

Dag OrderSearch::dag() const {
  Dag out(p_);
  for (Node w : order_) {
    for (Node q : trees_.outcome_parents(path_[w].back().at)) out.add_edge(q, w);
  }
  return out;
}

void OrderSearch::set_order(std::span<const Node> order) {
  forget();
  order_.assign(order.begin(), order.end());
  rebuild();
  // Sums over all variables round at their own size, which on an oracle's scores exceeds the tolerance of one gain.
  constexpr double kRounding = 2e-14;
  double magnitude = 0;
  for (double x : local_) magnitude += std::abs(x);
  tolerance_ = std::max(trees_.tolerance(), kRounding * magnitude);
}

void OrderSearch::rebuild() {
  std::fill(position_.begin(), position_.end(), kNowhere);
  for (size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<int>(k);
  std::fill(reach_.begin(), reach_.end(), 0);
  for (Node w : order_) {
    path_[w].assign(1, {trees_.root(w), 0});
    trace(w, 0);
    note(w, 0);
  }
  bytes_when_built_ = trees_.bytes();
}

// The trees are cleared when they outgrow their limit; the present paths must stand in any case, so a limit too small
// for them is stretched rather than have every step start again from nothing.
void OrderSearch::keep_to_limit() {
  if (!trees_.over_limit() || trees_.bytes() < bytes_when_built_ + bytes_when_built_ / 2) return;
  trees_.clear();
  log_void_ = true;
  rebuild();
}

// --- paths ---

int OrderSearch::choose(TreeIndex at, int from, int place) {
  const auto candidates = trees_.candidates(at);
  const int singles = static_cast<int>(candidates.size());
  int k = from;
  while (k < singles && position_[candidates[k].node] >= place) ++k;
  if (k < singles) return k;
  const auto pairs = trees_.pairs(at);
  const int all = singles + static_cast<int>(pairs.size());
  for (; k < all; ++k) {
    const auto& pair = pairs[k - singles];
    if (std::max(position_[pair.first], position_[pair.second]) < place) break;
  }
  return k;
}

template <class Visit>
void OrderSearch::visit_passed(const Level& level, Visit visit) {
  const auto candidates = trees_.candidates(level.at);
  const int singles = static_cast<int>(candidates.size());
  for (int k = 0; k < std::min(level.choice + 1, singles); ++k) visit(candidates[k].node);
  if (level.choice < singles) return;
  const auto pairs = trees_.pairs(level.at);
  const int last = std::min(level.choice + 1 - singles, static_cast<int>(pairs.size()));
  for (int k = 0; k < last; ++k) {
    visit(pairs[k].first);
    visit(pairs[k].second);
  }
}

void OrderSearch::trace(Node w, size_t depth) {
  Path& path = path_[w];
  path.resize(depth + 1);
  const int here = position_[w];
  for (;;) {
    const TreeIndex at = path.back().at;
    const int k = choose(at, 0, here);
    path.back().choice = k;
    if (is_last(at, k)) break;
    path.push_back({trees_.grown(at, k), 0});
  }
  local_[w] = trees_.outcome(path.back().at);
}

void OrderSearch::note(Node w, size_t depth) {
  const Path& path = path_[w];
  for (size_t d = depth; d < path.size(); ++d) {
    const uint8_t mark = static_cast<uint8_t>(std::min<size_t>(d + 1, kDeepest));
    visit_passed(path[d], [&](Node v) {
      uint8_t& r = reach(v, w);
      if (r == 0) r = mark;
    });
  }
}

void OrderSearch::unnote(Node w, size_t depth) {
  const Path& path = path_[w];
  const uint8_t least = static_cast<uint8_t>(std::min<size_t>(depth + 1, kDeepest));
  for (size_t d = depth; d < path.size(); ++d) {
    visit_passed(path[d], [&](Node v) {
      uint8_t& r = reach(v, w);
      if (r >= least) r = 0;
    });
  }
}

// The first depth of w's path at which v matters (or, very deep, may matter); reach(v, w) is not 0.
int OrderSearch::first_depth(Node v, Node w) { return reach(v, w) - 1; }

void OrderSearch::retrace(Node w, size_t depth) {
  save(w);
  unnote(w, depth);
  trace(w, depth);
  note(w, depth);
}

// --- one variable, all places ---

// The outcome of growing from node `at`, looking at its candidates from index `from` on, with the prefix that ends at
// `place`.
double OrderSearch::walk(TreeIndex at, int from, int place) {
  for (int k = choose(at, from, place);; k = choose(at, 0, place)) {
    if (is_last(at, k)) return trees_.outcome(at);
    at = trees_.grown(at, k);
  }
}

// What having v in its prefix is worth to w. v's own position is out of the way (kNowhere) meanwhile; `before` says
// whether it stands before w.
double OrderSearch::effect(Node v, Node w, bool before) {
  ++evaluations_;
  const Level level = path_[w][first_depth(v, w)];
  if (before) return local_[w] - walk(level.at, level.choice, position_[w]);  // those passed over stay so without v
  position_[v] = -1;
  const double with = walk(level.at, 0, position_[w]);
  position_[v] = kNowhere;
  return with - local_[w];
}

// Appends to steps_ how v's local score changes as its prefix grows from nothing to everything; the first step is at
// place 0 and carries the score itself.
void OrderSearch::own_events(Node v) {
  climb_.assign(1, trees_.root(v));
  next_.clear();  // by level: the first place at which an earlier candidate is in the prefix
  double before = 0;
  int place = 0;
  for (;;) {
    // Finish the path below the last level that is set; next_ is known for all but it.
    for (;;) {
      const TreeIndex at = climb_.back();
      const auto candidates = trees_.candidates(at);
      const int singles = static_cast<int>(candidates.size());
      int first = kNowhere, k = 0;
      const auto passes = [&](int enters) {
        if (enters < place) return false;
        first = std::min(first, enters);
        return true;
      };
      while (k < singles && passes(position_[candidates[k].node])) ++k;
      if (k == singles) {
        const auto pairs = trees_.pairs(at);
        const int all = singles + static_cast<int>(pairs.size());
        while (k < all && passes(std::max(position_[pairs[k - singles].first], position_[pairs[k - singles].second])))
          ++k;
      }
      next_.push_back(first);
      if (is_last(at, k)) break;
      climb_.push_back(trees_.grown(at, k));
    }
    ++evaluations_;
    const double now = trees_.outcome(climb_.back());
    if (place == 0 || now != before) steps_.push_back({place, now - before});
    before = now;
    const auto event = std::min_element(next_.begin(), next_.end());
    if (*event >= kNowhere) return;
    place = *event + 1;
    const size_t depth = event - next_.begin();
    climb_.resize(depth + 1);
    next_.resize(depth);
  }
}

// The first and last place v may be inserted at: between its required parents and children.
std::pair<int, int> OrderSearch::allowed(Node v) const {
  int first = 0, last = static_cast<int>(order_.size());
  if (!rules_.required.empty()) {
    for (Node q : rules_.required[v]) {
      if (position_[q] < kNowhere) first = std::max(first, position_[q] + 1);
    }
    for (Node q : required_children_[v]) {
      if (position_[q] < kNowhere) last = std::min(last, position_[q]);
    }
  }
  return {first, last};
}

double OrderSearch::improve(Node v) {
  keep_to_limit();
  const int here = position_[v];
  position_[v] = kNowhere;
  const auto [first, last] = allowed(v);

  // The score as a function of the place, up to a constant: v's own, plus the effect on each w that comes after it.
  steps_.clear();
  own_events(v);
  double start = 0;
  const uint8_t* row = &reach(v, 0);
  for (Node w = 0; w < p_; ++w) {
    if (row[w] == 0) continue;
    const double e = effect(v, w, position_[w] > here);
    start += e;
    steps_.push_back({position_[w] + 1, -e});
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.place < b.place; });
  position_[v] = here;

  double present = start;
  for (const Step& s : steps_) {
    if (s.place > here) break;
    present += s.change;
  }
  double best = present, value = start;
  int best_place = -1;
  for (size_t k = 0; k < steps_.size();) {
    const int place = steps_[k].place;
    if (place > last) break;
    for (; k < steps_.size() && steps_[k].place == place; ++k) value += steps_[k].change;
    const int end = k < steps_.size() ? steps_[k].place : kNowhere;  // the value holds for places in [place, end)
    if (end <= first) continue;
    if (value > best + tolerance_) {
      best = value;
      best_place = std::max(place, first);
    }
  }
  if (best_place < 0) return 0;
  place(v, best_place > here ? best_place - 1 : best_place);
  return best - present;
}

void OrderSearch::place(Node v, int position) {
  const int here = position_[v];
  if (position == here) return;
  const int low = std::min(here, position), high = std::max(here, position);
  if (position > here) {
    std::rotate(order_.begin() + here, order_.begin() + here + 1, order_.begin() + position + 1);
  } else {
    std::rotate(order_.begin() + position, order_.begin() + here, order_.begin() + here + 1);
  }
  for (int k = low; k <= high; ++k) position_[order_[k]] = k;
  size_t own = kNowhere;
  for (int k = low; k <= high; ++k) {
    const Node w = order_[k];
    if (w == v) continue;
    if (reach(v, w) != 0) retrace(w, first_depth(v, w));
    if (reach(w, v) != 0) own = std::min(own, static_cast<size_t>(reach(w, v) - 1));
  }
  if (own < static_cast<size_t>(kNowhere)) retrace(v, own);
}

void OrderSearch::move(Node v, int position) {
  keep_to_limit();
  const int here = position_[v];
  position_[v] = kNowhere;
  const auto [first, last] = allowed(v);
  position_[v] = here;
  const int slot = std::clamp(position > here ? position + 1 : position, first, last);
  place(v, slot > here ? slot - 1 : slot);
}

// --- many variables ---

int OrderSearch::sweep(const Watch& watch) {
  int moved = 0;
  for (Node v = 0; v < p_; ++v) {
    if (position_[v] == kNowhere) continue;
    if (watch.stop_requested()) break;
    moved += improve(v) > 0;
  }
  return moved;
}

void OrderSearch::settle(std::vector<Node> agenda, long last) {
  for (Node v : agenda) queued_[v] = 1;
  size_t next = 0;
  for (; next < agenda.size() && evaluations_ < last; ++next) {
    const Node v = agenda[next];
    queued_[v] = 0;
    if (improve(v) == 0) continue;
    const auto add = [&](Node u) {
      if (!queued_[u]) {
        queued_[u] = 1;
        agenda.push_back(u);
      }
    };
    for (Node w = 0; w < p_; ++w) {
      if (reach(v, w) != 0 && position_[w] > position_[v]) add(w);
    }
    for (Node q : trees_.grown_parents(path_[v].back().at)) add(q);
  }
  for (; next < agenda.size(); ++next) queued_[agenda[next]] = 0;
}

// --- undo ---

void OrderSearch::save(Node w) {
  if (!marked_ || is_touched_[w]) return;
  is_touched_[w] = 1;
  touched_.push_back(w);
  log_.push_back({w, path_[w], local_[w]});
}

void OrderSearch::forget() {
  for (Node w : touched_) is_touched_[w] = 0;
  touched_.clear();
  log_.clear();
  marked_ = log_void_ = false;
}

void OrderSearch::mark() {
  forget();
  marked_ = true;
  marked_order_ = order_;
}

void OrderSearch::take_back() {
  assert(marked_);
  order_ = marked_order_;
  if (log_void_) {
    rebuild();
  } else {
    for (size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<int>(k);
    for (Saved& saved : log_) {
      unnote(saved.node, 0);
      path_[saved.node] = std::move(saved.path);
      local_[saved.node] = saved.local;
      note(saved.node, 0);
    }
  }
  for (Node w : touched_) is_touched_[w] = 0;
  touched_.clear();
  log_.clear();
  log_void_ = false;
}

bool OrderSearch::check_invariants() {
  const std::vector<uint8_t> reach_was = reach_;
  const std::vector<double> local_was = local_;
  rebuild();
  return reach_was == reach_ && local_was == local_;
}

}  // namespace agon
