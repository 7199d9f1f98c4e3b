// The networks of networks.cpp in double precision, and what they are made of.
#include "agon/nn/networks_double.inc"

#include "agon/opponent/dag_gnn_net.inc"
#include "agon/opponent/edge_policy.inc"
#include "agon/opponent/gran_dag_net.inc"
#include "agon/opponent/order_policy.inc"

namespace agon {

template class DagGnnNet<double>;
template std::unique_ptr<EdgeDecoder<double>> make_edge_decoder(EdgeDecoderKind, const EdgeDecoderShape&, int, int,
                                                                WeightLayout&);
template class EdgePolicy<double>;
template class GranDagNet<double>;
template class OrderPolicy<double>;

}  // namespace agon
