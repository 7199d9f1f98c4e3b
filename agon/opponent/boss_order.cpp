#include "agon/opponent/boss_order.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

#include "agon/base/parallel.h"
#include "agon/opponent/boss_scout.h"

// The prefix of w is the set of variables before it. Growing walks down the tree of w (boss_trees.h): at each node it
// takes the first branch, best gain first, whose variable is in the prefix; if there is none, the first pair; and it
// ends where there is neither. The nodes it passes are the path of w.
//
// What holds between calls, and is recomputed by check_invariants():
//   - position_[order_[k]] == k; kNowhere for a variable in no order;
//   - path_[w] is the path under the present prefix, and local_[w] is the score of the parents at its end after
//     shrinking;
//   - reach_[v][w] is 1 + the first depth of that path at which v is examined, 0 if it never is.
//
// Why that suffices: a choice depends only on which of the branches up to the one taken are in the prefix. So a
// variable that is examined nowhere on w's path can be moved anywhere without changing w, and one that is first
// examined at depth d leaves the path above d unchanged.
//
// What a step costs: the scores of all places of v take one walk for each w that v reaches, plus one for each place
// where v's own parents change. Trying place by place would take up to p walks at each of p places.

namespace agon {
namespace {

using boss_walks::kNowhere;

constexpr int kDeepest = 255;  // reach_ means "this deep or deeper": starting too high on a path is slow, never wrong

// What is computed ahead, on several threads.
constexpr size_t kTracedAtATime = 256;  // variables
constexpr size_t kSweptAtATime = 64;
constexpr long kScoutBytes = 32 << 20;    // that scouts may bring at a time
constexpr long kColumnsWorthScouts = 64;  // that the last variables needed; a sweep that needs few is fast alone

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
  // Constants are in no order and have no parents, but score() includes them, to be comparable with total().
  for (Node v = 0; v < p_; ++v) {
    if (score.traits().constant[v]) local_[v] = score.local(v, {});
  }
}

// Summed again each time rather than updated by gains: differences would drift, and p additions are cheap compared with
// a step.
double OrderSearch::score() const {
  double sum = 0;
  for (double x : local_) sum += x;
  return sum;
}

// Acyclic whatever the paths are: every parent comes before its child in the order.
Dag OrderSearch::dag() const {
  Dag out(p_);
  for (Node w : order_) {
    for (Node q : trees_.outcome_parents(path_[w].back().at)) out.add_edge(q, w);
  }
  return out;
}

bool OrderSearch::set_order(std::span<const Node> order, const Watch& watch) {
  forget();
  order_.assign(order.begin(), order.end());
  if (!rebuild(watch)) return false;
  // Sums over all variables have rounding errors in proportion to their size, which on an oracle's scores exceed the
  // tolerance of one gain.
  constexpr double kRounding = 2e-14;
  double magnitude = 0;
  for (double x : local_) magnitude += std::abs(x);
  tolerance_ = std::max(trees_.tolerance(), kRounding * magnitude);
  return true;
}

bool OrderSearch::rebuild(const Watch& watch) {
  std::fill(position_.begin(), position_.end(), kNowhere);
  for (size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<int>(k);
  std::fill(reach_.begin(), reach_.end(), 0);
  for (size_t first = 0; first < order_.size(); first += kTracedAtATime) {
    const std::span<const Node> some =
        std::span<const Node>(order_).subspan(first, std::min(kTracedAtATime, order_.size() - first));
    send_scouts(some, watch, [&](Scout& scout, Node w) {
      boss_walks::walk(scout, scout.root(), 0, position_[w], [&](Node v) { return position_[v]; });
    });
    for (Node w : some) {
      if (watch.stop_requested()) return false;
      path_[w].assign(1, {trees_.root(w), 0});
      trace(w, 0);
      note(w, 0);
    }
  }
  bytes_when_built_ = trees_.bytes();
  return true;
}

// The trees are cleared when they outgrow their limit. The present paths must exist in any case, so a limit too small
// for them is exceeded; otherwise every step would start again from nothing.
void OrderSearch::keep_to_limit() {
  if (!trees_.over_limit() || trees_.bytes() < bytes_when_built_ + bytes_when_built_ / 2) return;
  trees_.clear();
  log_void_ = true;
  rebuild();
}

// --- paths ---

// Calls visit(v) for every variable that the choice depended on: those passed over because they are not in the prefix,
// and the one taken. A pair enters the prefix with the later of its two variables, so both matter.
template <class Visit>
void OrderSearch::visit_passed(const Level& level, Visit visit) {
  const auto branches = trees_.branches(level.at);
  const int singles = static_cast<int>(branches.size());
  for (int k = 0; k < std::min(level.choice + 1, singles); ++k) visit(branches[k].node);
  if (level.choice < singles) return;
  const auto pairs = trees_.pairs(level.at);
  const int last = std::min(level.choice + 1 - singles, static_cast<int>(pairs.size()));
  for (int k = 0; k < last; ++k) {
    visit(pairs[k].first);
    visit(pairs[k].second);
  }
}

// Follows links between nodes that exist already, except where no order has led before: the first time costs a column
// of gains (ParentTrees::grown), every later time a pointer. That is the point of the grow-shrink tree (Andrews et al.
// 2023, section 3.2): a search visits the same parent sets over and over.
void OrderSearch::trace(Node w, size_t depth) {
  Path& path = path_[w];
  path.resize(depth + 1);
  const int here = position_[w];
  for (;;) {
    const TreeIndex at = path.back().at;
    const int k = boss_walks::choose(trees_, at, 0, here, [&](Node v) { return position_[v]; });
    path.back().choice = k;
    if (boss_walks::is_last(trees_, at, k)) break;
    path.push_back({trees_.grown(at, k), 0});
  }
  local_[w] = trees_.outcome(path.back().at);
}

// Levels are entered from the top, so the first mark that a variable gets is the smallest.
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

// Marks below `least` come from levels above `depth`, which stay. That is exact for depth < kDeepest, and no caller
// passes a greater depth: depths come from reach_ itself.
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

// The first depth of w's path at which v matters (or, very deep, may matter). reach(v, w) must not be 0.
int OrderSearch::first_depth(Node v, Node w) const { return reach(v, w) - 1; }

// The order matters: the marks of the old levels are removed before those levels are lost.
void OrderSearch::retrace(Node w, size_t depth) {
  save(w);
  unnote(w, depth);
  trace(w, depth);
  note(w, depth);
}

// --- one variable, all places ---

// The outcome of growing from node `at`, examining its branches from index `from` on, with the prefix that ends at
// `place`.
double OrderSearch::walk(TreeIndex at, int from, int place) {
  return trees_.outcome(boss_walks::walk(trees_, at, from, place, [&](Node v) { return position_[v]; }));
}

// What having v in its prefix is worth to w. Meanwhile v itself is out of the order (its position is kNowhere);
// `before` says whether it was before w.
//
// One of the two scores is local_[w], under the present prefix. The other takes one walk, down from the level at which
// v first matters. Removing v cannot bring in anything that was passed over, so that walk begins at the choice made;
// adding v can, so that walk begins at the first branch.
double OrderSearch::effect(Node v, Node w, bool before) {
  ++evaluations_;
  const Level level = path_[w][first_depth(v, w)];
  if (before) return local_[w] - walk(level.at, level.choice, position_[w]);
  position_[v] = -1;  // before all others
  const double with = walk(level.at, 0, position_[w]);
  position_[v] = kNowhere;
  return with - local_[w];
}

// Appends to steps_ how v's local score changes as its prefix grows from nothing to everything. The first step is at
// place 0 and holds the score itself.
bool OrderSearch::own_events(Node v, const Watch& watch) {
  double before = 0;
  const auto visit = [&](int place, TreeIndex at) {
    ++evaluations_;
    const double now = trees_.outcome(at);
    if (place == 0 || now != before) steps_.push_back({place, now - before});
    before = now;
  };
  return boss_walks::climb(
      trees_, trees_.root(v), climb_, [&](Node q) { return position_[q]; }, visit,
      [&] { return !watch.stop_requested(); });
}

// The first and the last place where v may be inserted: between its required parents and its required children.
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

// The move of BOSS: v goes to the best of all its places while the others keep their order.
//
// Places are counted with v's own gap left open: at place k, v comes after those at positions below k and before the
// rest. So `here` and here + 1 are the same place, and a move to the right ends one position below its place.
//
// On a wide table this can take a second: a walk costs little where a search has been before, and much where it has
// not. Hence the watch is asked after every walk. Until place() nothing changes but the trees, so a stop costs nothing.
std::optional<double> OrderSearch::improve(Node v, const Watch& watch) {
  keep_to_limit();
  const int here = position_[v];
  const long evaluations = evaluations_;
  const auto stopped = [&] {
    position_[v] = here;
    evaluations_ = evaluations;
    return std::nullopt;
  };
  position_[v] = kNowhere;
  const auto [first, last] = allowed(v);

  // The score as a function of the place, up to a constant: v's own score, plus the effect on each w that comes after
  // it. It is piecewise constant, so its steps describe it: v's own events, and for each w the place where v falls
  // behind w.
  steps_.clear();
  if (!own_events(v, watch)) return stopped();
  double start = 0;  // at place 0, where v is before all others
  const uint8_t* row = &reach(v, 0);
  for (Node w = 0; w < p_; ++w) {
    if (row[w] == 0) continue;
    if (watch.stop_requested()) return stopped();
    const double e = effect(v, w, position_[w] > here);
    start += e;
    steps_.push_back({position_[w] + 1, -e});
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.place < b.place; });
  position_[v] = here;

  // Summed in the same order as the values below, so that staying compares equal with itself to the last bit.
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
    if (value > best + tolerance_) {  // of places that tie, the first; staying wins against all of them
      best = value;
      best_place = std::max(place, first);
    }
  }
  if (best_place < 0) return 0;
  place(v, best_place > here ? best_place - 1 : best_place);
  return best - present;
}

