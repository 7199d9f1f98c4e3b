// agon/opponent/edge_decoder.h
//
// From the outputs z of an encoder, one vector per variable, to a logit for every possible edge: the four decoders of
// Zhu, Ng & Chen (2020, ICLR, appendix A).
//
//   pair         g_ij = u . tanh(W z_i + V z_j)                                 their choice
//   bilinear     g_ij = z_i . W z_j
//   tensor       g_ij = u . tanh(z_i . W_k z_j + A z_i + B z_j + b), k = 1, 2   a neural tensor network
//   transformer  g_i = W block(z)_i, where block is attention and feed-forward as in the encoder
//
// The last has weights of its own for every possible cause, so it does not commute with permutations of the variables.
//
//   WeightLayout layout;
//   const auto decoder = make_edge_decoder<float>(EdgeDecoderKind::kPair, {.width = 64}, 12, 64, layout);
//   NetVector<float> weights = layout.draw<float>(Rng(0)), gradient = NetVector<float>::Zero(layout.size());
//   std::vector<float> z(64 * 12 * 64), by_z(z.size()), logits(12 * 12 * 64), by_logits(logits.size(), 1);
//   decoder->forward(weights.data(), z.data(), logits);                                    // adds to the logits
//   decoder->backward(weights.data(), z.data(), by_logits, gradient.data(), by_z.data());  // adds to the gradient,
//                                                                                          // overwrites by_z
//
// z: width rows of variables x batch columns, as in nn/layers.h. Logits: [child][parent][episode].
#pragma once

#include <memory>
#include <vector>

#include "agon/nn/layers.h"

namespace agon {

enum class EdgeDecoderKind { kPair, kBilinear, kTensor, kTransformer };

struct EdgeDecoderShape {
  int width = 64, heads = 16;  // of the encoder
  int units = 16;              // hidden, of a pair
};

template <class Real>
class EdgeDecoder {
 public:
  virtual ~EdgeDecoder() = default;
  virtual void forward(const Real* weights, const Real* z, std::vector<Real>& logits) = 0;
  virtual void backward(const Real* weights, const Real* z, const std::vector<Real>& by_logits, Real* gradient,
                        Real* by_z) = 0;
};

template <class Real>
std::unique_ptr<EdgeDecoder<Real>> make_edge_decoder(EdgeDecoderKind kind, const EdgeDecoderShape& shape, int variables,
                                                     int batch, WeightLayout& layout);

}  // namespace agon
