# SPDX-License-Identifier: MIT
"""Follows the links of node trees through reroutes, groups and muted nodes."""

import math

MAX_STEPS = 1000  # of links between two nodes; more is a cycle


class Input:
    """What feeds an input of a node: the output of another node, or a value.

    node    that node; None if the input has a value of its own
    output  its output
    groups  the group nodes around it, outermost first
    socket  the input that holds the value, where there is no node
    target  the input that is fed
    """

    def __init__(self, socket, groups=()):
        self.target = socket
        self.socket, self.groups, self.output = _origin(socket, tuple(groups))
        self.node = self.output.node if self.output else None

    @property
    def kind(self):
        """Type of the node, as in TEX_IMAGE; empty if there is none."""
        return self.node.type if self.node else ""

    def of(self, name):
        """Returns what feeds an input of the node, by its name or index; None if it has none."""
        sockets = self.node.inputs
        if isinstance(name, int):
            return Input(sockets[name], self.groups)
        socket = sockets.get(name)
        return Input(socket, self.groups) if socket is not None else None

    def value(self, name=None, default=None):
        """Returns the constant value of this input, or of an input of its node.

        Colours and vectors are lists of three numbers. Returns `default` if the value varies or
        there is no such input.
        """
        if name is not None:
            inner = self.of(name)
            return default if inner is None else inner.value(default=default)
        found = _constant(self)
        return default if found is None else found


def is_exported(source):
    """Tells whether glTF holds what feeds an input: an image, or colours of vertices."""
    if source.kind in ("TEX_IMAGE", "VERTEX_COLOR", "ATTRIBUTE"):
        return True
    if source.kind in ("SEPARATE_COLOR", "SEPRGB", "NORMAL_MAP"):
        return is_exported(source.of(0)) or is_exported(source.of("Color"))
    if source.kind in ("MIX", "MIX_RGB", "MATH"):  # a factor or a colour times an image
        return any(is_exported(Input(socket, source.groups)) for socket in source.node.inputs
                   if socket.is_linked)
    return False


def lost_of(source, kept=()):
    """Returns what Blender's exporter of glTF loses of what feeds an input, as a list of facts.

    It writes an image that lies by a UV map.

    kept  what else it writes: a "constant" and "colors" of vertices that multiply the image, and
          the "cutoff" of its alpha
    """
    node = source.node
    if source.kind in ("SEPARATE_COLOR", "SEPRGB", "NORMAL_MAP"):
        inner = source.of("Color") or source.of(0)
        return lost_of(inner)
    if source.kind in ("MIX", "MIX_RGB", "MATH"):
        written, image = _written_with(source, kept)
        if written:
            return lost_of(image, set(kept) - {written, "cutoff"})
        return ["no nodes that compute with image textures"] + [
            fact for socket in node.inputs if socket.is_linked
            for fact in lost_of(Input(socket, source.groups))]
    if source.kind != "TEX_IMAGE":
        return []
    lost = _lost_of_place(source.of("Vector"))
    if getattr(node, "extension", "REPEAT") == "CLIP":
        lost.append("no clipped image textures")
    if getattr(node, "projection", "FLAT") != "FLAT":
        lost.append("no projected image textures")
    if getattr(node, "interpolation", "Linear") in ("Cubic", "Smart"):
        lost.append("no cubic interpolation of image textures")
    if getattr(getattr(node, "image", None), "source", "FILE") in ("TILED", "SEQUENCE", "MOVIE"):
        lost.append("no tiled or moving images")
    return lost


def image_of(source):
    """Returns the input whose image feeds `source`, times constants."""
    written, image = _written_with(source, ("constant",))
    return image_of(image) if written else source


def _written_with(source, kept):
    """Returns which of `kept` a node is, and the input that holds its image; None twice if none."""
    if "cutoff" in kept and source.kind == "MATH" and (image := _clipped(source)):
        return "cutoff", image
    node, factors = source.node, ()
    if source.target.type == "VALUE" and source.kind == "MATH" and node.operation == "MULTIPLY":
        factors = source.of(0), source.of(1)
    elif (source.target.type == "RGBA" and source.kind == "MIX" and node.data_type == "RGBA"
          and node.blend_type == "MULTIPLY" and source.value("Factor") == 1.0):
        factors = [Input(_by_identifier(node.inputs, name), source.groups)
                   for name in ("A_Color", "B_Color")]
    for factor, image in (factors, factors[::-1]) if factors else ():
        is_color = factor.kind in ("VERTEX_COLOR", "ATTRIBUTE")
        written = "colors" if is_color else "constant" if _is_constant(factor) else None
        if written in kept:
            return written, image
    return None, None


def _clipped(source):
    """Returns what a node makes 1 above a constant and 0 below; None if it does something else."""
    if source.node.operation == "ROUND":
        return source.of(0)
    inner, is_inverted = source.of(1), source.node.operation == "SUBTRACT"  # 1 - inner
    if is_inverted:
        if source.value(0) != 1.0 or inner.kind != "MATH":
            return None
        source = inner
    if source.node.operation not in ("GREATER_THAN", "LESS_THAN"):
        return None
    is_turned = (source.node.operation == "LESS_THAN") != is_inverted
    image, limit = source.of(int(is_turned)), source.of(int(not is_turned))
    return image if _is_constant(limit) else None