// Prefixes are sets: only the variables between the old and the new place have gained or lost v, and only v has gained
// or lost them. All other paths stay as they are without being examined.
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
  size_t own = kNowhere;  // the first level of v's path at which one of them is examined
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

// --- ahead of the search ---

// Calls scouting(scout, child) for each of these variables, on all threads; what the scouts bring is there afterwards.
template <class Scouting>
void OrderSearch::send_scouts(std::span<const Node> children, const Watch& watch, Scouting scouting) {
  if (threads_ <= 1) return;
  std::atomic<long> room = kScoutBytes;
  std::vector<std::vector<ParentTrees::Column>> found(children.size());
  parallel_for(static_cast<int>(children.size()), threads_, [&](int k) {
    if (watch.stop_requested()) return;
    Scout scout(trees_, children[k], room);
    scouting(scout, children[k]);
    found[k] = scout.take();
  });
  std::vector<ParentTrees::Column> all;
  for (auto& columns : found) {
    all.insert(all.end(), std::make_move_iterator(columns.begin()), std::make_move_iterator(columns.end()));
  }
  trees_.expect(std::move(all));
}

// The walks that improve() will take for some variables from `first` on, as long as none of them moves. Returns the
// variable after them.
Node OrderSearch::look_ahead(Node first, const Watch& watch) {
  std::vector<char> improved(p_);
  std::vector<std::vector<Node>> movers(p_);  // by child: the variables whose moves change it
  size_t count = 0;
  Node end = first;
  for (; end < p_ && count < kSweptAtATime; ++end) {
    if (position_[end] == kNowhere) continue;
    ++count;
    improved[end] = 1;
    for (Node w = 0; w < p_; ++w) {
      if (reach(end, w) != 0) movers[w].push_back(end);
    }
  }
  std::vector<Node> children;
  for (Node w = 0; w < p_; ++w) {
    if (improved[w] || !movers[w].empty()) children.push_back(w);
  }
  send_scouts(children, watch, [&](Scout& scout, Node w) {
    boss_walks::ClimbScratch scratch;
    if (improved[w]) {
      boss_walks::climb(
          scout, scout.root(), scratch, [&](Node q) { return position_[q]; }, [](int, TreeIndex) {},
          [&] { return !watch.stop_requested(); });
    }
    for (const Node v : movers[w]) {  // as effect()
      const Level level = path_[w][first_depth(v, w)];
      const bool before = position_[w] > position_[v];
      const auto enters = [&](Node q) { return q != v ? position_[q] : before ? kNowhere : -1; };
      boss_walks::walk(scout, level.at, before ? level.choice : 0, position_[w], enters);
    }
  });
  return end;
}

