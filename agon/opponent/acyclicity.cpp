#include "agon/opponent/acyclicity.h"

#include <algorithm>

#include "agon/nn/row_kernels.h"

namespace agon {
namespace {

constexpr int kColumns = 32;      // of a block; a fixed number, so that no result depends on the number of threads
constexpr double kDense = 0.3;    // share of possible edges above which a product with the whole matrix is faster
constexpr int kMostTerms = 1000;  // a limit for weights so large that the sum is not finite

// Tarjan 1972 without recursion, following edges child -> parent.
class ComponentFinder {
 public:
  explicit ComponentFinder(const std::vector<std::vector<int>>& parents)
      : parents_(parents), index_(parents.size(), -1), low_(parents.size(), 0), on_stack_(parents.size(), false) {}

  std::vector<std::vector<int>> find() {
    for (int root = 0; root < static_cast<int>(parents_.size()); ++root) {
      if (index_[root] < 0) explore(root);
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  struct Frame {
    int node;
    size_t next;
  };

  void enter(int node) {
    index_[node] = low_[node] = count_++;
    stack_.push_back(node);
    on_stack_[node] = true;
    frames_.push_back({node, 0});
  }

  void explore(int root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const int node = frame.node;
      if (frame.next < parents_[node].size()) {
        const int to = parents_[node][frame.next++];
        if (index_[to] < 0) {
          enter(to);
        } else if (on_stack_[to]) {
          low_[node] = std::min(low_[node], index_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] == index_[node]) close(node);
    }
  }

  void close(int node) {
    std::vector<int> component;
    int top;
    do {
      top = stack_.back();
      stack_.pop_back();
      on_stack_[top] = false;
      component.push_back(top);
    } while (top != node);
    if (component.size() < 2) return;
    std::sort(component.begin(), component.end());
    found_.push_back(std::move(component));
  }

  const std::vector<std::vector<int>>& parents_;
  std::vector<int> index_, low_;
  std::vector<bool> on_stack_;
  std::vector<int> stack_;
  std::vector<Frame> frames_;
  int count_ = 0;
  std::vector<std::vector<int>> found_;
};

}  // namespace

std::vector<std::vector<int>> cyclic_components(const std::vector<std::vector<int>>& parents) {
  return ComponentFinder(parents).find();
}

template <class Real>
void Acyclicity<Real>::set_edges(const std::vector<std::vector<int>>& parents) {
  const size_t p = parents.size();
  closed_.assign(p, 0.0);
  gradient_.resize(p);
  for (size_t child = 0; child < p; ++child) gradient_[child].assign(parents[child].size(), Real(0));
  components_.clear();
  blocks_.clear();
  std::vector<int> place(p, -1);
  for (std::vector<int>& nodes : cyclic_components(parents)) {
    const int size = static_cast<int>(nodes.size()), component = static_cast<int>(components_.size());
    Component c;
    for (int a = 0; a < size; ++a) place[nodes[a]] = a;
    for (int a = 0; a < size; ++a) {
      c.begin.push_back(static_cast<int>(c.parent.size()));
      const std::vector<int>& list = parents[nodes[a]];
      for (size_t k = 0; k < list.size(); ++k) {
        if (place[list[k]] < 0) continue;
        c.parent.push_back(place[list[k]]);
        c.position.push_back(static_cast<int>(k));
      }
    }
    c.begin.push_back(static_cast<int>(c.parent.size()));
    for (int node : nodes) place[node] = -1;
    c.nodes = std::move(nodes);
    for (int first = 0; first < size; first += kColumns) {
      blocks_.push_back({component, first, std::min(kColumns, size - first)});
    }
    components_.push_back(std::move(c));
  }
}

// Columns of e^(C^T) - I by its series: term k is C^T / k times term k - 1, and (C^T)[a][b] is the weight of b -> a.
// The columns of a block are stored side by side, so that a row of the block is a few vectors.
template <class Real>
void Acyclicity<Real>::compute(int block, const std::vector<std::vector<Real>>& weights) {
  constexpr Real kTail = sizeof(Real) == sizeof(float) ? Real(1e-11) : Real(1e-17);
  const RowKernels<Real>& kernels = row_kernels<Real>();
  const auto [which, first, count] = blocks_[block];
  const Component& c = components_[which];
  const int size = static_cast<int>(c.nodes.size()), width = padded_units(count);
  std::vector<Real> term(size * width, Real(0)), next(size * width), sum(size * width, Real(0));
  for (int k = 0; k < count; ++k) term[(first + k) * width + k] = 1;

  // Where most edges exist, a product with the whole matrix is faster. The zeros in it do not change any bit of the
  // sums.
  std::vector<Real> whole;
  std::vector<int> row(size), column(size), from(c.parent.size());
  if (c.parent.size() >= kDense * size * size) {
    whole.assign(size * size, Real(0));
    for (int a = 0; a < size; ++a) {
      row[a] = a * size;
      column[a] = a;
      for (int l = c.begin[a]; l < c.begin[a + 1]; ++l) {
        whole[a * size + c.parent[l]] = weights[c.nodes[a]][c.position[l]];
      }
    }
  }
  for (size_t l = 0; l < from.size(); ++l) from[l] = c.parent[l] * width;

  for (int order = 1; order <= kMostTerms; ++order) {
    if (whole.empty()) {
      for (int a = 0; a < size; ++a) {
        const int begin = c.begin[a];
        kernels.combine(weights[c.nodes[a]].data(), c.position.data() + begin, from.data() + begin,
                        c.begin[a + 1] - begin, term.data(), width, next.data() + a * width);
      }
    } else {
      kernels.product(whole.data(), row.data(), size, column.data(), size, term.data(), width, next.data());
    }
    const Real largest = kernels.add_scaled(Real(1) / static_cast<Real>(order), size * width, next.data(), sum.data());
    term.swap(next);
    if (!(largest > kTail)) break;
  }
  for (int k = 0; k < count; ++k) {
    const int place = first + k, child = c.nodes[place];
    closed_[child] = static_cast<double>(sum[place * width + k]);
    for (int l = c.begin[place]; l < c.begin[place + 1]; ++l) gradient_[child][c.position[l]] = sum[from[l] + k];
  }
}

template <class Real>
double Acyclicity<Real>::h() const {
  double sum = 0;
  for (double closed : closed_) sum += closed;
  return sum;
}

template class Acyclicity<float>;
template class Acyclicity<double>;

}  // namespace agon
