// SPDX-License-Identifier: MIT
#include "backend/device_group.h"

#include <algorithm>
#include <map>
#include <utility>

#include "backend/collect_results.h"
#include "base/nanoseconds.h"

namespace winnow {
namespace {

/// Minimum time of the slowest device before tiles move: shorter times are inexact.
constexpr double kMinSecondsToMeasure = 0.02;

FilmTiles no_tiles(const RenderSettings& settings) {
  return make_film_tiles(settings.width, settings.height, false);
}

}  // namespace

DeviceGroup::DeviceGroup(std::vector<std::unique_ptr<Renderer>> members, Report report_failure)
    : report_failure_(std::move(report_failure)), settings_(members.front()->settings()) {
  for (std::unique_ptr<Renderer>& member : members) members_.push_back({std::move(member)});
  begin();
}

void DeviceGroup::restart(const RenderSettings& settings) {
  settings_ = settings;
  on_all([&](size_t i) { members_[i].renderer->restart(settings); });
  begin();
}

void DeviceGroup::set_camera(const CameraDescription& camera) {
  on_all([&](size_t i) { members_[i].renderer->set_camera(camera); });
  begin();
}

/// Starts over, with devices that have no samples.
void DeviceGroup::begin() {
  for (Member& member : members_) member.seconds = 0.0;
  const FilmTiles all = make_film_tiles(settings_.width, settings_.height, true);
  owners_ = spread_tiles(all, speeds());
  lost_ = no_tiles(settings_);
  earlier_.reset();
  samples_.assign(size_t(settings_.width) * settings_.height, 0);
  new_samples_ = 0;
  choose_pixels({});
}

/// Returns 0 for devices that have failed and 1 for others, whose speed is not known yet.
std::vector<double> DeviceGroup::speeds() const {
  std::vector<double> speeds;
  for (const Member& member : members_) speeds.push_back(member.has_failed ? 0.0 : 1.0);
  return speeds;
}

/// Calls use(index) for all devices that have not failed, at the same time. A device for which it
/// throws has failed: its tiles are lost and get new owners.
template <class Use>
void DeviceGroup::on_all(Use use) {
  std::vector<std::exception_ptr> failures(members_.size());
  for (size_t i = 0; i < members_.size(); ++i)
    if (!members_[i].has_failed)
      members_[i].thread->start([&, i] {
        try {
          use(i);
        } catch (const std::exception&) {
          failures[i] = std::current_exception();
        }
      });
  for (Member& member : members_) member.thread->wait();
  std::exception_ptr last;
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!failures[i]) continue;
    last = failures[i];
    members_[i].has_failed = true;
  }
  if (!last) return;
  if (std::ranges::all_of(members_, &Member::has_failed)) std::rethrow_exception(last);
  for (size_t i = 0; i < members_.size(); ++i)
    if (failures[i]) report(i, failures[i]);
  add_lost(pass_on_tiles(owners_, speeds()));
}

void DeviceGroup::report(size_t index, const std::exception_ptr& failure) const try {
  std::rethrow_exception(failure);
} catch (const std::exception& error) {
  report_failure_("device " + std::to_string(index + 1) + " of " + std::to_string(members_.size()) +
                  ", " + members_[index].renderer->device_name() + ", has failed: " + error.what() +
                  "; the others render its part of the image again");
}

void DeviceGroup::add_lost(const FilmTiles& tiles) {
  for (size_t tile = 0; tile < tiles.present.size(); ++tile)
    lost_.present[tile] |= tiles.present[tile];
}

bool DeviceGroup::has_lost_tiles() const {
  return lost_.tile_count() > 0;
}

/// Calls use(index) as on_all() does, for work that can be repeated: restores lost tiles and
/// repeats the calls until no device fails.
template <class Use>
void DeviceGroup::on_all_safely(Use use) {
  for (on_all(use); has_lost_tiles(); on_all(use)) restore_lost_tiles();
}

void DeviceGroup::choose_pixels(const std::vector<uint32_t>& pixels) {
  note_samples();
  chosen_ = pixels;
  hand_out(chosen_);
  restore_lost_tiles();
  recent_samples_ = earlier_samples_ = 0;
  for (Member& member : members_) member.recent_seconds = 0.0;
}

