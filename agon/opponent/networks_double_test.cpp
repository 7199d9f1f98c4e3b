// The networks of networks.cpp in double precision, and what they are made of.
#include "agon/nn/layers.inc"
#include "agon/nn/mlp.inc"
#include "agon/opponent/dag_gnn_net.inc"
#include "agon/opponent/edge_policy.inc"
#include "agon/opponent/gran_dag_net.inc"
#include "agon/opponent/order_policy.inc"

namespace agon {

template NetVector<double> WeightLayout::draw<double>(Rng) const;
template struct Linear<double>;
template struct BatchNorm<double>;
template class Encoder<double>;
template void mean_of_tokens(const double*, int, int, int, double*);
template void add_mean_of_tokens_back(const double*, int, int, int, double*);
template class Adam<double>;

template class DagGnnNet<double>;
template std::unique_ptr<EdgeDecoder<double>> make_edge_decoder(EdgeDecoderKind, const EdgeDecoderShape&, int, int,
                                                                WeightLayout&);
template class EdgePolicy<double>;
template class GranDagNet<double>;
template class OrderPolicy<double>;

}  // namespace agon
