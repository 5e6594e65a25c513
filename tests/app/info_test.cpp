#include "app/info.h"

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

class Info : public WinnowTest {};

TEST_F(Info, PrintsWhatIsInAScene) {
  Outcome outcome = run({"info", kCornellBox});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* key : {"cornell-box", "triangles", "materials", "bounds", "memory"})
    EXPECT_NE(outcome.out.find(key), std::string::npos) << key;
}

TEST_F(Info, PrintsWarningsOnStderr) {
  put("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nnonsense 1 2 3\n");
  Outcome outcome = run({"info", "bare.obj"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err.rfind("warning: ", 0), 0u) << outcome.err;
}

}  // namespace
}  // namespace winnow
