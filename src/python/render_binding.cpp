// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iterator>
#include <optional>
#include <utility>

#include "app/bench/bench.h"
#include "app/bench/report.h"
#include "app/cli/choose_device.h"
#include "app/cli/command_line.h"
#include "app/render/aov.h"
#include "app/render/render.h"
#include "backend/collect_results.h"
#include "base/error.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/load_scene.h"
#include "python/bindings.h"

namespace winnow::python {
namespace {

namespace fs = std::filesystem;

class RenderedFilm {
 public:
  /// @param denoiser    none: makes no clean image
  /// @param keeps_sums  keeps the renderer, for on_device()
  RenderedFilm(MemoryRender render, const RenderOptions& options,
               const std::optional<Denoiser>& denoiser, bool keeps_sums)
      : render_(std::move(render)), image_(render_.renderer->film()) {
    render_.report.film_hash = image_hash(image_);
    if (denoiser)
      render_.renderer->at_film([&] {
        clean_ = clean_image(RendererFilm(*render_.renderer), image_, *denoiser,
                             render_.report.written.clean);
      });
    if (!options.aovs.layers.empty()) {
      const HostFilm film = render_.renderer->host_film();
      for (const Aov aov : options.aovs.layers) aovs_.emplace_back(aov, aov_channels(aov, film));
    }
    if (keeps_sums) return;
    render_.renderer.reset();
    render_.scene.reset();
  }

  Image& image() { return image_; }
  const Image& image() const { return image_; }

  /// Returns the image without noise. Throws Error if it was not made.
  Image& clean() {
    if (!has_clean()) throw Error("there is no image without noise; render with denoise");
    return clean_;
  }
  bool has_clean() const { return !clean_.pixels.empty(); }
  const std::vector<std::pair<Aov, std::vector<ImageChannel>>>& aovs() const { return aovs_; }
  const RenderReport& report() const { return render_.report; }

  /// Returns the film with its sums. Throws Error if they were not kept.
  FilmOnDevice on_device() const {
    if (!render_.renderer) throw Error("the sums of the film were not kept; render with keep_sums");
    const std::optional<FilmOnDevice> film = render_.renderer->film_on_device();
    if (!film) throw Error("several GPUs have rendered: there is no film with all sums");
    return *film;
  }

