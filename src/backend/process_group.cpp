// SPDX-License-Identifier: MIT
#include "backend/process_group.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "base/nanoseconds.h"

namespace winnow {

namespace {

/// Interval at which rendering processes exchange their progress.
constexpr std::chrono::milliseconds kPulse(20);
/// Interval at which a rendering process checks whether the others have answered.
constexpr std::chrono::milliseconds kGlance(1);
/// Interval at which a process that packs or places pixels checks whether bytes can be moved.
constexpr std::chrono::microseconds kNapBetweenBytes(100);
/// Rendering time of the slowest process after which tiles may move: shorter times are not exact.
constexpr double kMinMeasuredSeconds = 0.05;

constexpr double kNanosecondsPerSecond = 1e9, kNanosecondsPerMillisecond = 1e6;

/// Returns the name of the group: "8 processes on 2 hosts, each NVIDIA H200".
std::string group_name(const std::vector<std::string>& hosts,
                       const std::vector<std::string>& devices) {
  std::vector<std::string> different_hosts = hosts, different = devices;
  for (std::vector<std::string>* list : {&different_hosts, &different}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  std::string name = std::to_string(devices.size()) + " processes on " +
                     std::to_string(different_hosts.size()) +
                     (different_hosts.size() == 1 ? " host" : " hosts");
  if (different.size() == 1) return name + ", each " + different.front();
  for (const std::string& device : different)
    name += (device == different.front() ? ": " : "; ") + device;
  return name;
}

/// Visits the numbers of `stats` that are summed over processes as integers; times are in ns.
template <class Visit>
void for_each_number(RenderStats& stats, Visit visit) {
  auto visit_time = [&](double& time, double nanoseconds) {
    auto number = uint64_t(time * nanoseconds);
    visit(number);
    time = double(number) / nanoseconds;
  };
  visit(stats.paths);
  visit(stats.waves);
  visit_time(stats.host_seconds, kNanosecondsPerSecond);
  for (BounceStats& bounce : stats.bounces) {
    for (const auto& [name, count] : kBounceCounts) visit(bounce.*count);
    for (uint64_t& terminations : bounce.terminations) visit(terminations);
    for (double& time : bounce.milliseconds) visit_time(time, kNanosecondsPerMillisecond);
  }
}

}  // namespace

ProcessGroup::ProcessGroup(Processes& processes, std::vector<std::string> hosts,
                           std::unique_ptr<Renderer> local)
    : processes_(processes),
      hosts_(std::move(hosts)),
      devices_(texts_of_all(processes, local->device_name())),
      name_(group_name(hosts_, devices_)),
      local_(std::move(local)) {
  begin();
}

void ProcessGroup::restart(const RenderSettings& settings) {
  local_->restart(settings);
  begin();
}

void ProcessGroup::set_camera(const CameraDescription& camera) {
  local_->set_camera(camera);
  begin();
}

void ProcessGroup::begin() {
  seconds_ = 0.0;
  const FilmTiles all = make_film_tiles(settings().width, settings().height, true);
  owners_ = spread_tiles(all, std::vector<double>(processes_.count(), 1.0));
  choose_pixels({});
}

void ProcessGroup::choose_pixels(const std::vector<uint32_t>& pixels) {
  chosen_ = pixels;
  choose_own_pixels();
  recent_seconds_ = 0.0;
  recent_samples_ = earlier_samples_ = 0;
}

void ProcessGroup::choose_own_pixels() {
  const FilmTiles own = owners_.tiles_of(processes_.index());
  std::vector<uint32_t> pixels;
  if (chosen_.empty())
    pixels = pixels_in_blocks(own);
  else
    std::ranges::copy_if(chosen_, std::back_inserter(pixels),
                         [&](uint32_t pixel) { return own.holds(pixel); });
  is_idle_ = pixels.empty();
  if (!is_idle_) local_->choose_pixels(pixels);
}

/// Starts `work` in `thread_`, and keeps an exception that it throws.
template <class Work>
void ProcessGroup::start_work(Work work) {
  thread_.start([this, work] {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  });
}

void ProcessGroup::render_samples(uint32_t first, uint32_t count, RenderControl& control) {
  RenderControl own;
  double seconds = 0.0;
  start_work([&] {
    const double start = steady_seconds();
    if (!is_idle_) local_->render_samples(first, count, own);
    seconds = steady_seconds() - start;
  });
  follow(own, control);
  seconds_ += seconds;
  if (!own.stop) move_tiles(seconds, count);  // the same pulse sets `stop` in all processes
}

PassPaths ProcessGroup::pass_paths() const {
  const PassPaths own = local_->pass_paths();
  return {own.least * processes_.count(), own.most * processes_.count()};
}

/// Exchanges pulses with the other processes until all have finished rendering. A pulse says
/// whether to stop and how many paths are finished. Only this thread uses MPI.
void ProcessGroup::follow(RenderControl& own, RenderControl& control) {
  enum { kRendering, kStop, kPaths, kNumbers };
  const uint64_t before = control.paths_done;
  std::vector<uint64_t> pulse(kNumbers);
  do {
    const bool is_done = thread_.wait_for(kPulse);
    if (is_done && failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    pulse = {is_done ? 0u : 1u, control.stop ? 1u : 0u, own.paths_done};
    processes_.start_sum(pulse);
    if (is_done)
      nap_until([&] { return processes_.sum_is_complete(); });
    else
      while (!processes_.sum_is_complete()) thread_.wait_for(kGlance);
    if (pulse[kStop] > 0) own.stop = true;
    control.paths_done = before + pulse[kPaths];
  } while (pulse[kRendering] > 0);
}

/// Moves tiles to faster processes once the number of samples has doubled since the last move, so
/// that moves become rare and are based on longer times.
void ProcessGroup::move_tiles(double seconds, uint32_t samples) {
  recent_seconds_ += seconds;
  recent_samples_ += samples;
  if (recent_samples_ < earlier_samples_) return;
  std::vector<uint64_t> nanoseconds(processes_.count());
  nanoseconds[processes_.index()] = uint64_t(recent_seconds_ * kNanosecondsPerSecond);
  sum(processes_, nanoseconds);
  std::vector<double> times;
  for (const uint64_t time : nanoseconds) times.push_back(double(time) / kNanosecondsPerSecond);
  if (*std::ranges::max_element(times) < kMinMeasuredSeconds) return;
  earlier_samples_ += std::exchange(recent_samples_, 0);
  recent_seconds_ = 0.0;

  FilmTiles active = make_film_tiles(settings().width, settings().height, chosen_.empty());
  for (const uint32_t pixel : chosen_) active.present[active.tile_of(pixel)] = 1;
  const std::vector<TileMove> moves = rebalance(owners_, active, times);
  if (moves.empty()) return;
  move_samples(moves);
  choose_own_pixels();
}

/// Sends the samples of tiles to their new owners. There is no deadlock: all processes make the
/// moves in the same order, so the two of the first unfinished move never wait for others.
void ProcessGroup::move_samples(const std::vector<TileMove>& moves) {
  const size_t fields = fields_of(settings().film_features(), {}).size();
  for (size_t field = 0; field < fields; ++field)
    for (const TileMove& move : moves) {
      if (move.from != processes_.index() && move.to != processes_.index()) continue;
      std::vector<std::byte> pixels(move.tiles.pixel_count() * bytes_per_pixel(field));
      if (move.from == processes_.index()) {
        local_->read_pixels(field, move.tiles, pixels.data());
        processes_.send(pixels, move.to);
      } else {
        processes_.receive(pixels, move.from);
        local_->write_pixels(field, move.tiles, pixels.data());
      }
    }
}

FilmTiles ProcessGroup::tiles_of(uint32_t process, const FilmTiles& among) const {
  return both_of(among, owners_.tiles_of(process));
}

size_t ProcessGroup::bytes_per_pixel(size_t field) const {
  return fields_of(settings().film_features(), {})[field].bytes_per_pixel;
}

/// Runs `work` in `thread_` while this thread moves bytes.
template <class Work>
void ProcessGroup::do_meanwhile(Work work) {
  start_work(work);
  do {
    for (const std::unique_ptr<Reading>& reading : readings_)
      for (PixelReceiver& receiver : reading->from) receiver.is_complete();
    for (PixelSender& sender : senders_) sender.is_complete();
  } while (!thread_.wait_for(kNapBetweenBytes));
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ProcessGroup::expect_read(size_t field, const FilmTiles& tiles) {
  if (is_served_) start_reading(field, tiles);
}

/// Requests pixels from the other processes. Only the first process calls this.
void ProcessGroup::start_reading(size_t field, const FilmTiles& tiles) {
  if (is_served_) ask({FilmRequest::kRead, uint32_t(field)}, tiles);
  if (free_readings_.empty()) free_readings_.push_back(std::make_unique<Reading>());
  readings_.push_back(std::move(free_readings_.back()));
  free_readings_.pop_back();
  Reading& reading = *readings_.back();
  reading.field = field;
  reading.tiles = tiles;
  reading.from.resize(processes_.count() - 1);
  for (uint32_t process = 1; process < processes_.count(); ++process)
    reading.from[process - 1].start(processes_, process, tiles_of(process, tiles),
                                    bytes_per_pixel(field));
}

/// Receives pixels that were expected but are not read.
void ProcessGroup::finish_readings() {
  while (!readings_.empty()) {
    for (PixelReceiver& receiver : readings_.front()->from)
      nap_until([&] { return receiver.is_complete(); }, kRestlessForBytes);
    end_reading();
  }
}

void ProcessGroup::read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) {
  if (!processes_.is_first()) {
    give_pixels(field, tiles);
    return finish_giving();
  }
  const bool is_expected =
      !readings_.empty() && readings_.front()->field == field && readings_.front()->tiles == tiles;
  if (!is_expected) {
    finish_readings();
    start_reading(field, tiles);
  }
  Reading& reading = *readings_.front();
  const TileRows rows = rows_of(tiles);
  const size_t bytes = tiles.all_pixels(rows) * bytes_per_pixel(field);
  if (tiles.pixel_count() * bytes_per_pixel(field) == bytes) {
    put_together(reading, packed);
  } else {
    std::vector<std::byte> image(bytes);
    put_together(reading, image.data());
    pack_pixels(image.data(), tiles, bytes_per_pixel(field), packed, tiles.first_pixel(rows));
  }
  end_reading();
}

/// Keeps the memory of the first reading for the next one, within at_film().
void ProcessGroup::end_reading() {
  if (is_served_) free_readings_.push_back(std::move(readings_.front()));
  readings_.pop_front();
}

/// Copies the pixels of all processes to their places in some rows of the image.
void ProcessGroup::put_together(Reading& reading, std::byte* whole) {
  const size_t first = reading.tiles.first_pixel(rows_of(reading.tiles));
  const FilmTiles own = tiles_of(processes_.index(), reading.tiles);
  const size_t bytes = bytes_per_pixel(reading.field);
  do_meanwhile([&] {
    own_values_.resize(own.pixel_count() * bytes);
    local_->read_pixels(reading.field, own, own_values_.data());
    place_at_once(own, bytes, own_values_.data(), whole, first);
  });
  for (PixelReceiver& receiver : reading.from) {
    nap_until([&] { return receiver.is_complete(); }, kRestlessForBytes);
    do_meanwhile([&] { receiver.place(whole, first); });
  }
}

/// Starts to send the pixels of this process to the first one.
void ProcessGroup::give_pixels(size_t field, const FilmTiles& tiles) {
  PixelSender& sender = senders_[given_count_++ % senders_.size()];
  nap_until([&] { return sender.is_complete(); }, kRestlessForBytes);
  do_meanwhile([&] {
    const FilmTiles own = tiles_of(processes_.index(), tiles);
    own_values_.resize(own.pixel_count() * bytes_per_pixel(field));
    local_->read_pixels(field, own, own_values_.data());
    sender.pack(own, bytes_per_pixel(field), own_values_.data());
  });
  sender.send(processes_, 0);
}

void ProcessGroup::finish_giving() {
  for (PixelSender& sender : senders_)
    nap_until([&] { return sender.is_complete(); }, kRestlessForBytes);
  senders_ = {};
}

void ProcessGroup::write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) {
  if (is_served_) {
    finish_readings();
    ask({FilmRequest::kWrite, uint32_t(field)}, tiles);
  }
  const size_t bytes = bytes_per_pixel(field);
  const FilmTiles own = tiles_of(processes_.index(), tiles);
  std::vector<std::byte> pixels(own.pixel_count() * bytes);
  if (!processes_.is_first()) {
    processes_.receive(pixels, 0);
    return local_->write_pixels(field, own, pixels.data());
  }
  const TileRows rows = rows_of(tiles);
  const size_t first = tiles.first_pixel(rows);
  std::vector<std::byte> image(tiles.all_pixels(rows) * bytes);
  place_pixels(packed, tiles, bytes, image.data(), first);
  pack_pixels(image.data(), own, bytes, pixels.data(), first);
  local_->write_pixels(field, own, pixels.data());
  for (uint32_t process = 1; process < processes_.count(); ++process) {
    const FilmTiles theirs = tiles_of(process, tiles);
    pixels.resize(theirs.pixel_count() * bytes);
    pack_pixels(image.data(), theirs, bytes, pixels.data(), first);
    processes_.send(pixels, process);
  }
}

void ProcessGroup::at_film(const std::function<void()>& use) {
  if (!processes_.is_first()) return serve();
  is_served_ = true;
  std::exception_ptr failure;
  try {
    use();
  } catch (...) {
    failure = std::current_exception();
  }
  finish_readings();
  free_readings_.clear();
  is_served_ = false;
  value_of_first(processes_, FilmRequest{FilmRequest::kEnd});
  if (failure) std::rethrow_exception(failure);
}

void ProcessGroup::ask(const FilmRequest& request, const FilmTiles& tiles) {
  value_of_first(processes_, request);
  std::vector<uint8_t> present = tiles.present;
  processes_.broadcast(std::as_writable_bytes(std::span(present)));
}

void ProcessGroup::serve() {
  for (;;) {
    const auto request = value_of_first(processes_, FilmRequest());
    if (request.kind == FilmRequest::kEnd) return finish_giving();
    FilmTiles tiles = make_film_tiles(owners_.width, owners_.height, false);
    processes_.broadcast(std::as_writable_bytes(std::span(tiles.present)));
    if (request.kind == FilmRequest::kRead) {
      give_pixels(request.field, tiles);
    } else {
      finish_giving();
      write_pixels(request.field, tiles, nullptr);
    }
  }
}

Image ProcessGroup::film() {
  Image image;
  at_film([&] { image = mean_radiance(RendererFilm(*this)); });
  return image;
}

HostFilm ProcessGroup::host_film() {
  if (processes_.is_first()) return Renderer::host_film();
  const FilmTiles all = make_film_tiles(settings().width, settings().height, true);
  for (size_t field = 0; field < fields_of(settings().film_features(), {}).size(); ++field)
    read_pixels(field, all, nullptr);  // sends the array to the first process
  return {};
}

std::vector<uint32_t> ProcessGroup::sample_counts() {
  std::vector<uint32_t> counts = Renderer::sample_counts();
  processes_.broadcast(std::as_writable_bytes(std::span(counts)));
  return counts;
}

RenderStats ProcessGroup::stats() {
  RenderStats stats = local_->stats();
  stats.bounces.resize(settings().max_bounces + 1);
  std::vector<uint64_t> numbers;
  for_each_number(stats, [&](uint64_t& number) { numbers.push_back(number); });
  sum(processes_, numbers);
  auto next = numbers.begin();
  for_each_number(stats, [&](uint64_t& number) { number = *next++; });
  return stats;
}

std::vector<DeviceStats> ProcessGroup::device_stats() {
  std::vector<uint64_t> numbers(2 * processes_.count());
  numbers[2 * processes_.index()] = local_->stats().paths;
  numbers[2 * processes_.index() + 1] = uint64_t(seconds_ * kNanosecondsPerSecond);
  sum(processes_, numbers);
  std::vector<DeviceStats> stats(processes_.count());
  for (uint32_t process = 0; process < processes_.count(); ++process) {
    stats[process].name = devices_[process];
    stats[process].host = hosts_[process];
    stats[process].paths = numbers[2 * process];
    stats[process].seconds = double(numbers[2 * process + 1]) / kNanosecondsPerSecond;
  }
  return stats;
}

}  // namespace winnow
