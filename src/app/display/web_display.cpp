// SPDX-License-Identifier: MIT
#include "app/display/web_display.h"

#include <fmt/core.h>
#include <half.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "app/cli/json.h"
#include "app/display/display.h"
#include "app/display/display_request.h"
#include "base/error.h"
#include "image/agx.h"

namespace winnow {
namespace {

using namespace std::chrono_literals;

constexpr auto kMaxEventInterval = 1000ms;  ///< interval of events without a new frame
constexpr auto kLastFrameTimeout = 1000ms;  ///< time for viewers to fetch the last frame
constexpr auto kWaitForViewer = 15s;        ///< see is_watched()

const char* const kBinaryType = "application/octet-stream";

constexpr float kMaxHalf = 65504.0f;

/// Converts to half floats, [color][3]. NaN becomes 0; values too large become the largest.
std::string half_colors(std::span<const glm::vec3> colors) {
  std::string bytes(colors.size() * 3 * sizeof(half), '\0');
  char* next = bytes.data();
  for (const glm::vec3& color : colors)
    for (int channel = 0; channel < 3; ++channel, next += sizeof(half)) {
      const float value = color[channel];
      const half rounded(value == value ? std::clamp(value, -kMaxHalf, kMaxHalf) : 0.0f);
      std::memcpy(next, &rounded, sizeof(rounded));
    }
  return bytes;
}

/// Returns the share of active paths, [bounce], as long as there are any.
Json alive_shares(const RenderStats& stats) {
  Json shares = Json::array();
  for (const BounceStats& bounce : stats.bounces) {
    if (bounce.alive == 0) break;
    shares.push_back(double(bounce.alive) / double(stats.bounces.front().alive));
  }
  return shares;
}

Json progress_json(const RenderProgress& progress) {
  return {{"fraction", progress.fraction},
          {"seconds", progress.seconds},
          {"spp", progress.spp_done},
          {"spp_goal", progress.spp_goal},
          {"samples_per_second", progress.samples_per_second}};
}

Json camera_state(const CameraDescription& camera, Size size) {
  Json json = view_json(camera);
  json["option"] = "--camera=" + view_text(camera, size);
  json["json"] = "\"camera\": " + camera_json(camera);
  return json;
}

/// Returns the part of an event that never changes.
Json render_json(const ShownRender& render) {
  Json pictures = Json::array();
  for (const Picture& picture : render.pictures) pictures.push_back(picture.name);
  return {{"scene", render.scene},
          {"device", render.device},
          {"width", render.width},
          {"height", render.height},
          {"pictures", pictures},
          {"exposure", render.mapping.exposure},
          {"exposure_is_automatic", render.exposure_is_automatic},
          {"tone_curve", enum_name(render.mapping.curve)},
          {"camera", camera_state(render.camera, {render.width, render.height})},
          {"center", point_json(render.bounds.center())},
          {"radius", 0.5f * glm::length(render.bounds.size())},
          {"why_camera_is_fixed", render.why_camera_is_fixed}};
}

}  // namespace

WebDisplay::~WebDisplay() {
  std::unique_lock lock(mutex_);
  has_ended_ = true;
  change();
  changed_.wait_for(lock, kLastFrameTimeout,
                    [&] { return viewers_ == 0 && (fetched_ == frame_count_ || !server_); });
  lock.unlock();
  server_.reset();
}

void WebDisplay::begin(ShownRender render) {
  render_ = std::move(render);
  camera_ = render_.camera;
  last_viewer_ = std::chrono::steady_clock::now();
  server_.emplace(
      std::move(listener_), address_.host,
      [this](const HttpRequest& request, HttpAnswer& reply) { answer(request, reply); });
}

std::vector<FilmArray> WebDisplay::wanted_arrays() {
  const std::scoped_lock lock(mutex_);
  if (viewers_ == 0) return {};
  // The error estimate also needs arrays.
  std::set<FilmArray> arrays = {FilmArray::kSum, FilmArray::kSamples};
  for (const size_t picture : wanted_pictures_)
    arrays.insert(render_.pictures[picture].arrays.begin(), render_.pictures[picture].arrays.end());
  return {arrays.begin(), arrays.end()};
}

void WebDisplay::show(std::shared_ptr<const DisplayFrame> frame) {
  const std::scoped_lock lock(mutex_);
  last_frame_ = std::exchange(frame_, std::move(frame));
  ++frame_count_;
  change();
}

void WebDisplay::say(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  message_ = text;
  change();
}

std::optional<CameraDescription> WebDisplay::take_camera() {
  const std::scoped_lock lock(mutex_);
  if (!has_camera_.exchange(false)) return std::nullopt;
  return camera_;
}

bool WebDisplay::is_watched() const {
  const std::scoped_lock lock(mutex_);
  return viewers_ > 0 || std::chrono::steady_clock::now() - last_viewer_ < kWaitForViewer;
}

void WebDisplay::answer(const HttpRequest& request, HttpAnswer& answer) {
  if (request.method == "GET") return answer_get(request, answer);
  if (request.method == "POST") return answer_post(request, answer);
  answer.reply_text(405, "only GET and POST");
}

void WebDisplay::answer_get(const HttpRequest& request, HttpAnswer& answer) {
  if (request.path == "/") return answer.reply(200, "text/html; charset=utf-8", kWebPage);
  if (request.path == "/events") return send_events(answer);
  if (request.path == "/frame") return busy_.count([&] { send_frame(request, answer); });
  if (request.path == "/agx")
    return busy_.count([&] { answer.reply(200, kBinaryType, half_colors(agx_table())); });
  answer.reply_text(404, "no such page");
}

void WebDisplay::answer_post(const HttpRequest& request, HttpAnswer& answer) {
  if (request.path == "/camera") return move_camera(request, answer);
  if (request.path == "/save") {
    wants_save_ = true;
  } else if (request.path == "/stop") {
    // A second signal would end the program at once.
    if (!was_stopped_.exchange(true)) std::raise(SIGINT);
  } else {
    return answer.reply_text(404, "no such page");
  }
  answer.reply_text(200, "ok");
}

void WebDisplay::send_events(HttpAnswer& answer) {
  answer.begin_events();
  std::unique_lock lock(mutex_);
  ++viewers_;
  for (bool is_there = true; is_there;) {
    uint64_t told = 0;
    busy_.count([&] {
      estimate_error(lock);
      const std::string text = status();
      told = revision_;
      const bool was_last = has_ended_;
      lock.unlock();
      is_there = answer.send_event(text) && !was_last;
      lock.lock();
    });
    if (is_there) changed_.wait_for(lock, kMaxEventInterval, [&] { return revision_ != told; });
  }
  --viewers_;
  last_viewer_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

/// Estimates the error of the newest frame, unless another thread does. The render does not wait.
void WebDisplay::estimate_error(std::unique_lock<std::mutex>& lock) {
  if (estimated_frame_ == frame_count_) return;
  const uint64_t number = estimated_frame_ = frame_count_;
  const std::shared_ptr<const DisplayFrame> last = last_frame_, frame = frame_;
  const bool goes_on = last && last->view == frame->view;
  lock.unlock();
  const std::optional<double> error =
      goes_on ? estimated_error(last->film, frame->film) : std::nullopt;
  lock.lock();
  if (number == estimated_frame_ && (error || !goes_on)) error_ = error;
}

std::optional<size_t> WebDisplay::picture_index(const HttpRequest& request) const {
  const auto name = request.query.find("picture");
  if (name == request.query.end()) return 0;
  for (size_t i = 0; i < render_.pictures.size(); ++i)
    if (render_.pictures[i].name == name->second) return i;
  return std::nullopt;
}

void WebDisplay::send_frame(const HttpRequest& request, HttpAnswer& answer) {
  const std::optional<size_t> index = picture_index(request);
  if (!index) return answer.reply_text(404, "no such picture");
  const Picture& picture = render_.pictures[*index];
  std::unique_lock lock(mutex_);
  wanted_pictures_.insert(*index);
  const std::shared_ptr<const DisplayFrame> frame = frame_;
  const uint64_t number = frame_count_;
  lock.unlock();
  const bool is_recorded = frame && std::ranges::all_of(picture.arrays, [&](FilmArray array) {
                             return std::ranges::find(frame->arrays, array) != frame->arrays.end();
                           });
  if (!is_recorded) return answer.reply_text(503, "the next frame has it");

  const Image image = picture.image_of(frame->film);
  std::string fields = fmt::format("Winnow-Frame: {}\r\nWinnow-View: {}\r\n", number, frame->view);
  if (request.query.contains("exposure"))
    fields += fmt::format("Winnow-Exposure: {}\r\n", auto_exposure(image));
  const std::string pixels = half_colors(image.pixels);
  answer.reply(200, kBinaryType, pixels, fields);
  lock.lock();
  fetched_ = std::max(fetched_, number);
  changed_.notify_all();
}

void WebDisplay::move_camera(const HttpRequest& request, HttpAnswer& answer) try {
  if (!render_.why_camera_is_fixed.empty())
    return answer.reply_text(400, "the camera is fixed: " + render_.why_camera_is_fixed);
  {
    const std::scoped_lock lock(mutex_);
    camera_ = moved_camera(camera_, request.body);
    has_camera_ = true;
  }
  answer.reply_text(200, "ok");
} catch (const Error& error) {
  answer.reply_text(400, error.what());
}

std::string WebDisplay::status() const {
  Json json = {{"render", render_json(render_)},
               {"frame", frame_count_},
               {"message", message_},
               {"ended", has_ended_},
               {"error", nullable(error_)}};
  if (frame_) {
    json["is_final"] = frame_->is_final;
    json["view"] = frame_->view;
    json["cost"] = frame_->cost;
    json["progress"] = progress_json(frame_->progress);
    json["alive"] = alive_shares(frame_->stats);
    json["camera"] = camera_state(frame_->camera, {render_.width, render_.height});
  }
  return json_text(json, -1);
}

void WebDisplay::change() {
  ++revision_;
  changed_.notify_all();
}

}  // namespace winnow
