// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "backend/pixel_transfer.h"
#include "backend/renderer.h"
#include "base/worker_thread.h"
#include "film/tile_owners.h"
#include "ranks/ranks.h"

namespace winnow {

/// The renderers of several processes, one of each, as one renderer: all render at the same time,
/// each the pixels of its tiles (film/tile_owners.h). The film has the same bits as that of one of
/// them alone.
///
/// Each process has such an object of the same scene and settings, and calls the same functions in
/// the same order, except settings(), bvh() and device_name(). The film is on the first rank: its
/// arrays are read and written there, one after the other, and the others send their pixels. From
/// time to time, tiles move with their samples from slower to faster ranks.
///
/// A failure on one rank is thrown there and nowhere else: the process must then end the others.
class RankGroup : public Renderer {
 public:
  /// @param hosts  [rank], names of the hosts
  /// @param local  the renderer of this process, without samples
  RankGroup(Ranks& ranks, std::vector<std::string> hosts, std::unique_ptr<Renderer> local);

  /// Renders until all samples are done, or until `control.stop` is set on any rank, which ends all
  /// of them early. `control.paths_done` counts the paths of all ranks.
  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override;

  PassPaths pass_paths() const override;  ///< sum over all ranks, if they are like this one

  /// Chooses pixels. All ranks must pass the same.
  void choose_pixels(const std::vector<uint32_t>& pixels) override;
  const RenderSettings& settings() const override { return local_->settings(); }

  // `packed` is only read or written on the first rank, and may be null on the others.
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override;
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override;

  /// Announces a read: the other ranks pack and send these pixels while the first one reads others.
  void expect_read(size_t field, const FilmTiles& tiles) override;

  // These return the whole image on the first rank; the result is empty on the others.
  Image film() override;
  HostFilm host_film() override;

  /// Calls use() on the first rank, which may read and write any pixels; the others serve it.
  void at_film(const std::function<void()>& use) override;

  // These return the same on all ranks.
  std::vector<uint32_t> sample_counts() override;
  RenderStats stats() override;
  std::vector<DeviceStats> device_stats() override;

  void restart(const RenderSettings& settings) override;
  void set_camera(const CameraDescription& camera) override;
  std::vector<AliveMask> alive_masks() override { return local_->alive_masks(); }
  BvhReport bvh() const override { return local_->bvh(); }
  std::string device_name() const override { return name_; }

 private:
  /// A request of the first rank to the others within at_film().
  struct FilmRequest {
    enum Kind : uint32_t { kEnd, kRead, kWrite } kind = kEnd;
    uint32_t field = 0;
  };

  void begin();
  void choose_own_pixels();
  void follow(RenderControl& own, RenderControl& control);
  void give_arrays();
  void ask(const FilmRequest& request, const FilmTiles& tiles);
  void serve();

  /// Pixels that the first rank receives from the others.
  struct Reading {
    size_t field = 0;
    FilmTiles tiles = {};
    std::vector<PixelReceiver> from = {};  ///< [rank - 1]
  };
  Reading& start_reading(size_t field, const FilmTiles& tiles);
  void finish_readings();
  void end_reading();
  void put_together(Reading& reading, std::byte* whole);
  void give_pixels(size_t field, const FilmTiles& tiles);
  void finish_giving();
  void move_bytes();
  template <class Work>
  void do_meanwhile(Work work);
  void move_tiles(double seconds, uint32_t samples);
  void move_samples(const std::vector<TileMove>& moves);
  FilmTiles tiles_of(uint32_t rank, const FilmTiles& among) const;
  size_t bytes_per_pixel(size_t field) const;

  Ranks& ranks_;
  std::vector<std::string> hosts_;
  std::vector<std::string> devices_;  ///< [rank], names of the devices
  std::string name_;
  std::unique_ptr<Renderer> local_;
  WorkerThread thread_;  ///< calls render_samples(); always the same thread, as renderers keep
                         ///< state for each thread that calls them
  std::exception_ptr failure_;                           ///< failure on thread_
  TileOwners owners_;                                    ///< rank of each tile
  std::vector<uint32_t> chosen_;                         ///< chosen pixels of all ranks; empty: all
  bool is_idle_ = false;                                 ///< whether this rank has none of them
  bool is_served_ = false;                               ///< within at_film()
  std::deque<std::unique_ptr<Reading>> readings_;        ///< readings that have begun, in order
  std::vector<std::unique_ptr<Reading>> free_readings_;  ///< ended readings, kept for their memory
  std::vector<std::byte> own_values_;                    ///< pixels of this rank, of one array
  std::array<PixelSender, 2> senders_;                   ///< one packs while the other sends
  size_t given_count_ = 0;                               ///< number of uses of the senders so far
  double seconds_ = 0.0;                                 ///< s, time that this rank has rendered
  // Since tiles could last move, and before:
  double recent_seconds_ = 0.0;
  uint64_t recent_samples_ = 0, earlier_samples_ = 0;  ///< samples per chosen pixel
};

}  // namespace winnow
