// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/choose_device.h"
#include "app/cli/interrupt.h"
#include "app/dataset/dataset_files.h"
#include "app/dataset/prepare_model.h"

namespace winnow {

/// Receives what the threads of a data set make. Several threads call its functions.
class DatasetSink {
 public:
  virtual ~DatasetSink() = default;

  /// Returns the views of a model to render, possibly none before finish(); nothing if the model
  /// needs no work.
  virtual std::optional<std::vector<size_t>> views_to_render(const DatasetModel& model,
                                                             size_t view_count) = 0;

  /// Throws Error, in one line, if the images of a model cannot be stored.
  virtual void check(const PreparedModel&) {}

  /// Takes the images of a view.
  virtual void take(const std::shared_ptr<const DatasetShot>& shot, size_t view,
                    ViewImages images) = 0;

  /// Called after take() of all views of a model, also if there were none to render.
  virtual void finish(const DatasetShot& shot) = 0;

  virtual void fail(const DatasetModel& model, const std::string& error) = 0;
  virtual void warn(const DatasetModel& model, const std::vector<std::string>& warnings) = 0;
};

/// Order of the views that a sink takes.
enum class ViewOrder { kAny, kOfModels };

/// Renders the views of models. While one model is rendered, others are loaded and built on other
/// threads, as many as `options.ahead` says and as the free memory allows; images are denoised and
/// taken on further threads. Returns when all is done, or soon after `stop` is requested.
///
/// A model that cannot be loaded, stored or built is a failure of that model. Throws the first
/// exception of rendering or of the sink.
/// @param preparer  made with the same options
void render_models(const DatasetOptions& options, const ModelPreparer& preparer,
                   const std::vector<DatasetModel>& models, const ChosenDevice& device,
                   ViewOrder order, const StopRequest& stop, DatasetSink& sink);

}  // namespace winnow
