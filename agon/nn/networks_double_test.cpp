#include "agon/nn/networks_double.inc"