/// Restricts each device to those of `pixels` in its own tiles; empty: to all pixels of its tiles.
void DeviceGroup::hand_out(const std::vector<uint32_t>& pixels) {
  on_all([&](size_t i) {
    const FilmTiles own = owners_.tiles_of(uint32_t(i));
    std::vector<uint32_t> list;
    if (pixels.empty())
      list = pixels_in_blocks(own);
    else
      std::ranges::copy_if(pixels, std::back_inserter(list),
                           [&](uint32_t pixel) { return own.holds(pixel); });
    members_[i].is_idle = list.empty();
    if (!list.empty()) members_[i].renderer->choose_pixels(list);
  });
}

void DeviceGroup::render_samples(uint32_t first, uint32_t count, RenderControl& control) {
  run(first, count, control);
  const bool is_complete = !control.stop;
  if (is_complete) {
    new_samples_ += count;
    recent_samples_ += count;
  }
  restore_lost_tiles();
  if (is_complete) return move_tiles();
  note_samples();
  samples_ = sample_counts();
}

PassPaths DeviceGroup::pass_paths() const {
  PassPaths all{.least = 0, .most = 0};
  for (const Member& member : members_) {
    const PassPaths own = member.renderer->pass_paths();
    all.least += own.least;
    all.most += own.most;
  }
  return all;
}

void DeviceGroup::run(uint32_t first, uint32_t count, RenderControl& control) {
  on_all([&](size_t i) {
    Member& member = members_[i];
    if (member.is_idle) return;
    const double start = steady_seconds();
    member.renderer->render_samples(first, count, control);
    const double seconds = steady_seconds() - start;
    member.seconds += seconds;
    member.recent_seconds += seconds;
  });
}

/// Adds the new samples of the chosen pixels to `samples_`. Too slow to do after each pass.
void DeviceGroup::note_samples() {
  if (const uint32_t count = std::exchange(new_samples_, 0); chosen_.empty())
    for (uint32_t& samples : samples_) samples += count;
  else
    for (const uint32_t pixel : chosen_) samples_[pixel] += count;
}

/// Renders the lost tiles again on their new owners, up to the samples that they had. Cannot be
/// stopped: the image is incomplete until it is done.
void DeviceGroup::restore_lost_tiles() {
  if (!has_lost_tiles()) return;
  note_samples();
  while (has_lost_tiles()) {
    const FilmTiles tiles = std::exchange(lost_, no_tiles(settings_));
    reset(tiles);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> by_samples;
    for (const uint32_t pixel : pixels_in_blocks(tiles)) {
      const uint32_t first = earlier_ ? earlier_->samples[pixel] : 0;
      if (samples_[pixel] > first) by_samples[{first, samples_[pixel]}].push_back(pixel);
    }
    RenderControl control;
    for (const auto& [samples, pixels] : by_samples) {
      hand_out(pixels);
      run(samples.first, samples.second - samples.first, control);
    }
    // If another device has failed since, some of these tiles may have been on it.
    if (has_lost_tiles()) add_lost(tiles);
    hand_out(chosen_);
  }
}

/// Gives these tiles the earlier film, or clears them: their new owners may have rendered them.
void DeviceGroup::reset(const FilmTiles& tiles) {
  const Film earlier = earlier_ ? view_of(*earlier_) : Film{};
  const std::vector<FilmField> fields = fields_of(settings_.film_features(), earlier);
  on_all([&](size_t i) {
    const FilmTiles own = both_of(tiles, owners_.tiles_of(uint32_t(i)));
    for (size_t field = 0; field < fields.size(); ++field) {
      const size_t bytes = fields[field].bytes_per_pixel;
      std::vector<std::byte> pixels(own.pixel_count() * bytes);  // black
      if (earlier_) pack_pixels(fields[field].data, own, bytes, pixels.data());
      members_[i].renderer->write_pixels(field, own, pixels.data());
    }
  });
}

void DeviceGroup::continue_from(HostFilm film) {
  earlier_ = std::move(film);
  Renderer::continue_from(*earlier_);
}

/// Moves tiles from slower to faster devices once as many samples have been rendered since the last
/// time as before it, so that moves become rare and are based on longer times.
void DeviceGroup::move_tiles() {
  std::vector<double> seconds;
  for (const Member& member : members_)
    seconds.push_back(member.has_failed || member.is_idle ? 0.0 : member.recent_seconds);
  const double longest = *std::ranges::max_element(seconds);
  if (recent_samples_ < earlier_samples_ || longest < kMinSecondsToMeasure) return;
  earlier_samples_ += std::exchange(recent_samples_, 0);
  for (Member& member : members_) member.recent_seconds = 0.0;

  FilmTiles active = make_film_tiles(settings_.width, settings_.height, chosen_.empty());
  for (const uint32_t pixel : chosen_) active.present[active.tile_of(pixel)] = 1;
  const std::vector<TileMove> moves = rebalance(owners_, active, seconds);
  if (moves.empty()) return;
  move_samples(moves);
  hand_out(chosen_);
  restore_lost_tiles();
}

