// SPDX-License-Identifier: MIT
#include "app/cli/choose_device.h"

#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace winnow {
namespace {

using Kind = DeviceRequest::Kind;

CudaDevices gpus(int count) {
  CudaDevices available;
  for (int index = 0; index < count; ++index)
    available.devices.push_back({.index = index, .name = "GPU"});
  if (count == 0) available.why_none = "no CUDA driver is installed";
  return available;
}

std::string refusal_of(const DeviceRequest& request, const CudaDevices& available) {
  return message_of([&] { choose_device(request, available); });
}

TEST(ChooseDevice, AutoTakesTheFirstGpuOrElseTheCpu) {
  EXPECT_TRUE(choose_device({Kind::kAuto, {}}, gpus(2)).cuda);
  EXPECT_EQ(choose_device({Kind::kAuto, {}}, gpus(2)).indices, std::vector<int>{0});
  ChosenDevice none = choose_device({Kind::kAuto, {}}, gpus(0));
  EXPECT_FALSE(none.cuda);
  EXPECT_EQ(none.why_not_cuda, "no CUDA driver is installed");
}

TEST(ChooseDevice, CpuStaysTheCpu) {
  ChosenDevice device = choose_device({Kind::kCpu, {}}, gpus(2));
  EXPECT_FALSE(device.cuda);
  EXPECT_EQ(device.why_not_cuda, "");
}

TEST(ChooseDevice, TakesTheNumberedGpu) {
  ChosenDevice device = choose_device({Kind::kCuda, {1}}, gpus(2));
  EXPECT_TRUE(device.cuda);
  EXPECT_EQ(device.indices, std::vector<int>{1});
}

TEST(ChooseDevice, TakesSeveralGpusInTheOrderGiven) {
  EXPECT_EQ(choose_device({Kind::kCuda, {2, 0}}, gpus(3)).indices, (std::vector<int>{2, 0}));
  EXPECT_EQ(choose_device({Kind::kAllCuda}, gpus(3)).indices, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(choose_device({Kind::kAllCuda}, gpus(1)).indices, std::vector<int>{0});
  EXPECT_EQ(refusal_of({Kind::kAllCuda}, gpus(0)), refusal_of({Kind::kCuda}, gpus(0)));
  EXPECT_EQ(refusal_of({Kind::kCuda, {1, 5}}, gpus(2)),
            "there is no GPU 5: there are 2; winnow devices lists them");
}

TEST(ChooseDevice, SaysWhyThereIsNoGpuAndWhatToDo) {
  EXPECT_EQ(refusal_of({Kind::kCuda, {}}, gpus(0)),
            "no GPU can be used: no CUDA driver is installed; --device cpu renders without one");
  EXPECT_EQ(refusal_of({Kind::kCuda, {3}}, gpus(0)), refusal_of({Kind::kCuda, {}}, gpus(0)));
}

TEST(ChooseDevice, SaysHowManyGpusThereAre) {
  EXPECT_EQ(refusal_of({Kind::kCuda, {2}}, gpus(2)),
            "there is no GPU 2: there are 2; winnow devices lists them");
  EXPECT_EQ(refusal_of({Kind::kCuda, {1}}, gpus(1)),
            "there is no GPU 1: the only one is 0; winnow devices lists them");
  CudaDevices without_second = gpus(3);
  without_second.devices.erase(without_second.devices.begin() + 1);
  EXPECT_NE(refusal_of({Kind::kCuda, {1}}, without_second), "");
}

TEST(FirstGpus, AreThoseThatCudaWouldSeeFirst) {
  EXPECT_EQ(first_gpus(nullptr, 1), "0");
  EXPECT_EQ(first_gpus(nullptr, 3), "0,1,2");
  EXPECT_EQ(first_gpus("2,0,1", 1), "2");
  EXPECT_EQ(first_gpus("2,0,1", 2), "2,0");
  EXPECT_EQ(first_gpus("GPU-8932f937,1", 5), "GPU-8932f937,1");  // there may be fewer
  EXPECT_EQ(first_gpus("", 1), "");                              // it sees none
  EXPECT_EQ(first_gpus("3", 2), "3");
}

}  // namespace
}  // namespace winnow
