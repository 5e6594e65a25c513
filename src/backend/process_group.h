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
#include "processes/processes.h"

namespace winnow {

/// The renderers of several processes, one per process, as one renderer. All render at the same
/// time, each the pixels of its tiles (film/tile_owners.h). The film has the bits of one that a
/// single process renders.
///
/// Each process has such an object of the same scene and settings and calls the same functions in
/// the same order, except settings(), bvh() and device_name(). The first process reads and writes
/// the film, one array at a time; the others send theirs to it. From time to time tiles move, with
/// their samples, from slow processes to fast ones.
///
/// A failure in one process is thrown only there; that process must then end the others.
class ProcessGroup : public Renderer {
 public:
  /// @param hosts  [process], names of the hosts
  /// @param local  renderer of this process, without samples
  ProcessGroup(Processes& processes, std::vector<std::string> hosts,
               std::unique_ptr<Renderer> local);

  /// Ends early in all processes once `control.stop` is set in one of them. `control.paths_done`
  /// counts the paths of all.
  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override;
  PassPaths pass_paths() const override;  ///< sum over all processes, if all are like this one

  /// @param pixels  the same in all processes
  void choose_pixels(const std::vector<uint32_t>& pixels) override;
  const RenderSettings& settings() const override { return local_->settings(); }

  // `packed` is read or written only in the first process, and may be null in the others.
  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override;
  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override;

  /// Makes the other processes pack and send these pixels while the first one reads others.
  void expect_read(size_t field, const FilmTiles& tiles) override;

  // These return the whole image in the first process, and nothing in the others.
  Image film() override;
  HostFilm host_film() override;

  /// Calls use() in the first process, which may read and write any pixels; the others serve it.
  void at_film(const std::function<void()>& use) override;

  // These return the same in all processes.
  std::vector<uint32_t> sample_counts() override;
  RenderStats stats() override;
  std::vector<DeviceStats> device_stats() override;

  void restart(const RenderSettings& settings) override;
  void set_camera(const CameraDescription& camera) override;
  std::vector<AliveMask> alive_masks() override { return local_->alive_masks(); }
  BvhReport bvh() const override { return local_->bvh(); }
  std::string device_name() const override { return name_; }

 private:
  /// Request of the first process to the others within at_film().
  struct FilmRequest {
    enum Kind : uint32_t { kEnd, kRead, kWrite } kind = kEnd;
    uint32_t field = 0;
  };

  void begin();
  void choose_own_pixels();
  void follow(RenderControl& own, RenderControl& control);
  void ask(const FilmRequest& request, const FilmTiles& tiles);
  void serve();

  /// Pixels that the first process receives from the others.
  struct Reading {
    size_t field = 0;
    FilmTiles tiles = {};
    std::vector<PixelReceiver> from = {};  ///< [process - 1]
  };
  void start_reading(size_t field, const FilmTiles& tiles);
  void finish_readings();
  void end_reading();
  void put_together(Reading& reading, std::byte* whole);
  void give_pixels(size_t field, const FilmTiles& tiles);
  void finish_giving();
  template <class Work>
  void start_work(Work work);
  template <class Work>
  void do_meanwhile(Work work);
  void move_tiles(double seconds, uint32_t samples);
  void move_samples(const std::vector<TileMove>& moves);
  FilmTiles tiles_of(uint32_t process, const FilmTiles& among) const;
  size_t bytes_per_pixel(size_t field) const;

  Processes& processes_;
  std::vector<std::string> hosts_;
  std::vector<std::string> devices_;  ///< [process], names of the devices
  std::string name_;
  std::unique_ptr<Renderer> local_;
  WorkerThread thread_;  ///< calls render_samples(); always the same one, as renderers keep state
                         ///< per calling thread
  std::exception_ptr failure_;                     ///< exception of `thread_`
  TileOwners owners_;                              ///< process that owns each tile
  std::vector<uint32_t> chosen_;                   ///< chosen pixels of all processes; empty: all
  bool is_idle_ = false;                           ///< whether it has none of the chosen pixels
  bool is_served_ = false;                         ///< within at_film()
  std::deque<std::unique_ptr<Reading>> readings_;  ///< started readings, in order
  std::vector<std::unique_ptr<Reading>> free_readings_;  ///< ended readings, kept for their memory
  std::vector<std::byte> own_values_;                    ///< pixels of this process from one array
  std::array<PixelSender, 2> senders_;                   ///< one packs while the other sends
  size_t given_count_ = 0;                               ///< number of times that a sender was used
  double seconds_ = 0.0;                                 ///< rendering time of this process
  // Time and samples since tiles could last move (recent), and samples before that (earlier).
  double recent_seconds_ = 0.0;
  uint64_t recent_samples_ = 0, earlier_samples_ = 0;  ///< samples per chosen pixel
};

}  // namespace winnow
