#include "app/devices.h"

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

class Devices : public WinnowTest {};

TEST_F(Devices, ListsTheCpuAndTheGpusOrWhyThereAreNone) {
  Outcome outcome = run({"devices"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.rfind("cpu ", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("\ncuda"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace winnow