def _is_constant(source):
    return source.node is None or source.kind in ("RGB", "VALUE")


def _lost_of_place(source):
    """Returns what is lost of the coordinates of an image, as a list of facts."""
    if source is None or source.kind in ("", "UVMAP"):
        return []
    if source.kind == "TEX_COORD":
        return [] if source.output.name == "UV" else ["no coordinates of images but UV maps"]
    if source.kind != "MAPPING":
        return ["no coordinates of images but UV maps"]
    kind = getattr(source.node, "vector_type", "POINT")
    turn, scale = source.value("Rotation"), source.value("Scale")
    is_plain = turn is not None and turn[0] == turn[1] == 0.0 and scale is not None
    # The inverse of a scale and a turn is a turn and a scale, which glTF lacks.
    if kind == "TEXTURE":
        is_plain = is_plain and (turn[2] == 0.0 or scale[0] == scale[1])
    lost = _lost_of_place(source.of("Vector"))
    if not is_plain or kind == "NORMAL":
        lost.append("no Mapping that shears images or turns them about x or y")
    return lost


def _by_identifier(sockets, identifier):
    return next((socket for socket in sockets if socket.identifier == identifier), None)


def _origin(socket, groups):
    for _ in range(MAX_STEPS):
        links = socket.links if socket.is_linked else ()
        link = next((link for link in links if not link.is_muted), None)
        if link is None:
            return socket, groups, None
        node, output = link.from_node, link.from_socket
        following = None
        if node.type == "REROUTE":
            following = node.inputs[0]
        elif node.mute:
            following = next((inner.from_socket for inner in node.internal_links
                              if inner.to_socket == output), None)
        elif node.type == "GROUP" and node.node_tree:
            end = next((end for end in node.node_tree.nodes if end.type == "GROUP_OUTPUT"), None)
            following = _by_identifier(end.inputs, output.identifier) if end else None
            groups = (*groups, node)
        elif node.type == "GROUP_INPUT" and groups:
            following = _by_identifier(groups[-1].inputs, output.identifier)
            groups = groups[:-1]
        if following is None:
            return socket, groups, output
        socket = following
    return socket, groups, None


def _plain(value):
    """Returns a number, or the first three of a list of numbers."""
    return float(value) if isinstance(value, (bool, int, float)) else [float(v) for v in value][:3]


def _constant(source):
    if source.node is None:
        value = getattr(source.socket, "default_value", None)
        return None if value is None else _plain(value)
    if source.kind in ("RGB", "VALUE"):
        return _plain(source.output.default_value)
    if source.kind == "BLACKBODY":
        temperature = source.value("Temperature")
        return None if temperature is None else blackbody(temperature)
    if source.kind == "MATH":
        return _math(source)
    return None


def _math(source):
    a, b = source.value(0), source.value(1)
    if a is None or b is None:
        return None
    operation = source.node.operation
    results = {"ADD": lambda: a + b, "SUBTRACT": lambda: a - b, "MULTIPLY": lambda: a * b,
               "DIVIDE": lambda: a / b if b else 0.0, "MINIMUM": lambda: min(a, b),
               "MAXIMUM": lambda: max(a, b)}
    return results[operation]() if operation in results else None


def blackbody(kelvin):
    """Returns the colour of a black body in Rec.709, of luminance 1, as Blender's node has it.

    The colour matching functions are those of Wyman, Sloan & Shirley, "Simple Analytic
    Approximations to the CIE XYZ Color Matching Functions", 2013.
    """
    def lobe(x, mean, below, above):
        return math.exp(-0.5 * ((x - mean) / (below if x < mean else above)) ** 2)

    kelvin = min(max(kelvin, 800.0), 12000.0)
    xyz = [0.0, 0.0, 0.0]
    for nm in range(360, 831, 5):
        power = nm ** -5 / math.expm1(1.4387769e7 / (nm * kelvin))
        matched = (1.056 * lobe(nm, 599.8, 37.9, 31.0) + 0.362 * lobe(nm, 442.0, 16.0, 26.7)
                   - 0.065 * lobe(nm, 501.1, 20.4, 26.2),
                   0.821 * lobe(nm, 568.8, 46.9, 40.5) + 0.286 * lobe(nm, 530.9, 16.3, 31.1),
                   1.217 * lobe(nm, 437.0, 11.8, 36.0) + 0.681 * lobe(nm, 459.0, 26.0, 13.8))
        xyz = [sum_ + power * value for sum_, value in zip(xyz, matched)]
    x, y, z = (value / xyz[1] for value in xyz)
    rgb = [3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
           -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
           0.0556434 * x - 0.2040259 * y + 1.0572252 * z]
    return [max(channel, 0.0) for channel in rgb]


def active_output(tree, kind):
    """Returns the output node of a tree that Cycles uses; `kind` as in OUTPUT_MATERIAL."""
    outputs = [node for node in tree.nodes if node.type == kind and not node.mute
               and node.target in ("ALL", "CYCLES")]
    active = [node for node in outputs if node.is_active_output]
    for_cycles = [node for node in active or outputs if node.target == "CYCLES"]
    return next(iter(for_cycles or active or outputs), None)
