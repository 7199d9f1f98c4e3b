// Networks of the challenger: any bytes as a file of weights (`--proposal FILE`).
#include "agon/nn/mlp.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  Mlp net;
  if (!refusable([&] { net = parse_mlp(text, "fuzz.mlp"); })) return;
  must(to_text(parse_mlp(to_text(net), "copy.mlp")) == to_text(net), "what was written reads back");
}
