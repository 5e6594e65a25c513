#include "film/film.h"

#include "film/host_film.h"

namespace winnow {

Image mean_radiance(const Film& film, uint32_t width, uint32_t height) {
  Image image{width, height, std::vector<glm::vec3>(film.sum.size, glm::vec3(0.0f))};
  for (size_t i = 0; i < film.sum.size; ++i)
    if (film.samples[i] > 0) image.pixels[i] = glm::vec3(film.sum[i] / double(film.samples[i]));
  return image;
}

double removed_share(const HostFilm& film) {
  double removed = 0.0, kept = 0.0;
  for (size_t i = 0; i < film.removed.size(); ++i) {
    if (film.samples[i] == 0) continue;
    const glm::dvec3 &r = film.removed[i], &k = film.sum[i];
    removed += (r.x + r.y + r.z) / film.samples[i];
    kept += (k.x + k.y + k.z) / film.samples[i];
  }
  return removed > 0.0 ? removed / (removed + kept) : 0.0;
}

}  // namespace winnow
