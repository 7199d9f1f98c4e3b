// Archives return what they were given and refuse the rest; checkpoints survive damage and know whose they are.
#include "agon/base/checkpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "agon/base/archive.h"
#include "agon/base/error.h"
#include "agon/base/rng.h"

namespace agon {

struct Sample {  // not plain: goes through exchange()
  std::string name;
  std::vector<double> numbers;
  bool operator==(const Sample&) const = default;
};
void exchange(Archive& archive, Sample& sample) {
  archive(sample.name);
  archive(sample.numbers);
}

namespace {

namespace fs = std::filesystem;

struct Everything {
  int number = 7;
  std::string text = std::string("a\0b", 3);
  std::vector<Sample> list = {{"x", {1.5, -0.0}}, {"", {}}};
  std::vector<std::optional<Sample>> maybe = {std::nullopt, Sample{"y", {3}}};
  Rng rng{5};

  void exchange_state(Archive& archive) {
    archive(number);
    archive(text);
    archive(list);
    archive(maybe);
    archive(rng);
  }
};

TEST(Archive, GivesBackWhatItWasGiven) {
  Everything written;
  written.rng.next();
  Archive out;
  written.exchange_state(out);
  Everything read{0, "", {}, {}, Rng(0)};
  Archive in{std::string_view(out.bytes())};
  read.exchange_state(in);
  in.finish();
  EXPECT_EQ(read.number, 7);
  EXPECT_EQ(read.text, written.text);
  EXPECT_EQ(read.list, written.list);
  EXPECT_EQ(read.maybe, written.maybe);
  EXPECT_EQ(read.rng.next(), written.rng.next());
  EXPECT_EQ(read.rng.split("s").next(), written.rng.split("s").next());
}

TEST(Archive, RefusesBytesThatAreCutAtAnyPlaceOrTooMany) {
  Everything written;
  Archive out;
  written.exchange_state(out);
  for (size_t cut = 0; cut < out.bytes().size(); ++cut) {
    Archive in{std::string_view(out.bytes()).substr(0, cut)};
    EXPECT_THROW(written.exchange_state(in), InputError) << cut;
  }
  const std::string more = out.bytes() + "x";
  Archive in{std::string_view(more)};
  written.exchange_state(in);
  EXPECT_THROW(in.finish(), InputError);
}

TEST(Archive, MakesNoRoomForMoreThanTheBytesCouldHold) {
  uint64_t count = uint64_t{1} << 60;
  Archive out;
  out(count);
  std::vector<double> numbers;
  Archive in{std::string_view(out.bytes())};
  EXPECT_THROW(in(numbers), InputError);
}

class CheckpointFolder : public ::testing::Test {
 protected:
  CheckpointFolder() {
    std::string pattern = (fs::temp_directory_path() / "agon-checkpoint-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~CheckpointFolder() override { fs::remove_all(folder_); }

  std::string folder() const { return folder_.string(); }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

  fs::path folder_;
  const Checkpoint::Identity identity_ = {{"the table", "ab"}, {"--seed", "0"}};
  std::vector<std::string> told_;
  const Checkpoint::Tell tell_ = [this](const std::string& sentence) { told_.push_back(sentence); };
};

TEST_F(CheckpointFolder, GivesBackTheLastThatWasSavedUntilItIsRemoved) {
  {
    Checkpoint first(folder(), identity_, 0);
    EXPECT_FALSE(first.resumed());
    EXPECT_EQ(first.part("match"), nullptr);
    EXPECT_TRUE(first.due());
    for (const char* text : {"one", "two", "three"}) first.save("match", text);
    first.save("bootstrap", "four");
  }
  {
    Checkpoint second(folder(), identity_, 1000);
    EXPECT_TRUE(second.resumed());
    EXPECT_FALSE(second.due());
    ASSERT_NE(second.part("match"), nullptr);
    EXPECT_EQ(*second.part("match"), "three");
    EXPECT_EQ(*second.part("bootstrap"), "four");
    second.remove();
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_FALSE(Checkpoint(folder(), identity_, 0).resumed());
}

// Whatever happens to the newest file, truncated anywhere or a bit flipped anywhere, the one before is used.
TEST_F(CheckpointFolder, PassesOverADamagedFileAndTakesTheOneBefore) {
  {
    Checkpoint checkpoint(folder(), identity_, 0);
    checkpoint.save("match", "older");   // checkpoint-1
    checkpoint.save("match", "newest");  // checkpoint-0
  }
  const fs::path newest = folder_ / "checkpoint-0";
  const std::string whole = read(newest);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string turned = whole;
    turned[at] = static_cast<char>(turned[at] ^ 4);
    for (const std::string& damaged : {whole.substr(0, at), turned}) {
      write(newest, damaged);
      told_.clear();
      const Checkpoint checkpoint(folder(), identity_, 0, tell_);
      ASSERT_TRUE(checkpoint.resumed()) << at;
      ASSERT_EQ(*checkpoint.part("match"), "older") << at;
      ASSERT_EQ(told_, std::vector<std::string>{newest.string() + " is damaged and was skipped"});
    }
  }
  {  // and the next save replaces the damaged one, not the one that is whole
    Checkpoint checkpoint(folder(), identity_, 0);
    checkpoint.save("match", "next");
    EXPECT_NE(read(newest), whole.substr(0, whole.size() - 1));
  }
  EXPECT_EQ(*Checkpoint(folder(), identity_, 0, tell_).part("match"), "next");
  write(folder_ / "checkpoint-0", "");
  write(folder_ / "checkpoint-1", "agon");
  told_.clear();
  EXPECT_FALSE(Checkpoint(folder(), identity_, 0, tell_).resumed());
  EXPECT_EQ(told_.size(), 3u);
  EXPECT_EQ(told_.back(), "there is no intact checkpoint to resume from: the run starts from the beginning");
}

TEST_F(CheckpointFolder, RefusesAnotherRunAndSaysWhatDiffers) {
  { Checkpoint(folder(), identity_, 0).save("match", "x"); }
  const Checkpoint::Identity other = {{"the table", "cd"}, {"--seed", "0"}, {"--new", ""}};
  try {
    Checkpoint(folder(), other, 0);
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              folder() +
                  ": holds the checkpoint of another run: the table was ab and is cd; --new was not there and is "
                  "\"\"\n  hint: repeat that command, choose another folder, or remove this one to start over");
  }
  EXPECT_TRUE(Checkpoint(folder(), identity_, 0).resumed());
}

TEST_F(CheckpointFolder, IsForOneRunAtATime) {
  const Checkpoint one(folder(), identity_, 0);
  EXPECT_THROW(Checkpoint(folder(), identity_, 0), InputError);
}

TEST_F(CheckpointFolder, GoesOnWhereNothingCanBeSaved) {
  Checkpoint checkpoint(folder(), identity_, 0, tell_);
  checkpoint.save("match", "first");
  fs::create_directory(folder_ / "checkpoint-0");  // where the next one should go
  checkpoint.save("match", "second");
  checkpoint.save("match", "third");
  ASSERT_EQ(told_.size(), 1u) << "said once";
  EXPECT_NE(told_[0].find("cannot save a checkpoint; the run continues without"), std::string::npos);
  fs::remove(folder_ / "checkpoint-0");
  checkpoint.save("match", "fourth");
  EXPECT_TRUE(fs::exists(folder_ / "checkpoint-0"));
}

}  // namespace
}  // namespace agon
