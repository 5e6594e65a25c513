// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/renderer.h"
#include "base/worker_thread.h"
#include "film/tile_owners.h"

namespace winnow {

/// Several renderers of one scene, each on its own device, as one renderer: all render at the same
/// time, each the pixels of its tiles (film/tile_owners.h). The film has the same bits as that of
/// one of them alone.
///
/// From time to time, tiles move with their samples from slower to faster devices. A device that
/// fails is reported and not used again; the others render its tiles again, from the first sample
/// or from the film of continue_from() on.
class DeviceGroup : public Renderer {
 public:
  /// Receives a sentence that names the device that has failed and the reason.
  using Report = std::function<void(const std::string&)>;

  /// @param members  at least one; of the same scene and settings, without samples
  DeviceGroup(std::vector<std::unique_ptr<Renderer>> members, Report report_failure);

  // These functions throw the failure of the last device if all have failed.
  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override;
  PassPaths pass_paths() const override;  ///< sum over all devices
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override;
  RenderStats stats() override;

  void choose_pixels(const std::vector<uint32_t>& pixels) override;
  const RenderSettings& settings() const override { return settings_; }
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override;
  void continue_from(HostFilm film) override;
  void restart(const RenderSettings& settings) override;
  void set_camera(const CameraDescription& camera) override;
  std::vector<DeviceStats> device_stats() override;
  std::vector<AliveMask> alive_masks() override;  ///< masks of the first device
  BvhReport bvh() const override;
  std::string device_name() const override;  ///< "2 x NVIDIA H200"

 private:
  struct Member {
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<WorkerThread> thread = std::make_unique<WorkerThread>();
    bool has_failed = false;
    bool is_idle = false;         ///< whether none of its pixels are chosen
    double seconds = 0.0;         ///< s, time spent rendering
    double recent_seconds = 0.0;  ///< s, the part of it since tiles could last move
  };

  void begin();
  std::vector<double> speeds() const;
  template <class Use>
  void on_all(Use use);
  template <class Use>
  void on_all_safely(Use use);
  void report(size_t index, const std::exception_ptr& failure) const;
  void add_lost(const FilmTiles& tiles);
  bool has_lost_tiles() const;
  void hand_out(const std::vector<uint32_t>& pixels);
  void run(uint32_t first, uint32_t count, RenderControl& control);
  void note_samples();
  void restore_lost_tiles();
  void reset(const FilmTiles& tiles);
  void move_tiles();
  void move_samples(const std::vector<TileMove>& moves);

  std::vector<Member> members_;
  Report report_failure_;
  RenderSettings settings_;
  TileOwners owners_;
  std::optional<HostFilm> earlier_;  ///< of continue_from(): its samples may be of other scenes
  FilmTiles lost_;                   ///< tiles whose samples were on a device that has failed
  std::vector<uint32_t> chosen_;     ///< chosen pixels; empty: all
  std::vector<uint32_t> samples_;    ///< [pixel], samples on the film, without `new_samples_`
  uint32_t new_samples_ = 0;         ///< samples per chosen pixel not yet included in `samples_`
  uint64_t recent_samples_ = 0;      ///< samples per chosen pixel since tiles could last move
  uint64_t earlier_samples_ = 0;     ///< samples per chosen pixel before that
};

}  // namespace winnow
