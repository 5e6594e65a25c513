#include "film/film.h"

namespace winnow {

Image mean_radiance(const Film& film, uint32_t width, uint32_t height) {
  Image image{width, height, std::vector<glm::vec3>(film.sum.size, glm::vec3(0.0f))};
  for (size_t i = 0; i < film.sum.size; ++i)
    if (film.samples[i] > 0) image.pixels[i] = glm::vec3(film.sum[i] / double(film.samples[i]));
  return image;
}

}  // namespace winnow
