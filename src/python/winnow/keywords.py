# SPDX-License-Identifier: MIT
"""Keywords that are options of the program.

Generated from the tables of options in src/app; tests/app/option_tables_test.cpp compares it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict


class RenderKeywords(TypedDict, total=False):
    """Keywords of winnow.render(), options of `winnow render`.

    sky
        Sky that replaces that of the scene: none, soft, a clear day with the sun as
        sun[:AZIMUTH[:ELEVATION]], in degrees from +z towards +x and above the horizon, or an
        environment map as FILE[:SCALE[:ROTATION]], with a factor of its radiance and degrees about
        +y: sun:-30:20, studio.hdr:2:90. [default: the scene's]
    spp
        Number of samples per pixel. [1 to 2147483647; default: the scene's, or no limit with
        time_limit or noise]
    noise
        Relative error below which a part of the image needs no more samples, as in 0.05. spp is
        then the maximum. [above 0, at most 1; default: no adaptive sampling]
    time_limit
        Maximum time of rendering. Every pixel gets at least one sample. [above 0, at most 10^9, in
        s; default: no limit]
    denoise
        Also write each image without noise: a.clean.exr beside a.exr. Needs Open Image Denoise (pip
        install pyoidn).
    denoise_quality
        Filter of Open Image Denoise. balanced and fast take less time and leave a larger error;
        fast needs version 2.3. [high, balanced or fast; default: high]
    max_bounces
        Maximum number of scattering events of a path. 0 shows directly visible light only. [0 to
        1000; default: the scene's]
    size
        Width and height of the image, as in 1920x1080. [1 to 32768 each, in pixels; default: the
        scene's]
    camera
        Eye: X,Y,Z, to which look_at and fov belong. Or eye, direction and horizontal field of view:
        X,Y,Z,DX,DY,DZ,FOV; then +y is up, and lens, shift and clipping planes of the scene's camera
        do not apply. [X,Y,Z or X,Y,Z,DX,DY,DZ,FOV, in m and degrees; default: the scene's]
    look_at
        Point that the camera looks at, in the middle of the image. [in m; default: the scene's]
    fov
        Vertical field of view. [above 0, below 180, in degrees; default: the scene's]
    filter
        Reconstruction filter, and its radius in pixels, as in gaussian:1.5. [box, tent, gaussian or
        blackman-harris; default: the scene's]
    seed
        Seed of the random numbers. [0 to 18446744073709551615; default: 0]
    sampler
        Source of random numbers: independent by hash, or evenly distributed by sobol. [hash or
        sobol; default: sobol]
    lights
        How samples choose among lights: uniformly, by power, or by bvh, a tree that is traversed
        for each shading point. [uniform, power or bvh; default: power]
    roulette
        Whether Russian roulette terminates paths of low throughput. [off or on; default: on]
    clamp_indirect
        Maximum that light scattered more than once adds to a sample. It darkens the image, and
        --stats reports how much. [above 0, in W sr^-1 m^-2; default: no limit]
    device
        Device that does the work. auto is the first GPU, or the CPU where there is none; cuda:K is
        GPU K. [auto, cpu, cuda or cuda:K; default: auto]
    devices
        GPUs that render together. The image is that of one GPU. [all, or a list as in 0,2]
    threads
        Number of CPU threads that do the work. [1 to 1024; default: all of the hardware]
    loop
        Order of the work: wave traces all paths bounce by bounce, path traces each path to its end.
        [wave or path; default: wave]
    cull
        How terminated paths are removed. thrust and cub need a GPU; the image is the same. [none,
        append, scan, ballot, look-back, look-ahead, move, thrust, cub or auto; default: auto]
    group
        Whether paths at the same kind of material are put side by side and shaded by kernels of
        their own. auto does so where cull auto expects or has measured that it pays. loop path
        ignores it, and on a CPU material is for tests only; the image is the same. [none, material
        or auto; default: auto]
    driver
        What launches the bounces on a GPU: a CUDA graph on the GPU itself, or the host. [graph or
        host; default: graph]
    regenerate
        Start new paths in the slots of terminated ones, so that the wave stays full.
    wave_size
        Number of paths in flight. With 0, the device chooses it. [0 to 1073741824; default: 0]
    bvh
        How the BVH is built. quality takes longer to build and is faster to trace; auto chooses the
        one that is likely to finish the render first. The image is the same. [auto, fast or
        quality; default: auto]
    tracer
        What finds the primitives that rays hit on a GPU: bvh, Winnow's BVH; rt, OptiX, which uses
        ray-tracing cores; or auto, the faster of both in early waves if the GPU has such cores,
        else bvh. With rt, the host launches the bounces. Winnow's own tests compute the hits, so
        the image differs only where primitives coincide and at edges. [bvh, rt or auto; default:
        bvh]
    bvh_cache
        Folder that keeps quality BVHs for the next render of the same geometry on a GPU.
    """

    sky: str | None
    spp: int | None
    noise: float | None
    time_limit: float | None
    denoise: bool | None
    denoise_quality: str | None
    max_bounces: int | None
    size: tuple[int, int] | None
    camera: Sequence[float] | None
    look_at: Sequence[float] | None
    fov: float | None
    filter: str | None
    seed: int | None
    sampler: str | None
    lights: str | None
    roulette: bool | None
    clamp_indirect: float | None
    device: str | None
    devices: str | Sequence[int] | None
    threads: int | None
    loop: str | None
    cull: str | None
    group: str | None
    driver: str | None
    regenerate: bool | None
    wave_size: int | None
    bvh: str | None
    tracer: str | None
    bvh_cache: str | os.PathLike[str] | None


RENDER_OPTIONS = {
    "sky": "--sky=",
    "spp": "--spp=",
    "noise": "--noise=",
    "time_limit": "--time-limit=",
    "denoise": "--denoise",
    "denoise_quality": "--denoise-quality=",
    "max_bounces": "--max-bounces=",
    "size": "--size=",
    "camera": "--camera=",
    "look_at": "--look-at=",
    "fov": "--fov=",
    "filter": "--filter=",
    "seed": "--seed=",
    "sampler": "--sampler=",
    "lights": "--lights=",
    "roulette": "--roulette=",
    "clamp_indirect": "--clamp-indirect=",
    "device": "--device=",
    "devices": "--devices=",
    "threads": "--threads=",
    "loop": "--loop=",
    "cull": "--cull=",
    "group": "--group=",
    "driver": "--driver=",
    "regenerate": "--regenerate",
    "wave_size": "--wave-size=",
    "bvh": "--bvh=",
    "tracer": "--tracer=",
    "bvh_cache": "--bvh-cache=",
}


class BenchKeywords(TypedDict, total=False):
    """Keywords of winnow.bench(), options of `winnow bench`.

    sky
        Sky that replaces that of the scene: none, soft, a clear day with the sun as
        sun[:AZIMUTH[:ELEVATION]], in degrees from +z towards +x and above the horizon, or an
        environment map as FILE[:SCALE[:ROTATION]], with a factor of its radiance and degrees about
        +y: sun:-30:20, studio.hdr:2:90. [default: the scene's]
    cull
        Culling modes to measure. thrust and cub need a GPU. [any of none, append, scan, ballot,
        look-back, look-ahead, move, thrust, cub, auto; default: all on a GPU; none,append,auto on
        the CPU]
    group
        With material, none and append are also measured with paths grouped by material. [any of
        none, material; default: none,material on a GPU; none on the CPU]
    loop
        Order of the work: wave traces all paths bounce by bounce, path traces each path to its end.
        [any of wave, path; default: wave,path]
    roulette
        Whether Russian roulette terminates paths. [any of off, on; default: on,off]
    regenerate
        With on, wave + append is also measured with terminated paths replaced by new ones. [any of
        off, on; default: off,on]
    driver
        What launches the stages on a GPU. [any of graph, host; default: graph]
    tracer
        What finds the primitives that rays hit on a GPU: bvh, Winnow's BVH, and rt, OptiX. With rt,
        the host launches the stages. [any of bvh, rt; default: bvh]
    size
        Width and height of the image, as in 1920x1080. [1 to 32768 each, in pixels; default: the
        scene's]
    spp
        Number of samples per pixel of a frame. [1 to 2147483647; default: 4]
    max_bounces
        Maximum number of scattering events of a path. 0 shows directly visible light only. [0 to
        1000; default: the scene's]
    repeat
        Number of rounds of one frame with each configuration. A ranking takes at least 5. [1 to
        1000; default: 9]
    wave_size
        Number of paths in flight. With 0, the device chooses it. [0 to 1073741824; default: 0]
    threads
        Number of CPU threads that do the work. [1 to 1024; default: all of the hardware]
    bvh
        How the BVH is built; auto is quality here. [auto, fast or quality; default: auto]
    bvh_cache
        Folder that keeps quality BVHs for the next render of the same geometry on a GPU.
    seed
        Seed of the random numbers. [0 to 18446744073709551615; default: 0]
    sampler
        Source of random numbers: independent by hash, or evenly distributed by sobol. [hash or
        sobol; default: sobol]
    device
        Device that does the work. auto is the first GPU, or the CPU where there is none; cuda:K is
        GPU K. [auto, cpu, cuda or cuda:K; default: auto]
    """

    sky: str | None
    cull: Sequence[str] | None
    group: Sequence[str] | None
    loop: Sequence[str] | None
    roulette: Sequence[bool] | None
    regenerate: Sequence[bool] | None
    driver: Sequence[str] | None
    tracer: Sequence[str] | None
    size: tuple[int, int] | None
    spp: int | None
    max_bounces: int | None
    repeat: int | None
    wave_size: int | None
    threads: int | None
    bvh: str | None
    bvh_cache: str | os.PathLike[str] | None
    seed: int | None
    sampler: str | None
    device: str | None


BENCH_OPTIONS = {
    "sky": "--sky=",
    "cull": "--cull=",
    "group": "--group=",
    "loop": "--loop=",
    "roulette": "--roulette=",
    "regenerate": "--regenerate=",
    "driver": "--driver=",
    "tracer": "--tracer=",
    "size": "--size=",
    "spp": "--spp=",
    "max_bounces": "--max-bounces=",
    "repeat": "--repeat=",
    "wave_size": "--wave-size=",
    "threads": "--threads=",
    "bvh": "--bvh=",
    "bvh_cache": "--bvh-cache=",
    "seed": "--seed=",
    "sampler": "--sampler=",
    "device": "--device=",
}


class DatasetKeywords(TypedDict, total=False):
    """Keywords of winnow.dataset(), options of `winnow dataset`.

    views
        Number of cameras, evenly on a sphere around each model (a Fibonacci lattice, turned by seed
        and the name of the model). [1 to 1000000; default: 24]
    orbit
        Cameras at equal steps on a circle instead, at this many degrees above the horizon.
    cameras
        Cameras of a file instead: transforms.json of NeRF, nerfstudio or Instant-NGP, a JSON list
        of Blender's matrices, or a folder of COLMAP's text model.
    elevation
        Elevations of views. [in degrees; default: -90:90]
    fov
        Vertical field of view. [0.1 to 170, in degrees; default: 40]
    distance
        Distance of views and orbit from the middle of the model. [above 0, in radii of the model;
        default: the sphere around the model fills the picture]
    normalize
        Whether cameras and depths are in a space in which the sphere around the model has radius 1
        and its middle at the origin, or in that of the model. [off or on; default: on, but off with
        cameras]
    size
        Width and height of the pictures. [1 to 32768 each, in pixels; default: 512x512, or that of
        cameras]
    spp
        Number of samples per pixel. [1 to 2147483647; default: 64]
    denoise
        Remove the noise of rgba. Needs Open Image Denoise (pip install pyoidn).
    denoise_quality
        Filter of Open Image Denoise. balanced and fast take less time and leave a larger error;
        fast needs version 2.3. [high, balanced or fast; default: high]
    outputs
        What is stored of each view, separated by commas. Depth, normals and ids are those at the
        centre of each pixel, and 0 where there is nothing. [any of rgba, depth, normal, albedo,
        ids; default: rgba]
    depth
        Depth along the view direction, or distance along the ray. [z or distance; default: z]
    normals
        Space of the normals; in that of the camera, x is right, y up and z back. [world or camera;
        default: world]
    max_bounces
        Maximum number of scattering events of a path. 0 shows directly visible light only. [0 to
        1000; default: the scene's]
    seed
        Seed of the random numbers. [0 to 18446744073709551615; default: 0]
    device
        Device that does the work. auto is the first GPU, or the CPU where there is none; cuda:K is
        GPU K. [auto, cpu, cuda or cuda:K; default: auto]
    devices
        GPUs that render different models. [all, or a list as in 0,2]
    threads
        Number of CPU threads that do the work. [1 to 1024; default: all of the hardware]
    ahead
        Number of models in memory at once on each device: one is rendered, the others are loaded
        and built. [1 to 1024; default: 2 on a CPU, 6 on a GPU]
    share
        Render part I of N of the models, counted from 0. auto takes both from Slurm, MPI or
        Kubernetes. [default: all models]
    """

    views: int | None
    orbit: str | None
    cameras: str | os.PathLike[str] | None
    elevation: str | None
    fov: float | None
    distance: float | None
    normalize: bool | None
    size: tuple[int, int] | None
    spp: int | None
    denoise: bool | None
    denoise_quality: str | None
    outputs: Sequence[str] | None
    depth: str | None
    normals: str | None
    max_bounces: int | None
    seed: int | None
    device: str | None
    devices: str | Sequence[int] | None
    threads: int | None
    ahead: int | None
    share: str | None


DATASET_OPTIONS = {
    "views": "--views=",
    "orbit": "--orbit=",
    "cameras": "--cameras=",
    "elevation": "--elevation=",
    "fov": "--fov=",
    "distance": "--distance=",
    "normalize": "--normalize=",
    "size": "--size=",
    "spp": "--spp=",
    "denoise": "--denoise",
    "denoise_quality": "--denoise-quality=",
    "outputs": "--outputs=",
    "depth": "--depth=",
    "normals": "--normals=",
    "max_bounces": "--max-bounces=",
    "seed": "--seed=",
    "device": "--device=",
    "devices": "--devices=",
    "threads": "--threads=",
    "ahead": "--ahead=",
    "share": "--share=",
}