 private:
  MemoryRender render_;
  Image image_, clean_;
  std::vector<std::pair<Aov, std::vector<ImageChannel>>> aovs_;
};

/// Returns the film, or None if it has no samples, and the exception that a signal handler of
/// Python raised during the render, or None.
nb::tuple render_scene(const SceneHandle& scene, std::vector<std::string> arguments,
                       bool measures_stages, bool keeps_sums) {
  RenderOptions options;
  arguments.insert(arguments.end(), {"--", scene.source.string()});
  parse_options(render_options(options), arguments);
  options.settings.measure_stages = measures_stages;
  std::unique_ptr<RenderedFilm> film;
  PythonStop stop;
  std::optional<nb::python_error> raised = run_interruptibly(stop, [&] {
    std::optional<Denoiser> denoiser;
    if (options.aovs.guides) {
      const ChosenDevice device = choose_device(options.devices.value_or(options.device));
      denoiser = denoiser_for(options, {device.first_cuda(), options.settings.threads});
    }
    MemoryRender render = render_in_memory(*scene.scene, options, stop, scene.scene_at);
    if (render.report.stats.paths > 0)
      film = std::make_unique<RenderedFilm>(std::move(render), options, denoiser, keeps_sums);
  });
  return nb::make_tuple(nb::cast(film.release(), nb::rv_policy::take_ownership),
                        raised ? nb::borrow(raised->value()) : nb::object(nb::none()));
}

std::vector<size_t> shape_of(const RenderedFilm& film, size_t channels) {
  std::vector<size_t> shape = {film.image().height, film.image().width};
  if (channels > 1) shape.push_back(channels);
  return shape;
}

/// Returns an image of a film as an array [height][width][3], without a copy.
nb::object array_of(nb::handle self, Image& image) {
  const size_t shape[] = {image.height, image.width, 3};
  return nb::cast(
      nb::ndarray<nb::numpy, float>(&image.pixels.data()->x, std::size(shape), shape, self));
}

nb::object image_array(nb::handle self) {
  return array_of(self, nb::cast<RenderedFilm&>(self).image());
}

nb::object clean_array(nb::handle self) {
  return array_of(self, nb::cast<RenderedFilm&>(self).clean());
}

/// Copies separate channels to an array, [height][width] or [height][width][channel].
template <class Number>
nb::object interleaved(const RenderedFilm& film, const std::vector<ImageChannel>& channels) {
  const size_t count = channels.size();
  auto* numbers = new std::vector<Number>(film.image().pixels.size() * count);
  nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  for (size_t c = 0; c < count; ++c) {
    const auto& values = std::get<std::vector<Number>>(channels[c].values);
    for (size_t i = 0; i < values.size(); ++i) (*numbers)[i * count + c] = values[i];
  }
  const std::vector<size_t> shape = shape_of(film, count);
  return nb::cast(
      nb::ndarray<nb::numpy, Number>(numbers->data(), shape.size(), shape.data(), owner));
}

nb::dict aov_arrays_of(const RenderedFilm& film) {
  nb::dict arrays;
  for (const auto& [aov, channels] : film.aovs()) {
    const bool is_float = std::holds_alternative<std::vector<float>>(channels.front().values);
    arrays[enum_name(aov).c_str()] =
        is_float ? interleaved<float>(film, channels) : interleaved<uint32_t>(film, channels);
  }
  return arrays;
}

/// Returns the arrays of the film without a copy: sums [height][width][3] and sample counts
/// [height][width], in host memory or on the GPU that has rendered.
nb::tuple film_arrays(nb::handle self) {
  const auto& rendered = nb::cast<const RenderedFilm&>(self);
  const FilmOnDevice on_device = rendered.on_device();
  const bool on_gpu = on_device.cuda_device >= 0;
  const int type = on_gpu ? nb::device::cuda::value : nb::device::cpu::value;
  const int index = on_gpu ? on_device.cuda_device : 0;
  auto view = [&]<class Number>(Number* data, size_t channels) {
    const std::vector<size_t> shape = shape_of(rendered, channels);
    return nb::cast(nb::ndarray<nb::array_api, Number>(data, shape.size(), shape.data(), self,
                                                       nullptr, nb::dtype<Number>(), type, index));
  };
  return nb::make_tuple(view(&on_device.film.sum.data->x, 3), view(on_device.film.samples.data, 1));
}

/// Writes the image with its layers and, if there is one, the image without noise beside it.
void save(RenderedFilm& film, const fs::path& file, const std::string& exposure,
          const std::string& tone_curve) {
  const ToneMapping mapping{
      .curve = parse_enum<ToneCurve>("--tone-map", tone_curve),
      .exposure =
          chosen_exposure(film.image(), parse_exposure("--exposure", exposure), false).stops};
  std::vector<ImageChannel> layers;
  for (const auto& [aov, channels] : film.aovs())
    layers.insert(layers.end(), channels.begin(), channels.end());
  const WorkWithoutGil work;
  write_image(file, film.image(), mapping, layers);
  if (film.has_clean()) write_image(clean_name(file), film.clean(), mapping);
}

/// Returns the text of `winnow bench --json`, and the exception as render_scene() does.
nb::tuple bench_scene_file(const std::string& file, std::vector<std::string> arguments) {
  BenchOptions options;
  arguments.insert(arguments.end(), {"--", file});
  parse_options(bench_options(options), arguments);
  options.quiet = true;
  BenchReport report;
  PythonStop stop;
  std::optional<nb::python_error> raised = run_interruptibly(stop, [&] {
    report = measure_scenes(options, stop, [](const std::string& reason) { throw Error(reason); });
  });
  return nb::make_tuple(bench_json(report),
                        raised ? nb::borrow(raised->value()) : nb::object(nb::none()));
}

}  // namespace

void bind_render(nb::module_& module) {
  nb::class_<RenderedFilm>(module, "Film", "A film whose render has ended.")
      .def_prop_ro("image", &image_array)
      .def_prop_ro("clean", &clean_array)
      .def_prop_ro("aovs", &aov_arrays_of)
      .def_prop_ro("stats", [](const RenderedFilm& self) { return stats_json(self.report()); })
      .def_prop_ro("sees_nothing",
                   [](const RenderedFilm& self) { return self.report().sees_nothing; })
      .def_prop_ro("arrays", &film_arrays)
      .def("save", &save, nb::arg("file"), nb::arg("exposure"), nb::arg("tone_map"));
  module.def("render", &render_scene, nb::arg("scene"), nb::arg("options"),
             nb::arg("measure_stages"), nb::arg("keep_sums"),
             "Renders a scene. Returns the film and the exception that ended it early, or None.");
  module.def("bench", &bench_scene_file, nb::arg("file"), nb::arg("options"),
             "Measures a scene. Returns JSON and the exception that ended it early, or None.");
}

}  // namespace winnow::python
