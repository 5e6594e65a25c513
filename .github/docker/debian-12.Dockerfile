# SPDX-License-Identifier: MIT
# Debian 12 with the packages that Winnow and .ci/run need, without CUDA. With WINNOW_CUDA=on, scripts/setup downloads it.
#
#   docker build --file .github/docker/debian-12.Dockerfile --tag winnow .
#   docker run --rm --volume "$PWD:/winnow" winnow scripts/render
FROM debian:12
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates clang-format clang-tidy g++ gdb git python3 sudo \
    && rm -rf /var/lib/apt/lists/*
COPY scripts/setup scripts/cuda /setup/
RUN WINNOW_CUDA=off /setup/setup libgtest-dev libgmock-dev libopenmpi-dev openmpi-bin python3-matplotlib python3-pip \
    doxygen furo graphviz python3-myst-parser python3-sphinx \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /winnow
