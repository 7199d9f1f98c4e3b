// The networks of the opponents that learn, as they are used: in single precision. Tests compare their gradients with
// finite differences, for which floats are too coarse, and make them for double (networks_double_test.cpp).
#include "agon/opponent/dag_gnn_net.inc"
#include "agon/opponent/edge_policy.inc"
#include "agon/opponent/gran_dag_net.inc"
#include "agon/opponent/order_policy.inc"

namespace agon {

template class DagGnnNet<float>;
template class EdgePolicy<float>;
template class GranDagNet<float>;
template class OrderPolicy<float>;

}  // namespace agon
