#include "agon/agent/double_dqn.h"

#include <cassert>

namespace agon {

template <class Real>
void MoveOutputs<Real>::next_values(const BasicMlp<Real>& online, const BasicMlp<Real>& target, Batch batch, Work& work,
                                    std::vector<Real>& values) const {
  const long count = static_cast<long>(batch.size());
  work.inputs.setZero(online.shape().inputs, count);
  for (long k = 0; k < count; ++k) {
    if (!batch[k]->terminal) work.inputs.col(k) = batch[k]->next;
  }
  work.online = online.forward(work.inputs, work.mlp);
  const NetMatrix<Real>& judged = target.forward(work.inputs, work.mlp);
  values.assign(batch.size(), 0);
  for (long k = 0; k < count; ++k) {
    const Transition& t = *batch[k];
    if (t.terminal || t.next_valid.empty()) continue;
    // Departure D1: over the valid moves only. An invalid move has no next state, and its output is never trained, so
    // the maximum over all outputs would feed back noise.
    int best = t.next_valid[0];
    for (int move : t.next_valid) {
      if (work.online(move, k) > work.online(best, k)) best = move;
    }
    values[k] = judged(best, k);
  }
}

template <class Real>
void MoveOutputs<Real>::taken_values(const BasicMlp<Real>& online, Batch batch, Work& work,
                                     std::vector<Real>& values) const {
  const long count = static_cast<long>(batch.size());
  work.inputs.resize(online.shape().inputs, count);
  for (long k = 0; k < count; ++k) work.inputs.col(k) = batch[k]->state;
  const NetMatrix<Real>& out = online.forward(work.inputs, work.mlp);
  values.resize(batch.size());
  for (long k = 0; k < count; ++k) values[k] = out(batch[k]->move, k);
}

template <class Real>
void MoveOutputs<Real>::by_weights(const BasicMlp<Real>& online, Batch batch, const std::vector<Real>& by_value,
                                   Work& work, NetVector<Real>& gradient) const {
  work.by_output.setZero(online.shape().outputs, static_cast<long>(batch.size()));
  for (size_t k = 0; k < batch.size(); ++k) work.by_output(batch[k]->move, static_cast<long>(k)) = by_value[k];
  online.backward(work.mlp, work.by_output, gradient);
}

template <class Real>
void MoveScorer<Real>::next_values(const BasicMlp<Real>& online, const BasicMlp<Real>& target, Batch batch, Work& work,
                                   std::vector<Real>& values) const {
  // The candidate moves of all next states side by side, so that each network is asked once.
  long columns = 0;
  for (const Transition* t : batch) {
    if (!t->terminal) columns += t->next.cols();
  }
  values.assign(batch.size(), 0);
  if (columns == 0) return;
  work.inputs.resize(online.shape().inputs, columns);
  long at = 0;
  for (const Transition* t : batch) {
    if (t->terminal) continue;
    assert(t->next_known.size() == t->next.cols());
    work.inputs.middleCols(at, t->next.cols()) = t->next;
    at += t->next.cols();
  }
  work.online = online.forward(work.inputs, work.mlp);
  const NetMatrix<Real>& judged = target.forward(work.inputs, work.mlp);
  at = 0;
  for (size_t k = 0; k < batch.size(); ++k) {
    const Transition& t = *batch[k];
    if (t.terminal || t.next.cols() == 0) continue;
    long best = 0;  // departure D1: only valid moves stand in `next`
    Real best_value = value(t.next_known[0], work.online(0, at));
    for (long c = 1; c < t.next.cols(); ++c) {
      const Real found = value(t.next_known[c], work.online(0, at + c));
      if (found > best_value) {
        best = c;
        best_value = found;
      }
    }
    values[k] = value(t.next_known[best], judged(0, at + best));
    at += t.next.cols();
  }
}

template <class Real>
void MoveScorer<Real>::taken_values(const BasicMlp<Real>& online, Batch batch, Work& work,
                                    std::vector<Real>& values) const {
  const long count = static_cast<long>(batch.size());
  work.inputs.resize(online.shape().inputs, count);
  for (long k = 0; k < count; ++k) work.inputs.col(k) = batch[k]->features;
  const NetMatrix<Real>& out = online.forward(work.inputs, work.mlp);
  values.resize(batch.size());
  for (long k = 0; k < count; ++k) values[k] = batch[k]->known + weight * out(0, k);
}

template <class Real>
void MoveScorer<Real>::by_weights(const BasicMlp<Real>& online, Batch batch, const std::vector<Real>& by_value,
                                  Work& work, NetVector<Real>& gradient) const {
  work.by_output.resize(1, static_cast<long>(batch.size()));
  for (long k = 0; k < work.by_output.cols(); ++k) work.by_output(0, k) = by_value[k] * weight;
  online.backward(work.mlp, work.by_output, gradient);
}

template struct MoveOutputs<float>;
template struct MoveOutputs<double>;
template struct MoveScorer<float>;
template struct MoveScorer<double>;

}  // namespace agon