// --- many variables ---

// By node and not by place, so that the order of visits does not depend on what the sweep has moved so far.
bool OrderSearch::sweep(SweepPlace& place, const Watch& watch) {
  Node ahead = place.next;
  long columns = -kColumnsWorthScouts;
  for (; place.next < p_; ++place.next) {
    if (place.next == ahead) {
      const bool worthwhile = trees_.counts().columns - columns >= kColumnsWorthScouts;
      columns = trees_.counts().columns;
      ahead = worthwhile ? look_ahead(ahead, watch) : ahead + static_cast<Node>(kSweptAtATime);
    }
    if (position_[place.next] == kNowhere) continue;
    if (watch.stop_requested()) return false;
    const std::optional<double> gain = improve(place.next, watch);
    if (!gain) return false;
    place.moved += *gain > 0;
  }
  return true;
}

int OrderSearch::sweep() {
  SweepPlace place;
  sweep(place);
  return place.moved;
}

// A local repair: variables that the change did not affect are not tried, so it may miss a better place that a sweep
// would find. The iterated search settles thousands of times and sweeps once, at its end.
bool OrderSearch::settle(std::vector<Node> agenda, long last, const Watch& watch) {
  for (Node v : agenda) queued_[v] = 1;
  const long evaluations = evaluations_;
  size_t next = 0;
  bool stopped = false;
  for (; next < agenda.size() && evaluations_ < last; ++next) {
    const Node v = agenda[next];
    queued_[v] = 0;
    const std::optional<double> gain = improve(v, watch);
    if (!gain) {
      stopped = true;
      break;
    }
    if (*gain == 0) continue;
    const auto add = [&](Node u) {
      if (!queued_[u]) {
        queued_[u] = 1;
        agenda.push_back(u);
      }
    };
    // Variables that v may have become a parent of, and those it took as parents: a better place for them depends on
    // where v is.
    for (Node w = 0; w < p_; ++w) {
      if (reach(v, w) != 0 && position_[w] > position_[v]) add(w);
    }
    for (Node q : trees_.grown_parents(path_[v].back().at)) add(q);
  }
  for (; next < agenda.size(); ++next) queued_[agenda[next]] = 0;
  if (stopped) evaluations_ = evaluations;
  return !stopped;
}

// --- undo ---
//
// A perturbation touches only a few variables. So each touched path is saved once, as it was at the mark. Taking back
// then costs as much as the paths that changed, not a pass over all of them.

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
  if (log_void_) {  // the saved paths point into trees that no longer exist
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