void DeviceGroup::move_samples(const std::vector<TileMove>& moves) {
  const std::vector<FilmField> fields = fields_of(settings_.film_features(), {});
  for (size_t field = 0; field < fields.size(); ++field) {
    std::vector<std::vector<std::byte>> pixels(moves.size());
    on_all([&](size_t i) {
      for (size_t m = 0; m < moves.size(); ++m) {
        if (moves[m].from != i) continue;
        pixels[m].resize(moves[m].tiles.pixel_count() * fields[field].bytes_per_pixel);
        members_[i].renderer->read_pixels(field, moves[m].tiles, pixels[m].data());
      }
    });
    if (!has_lost_tiles())
      on_all([&](size_t i) {
        for (size_t m = 0; m < moves.size(); ++m)
          if (moves[m].to == i)
            members_[i].renderer->write_pixels(field, moves[m].tiles, pixels[m].data());
      });
    if (!has_lost_tiles()) continue;
    // A device has failed: the tiles to be moved are incomplete.
    for (const TileMove& move : moves) add_lost(move.tiles);
    return;
  }
}

void DeviceGroup::read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) {
  const size_t bytes = fields_of(settings_.film_features(), {})[field].bytes_per_pixel;
  const TileRows rows = rows_of(tiles);
  const size_t first = tiles.first_pixel(rows);
  std::vector<std::byte> image(tiles.all_pixels(rows) * bytes);
  on_all_safely([&](size_t i) {
    const FilmTiles own = both_of(tiles, owners_.tiles_of(uint32_t(i)));
    std::vector<std::byte> pixels(own.pixel_count() * bytes);
    members_[i].renderer->read_pixels(field, own, pixels.data());
    place_pixels(pixels.data(), own, bytes, image.data(), first);
  });
  pack_pixels(image.data(), tiles, bytes, packed, first);
}

void DeviceGroup::write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) {
  note_samples();
  const size_t bytes = fields_of(settings_.film_features(), {})[field].bytes_per_pixel;
  if (field == kSamplesField)
    place_pixels(packed, tiles, bytes, reinterpret_cast<std::byte*>(samples_.data()));
  const TileRows rows = rows_of(tiles);
  const size_t first = tiles.first_pixel(rows);
  std::vector<std::byte> image(tiles.all_pixels(rows) * bytes);
  place_pixels(packed, tiles, bytes, image.data(), first);
  on_all([&](size_t i) {
    const FilmTiles own = both_of(tiles, owners_.tiles_of(uint32_t(i)));
    std::vector<std::byte> pixels(own.pixel_count() * bytes);
    pack_pixels(image.data(), own, bytes, pixels.data(), first);
    members_[i].renderer->write_pixels(field, own, pixels.data());
  });
}

RenderStats DeviceGroup::stats() {
  std::vector<RenderStats> of_each(members_.size());
  on_all_safely([&](size_t i) { of_each[i] = members_[i].renderer->stats(); });
  RenderStats sum;
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].has_failed) continue;
    if (sum.bounces.empty()) sum.recorded = of_each[i].recorded;
    add_stats(sum, of_each[i]);
  }
  return sum;
}

std::vector<DeviceStats> DeviceGroup::device_stats() {
  std::vector<DeviceStats> of_each(members_.size());
  on_all_safely([&](size_t i) { of_each[i].paths = members_[i].renderer->stats().paths; });
  for (size_t i = 0; i < members_.size(); ++i) {
    of_each[i].name = members_[i].renderer->device_name();
    of_each[i].seconds = members_[i].seconds;
    of_each[i].has_failed = members_[i].has_failed;
    if (members_[i].has_failed) of_each[i].paths = 0;
  }
  return of_each;
}

std::vector<AliveMask> DeviceGroup::alive_masks() {
  return members_.front().renderer->alive_masks();
}

BvhReport DeviceGroup::bvh() const {
  return members_.front().renderer->bvh();
}

std::string DeviceGroup::device_name() const {
  const std::string first = members_.front().renderer->device_name();
  std::string names;
  bool all_alike = true;
  for (const Member& member : members_) {
    const std::string name = member.renderer->device_name();
    all_alike &= name == first;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (members_.size() == 1) return first;
  return all_alike ? std::to_string(members_.size()) + " x " + first : names;
}

}  // namespace winnow
