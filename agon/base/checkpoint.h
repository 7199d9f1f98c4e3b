// agon/base/checkpoint.h
//
// Saves the progress of a long run in a folder, so that a run that was killed can be resumed.
//
//   Checkpoint checkpoint("saved", {{"data", "9f86d081"}, {"seed", "0"}}, 10.0, [](const std::string& s) { ... });
//   if (const std::string* bytes = checkpoint.part("match")) ...       // of an earlier run that was cut short
//   if (checkpoint.due()) checkpoint.save("match", "everything needed to resume");
//   checkpoint.remove();                                                // the run has ended
//
// The folder holds two files, written in turn (atomic_file.h), each complete by itself: a line that says what it is, a
// number that goes up, the identity of the run, the time used, every part, and a checksum of all that. The newest file
// whose checksum holds is loaded; a damaged one is ignored, and `tell` says so.
//
// What may be relied on:
//   - a checkpoint of another run (another identity) is never used and never overwritten, but an InputError that says
//     what differs; so is a folder that another process is using (a lock that dies with the process);
//   - a crash at any moment, even while saving, leaves a checkpoint that can be loaded, once there was one;
//   - when nothing can be saved any more (a full disk), `tell` says so and the run continues; existing files stay.
//
// Safe to call from several threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

class Checkpoint {
 public:
  using Tell = std::function<void(const std::string& sentence)>;      // what the user should know
  using Identity = std::vector<std::pair<std::string, std::string>>;  // what the run is: name and value

  // Creates the folder if there is none, and loads what is there. `every`: seconds between two saves. Saving takes at
  // most a twentieth of the time: if it is slow it is done less often. 0: at every chance.
  Checkpoint(const std::string& folder, Identity identity, double every, Tell tell = nullptr);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  bool resumed() const { return resumed_; }                  // something was loaded
  double seconds_before() const { return seconds_before_; }  // used by the earlier run, until its last save

  const std::string* part(const std::string& name) const;  // as it was loaded or last saved; null: there is none
  bool due() const;                                        // time to save
  void save(const std::string& part, std::string bytes);
  void remove();  // empties the folder; what is saved later is kept again

 private:
  using Clock = std::chrono::steady_clock;
  struct Content {
    uint64_t number = 0;
    double seconds = 0;
    Identity identity;
    std::map<std::string, std::string> parts;
  };
  std::string file(uint64_t number) const;
  void load();
  void tell(const std::string& sentence);  // only once, if the same sentence comes several times in a row

  std::string folder_;
  double every_;
  int lock_ = -1;
  Content content_;
  bool resumed_ = false;
  double seconds_before_ = 0;
  Tell tell_;
  std::string told_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_;
  mutable std::mutex mutex_;
};

}  // namespace agon
