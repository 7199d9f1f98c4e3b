#include "agon/base/item_list.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace agon {
namespace {

using Items = std::vector<std::string>;

TEST(ItemList, CommasSeparateAndQuotesKeepThem) {
  EXPECT_EQ(split_items(""), Items{});
  EXPECT_EQ(split_items("a"), Items{"a"});
  EXPECT_EQ(split_items("a,b c,,d,"), (Items{"a", "b c", "d"}));
  EXPECT_EQ(split_items("\"a,b\",c"), (Items{"a,b", "c"}));
  EXPECT_EQ(split_items("\"say \"\"x\"\"\",\"\""), (Items{"say \"x\"", ""}));
  EXPECT_EQ(split_items("\"a,b"), (Items{"\"a", "b"}));  // not closed
  EXPECT_EQ(split_items("\"a\"b,c"), (Items{"\"a\"b", "c"}));
  EXPECT_EQ(split_items("5\",6\""), (Items{"5\"", "6\""}));
}

TEST(ItemList, IsTypedAsAShellTakesIt) {
  EXPECT_EQ(typed_items("drop", {"age"}), "--drop age");
  EXPECT_EQ(typed_items("drop", {"a", "b"}), "--drop a,b");
  EXPECT_EQ(typed_items("drop", {"blood pressure"}), "--drop 'blood pressure'");
  EXPECT_EQ(typed_items("drop", {"a,b"}), "--drop '\"a,b\"'");
  EXPECT_EQ(typed_items("drop", {"-x"}), "--drop=-x");
}

// What is typed comes back; the shell's quotes are tested with shell_word.
RC_GTEST_PROP(ItemList, SplitsWhatItJoins, ()) {
  const auto items = *rc::gen::container<Items>(rc::gen::container<std::string>(rc::gen::element('a', ',', '"', ' ')));
  std::string typed = typed_items("o", items).substr(4);
  if (typed.size() >= 2 && typed.front() == '\'') typed = typed.substr(1, typed.size() - 2);
  RC_ASSERT(split_items(typed) == items);
}

}  // namespace
}  // namespace agon
