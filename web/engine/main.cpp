// The engine as the page's worker calls it: requests and answers are JSON (session.h).
#include <emscripten.h>

#include <memory>
#include <string>

#include "web/engine/session.h"

// The worker's function that takes a report of progress; 1: stop.
EM_JS(int, agon_tell, (const char* json), { return Module.tell(UTF8ToString(json)) ? 1 : 0; });

extern "C" {

// The answer stays valid until the next call.
EMSCRIPTEN_KEEPALIVE const char* agon_call(const char* request) {
  static agon::web::Session session([](const std::string& json) { return agon_tell(json.c_str()) != 0; });
  static std::string answer;
  answer = session.call(request);
  return answer.c_str();
}

}  // extern "C"
