#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the page of --display web in a headless Chromium and clicks each of its controls.

  browser.py CHROMIUM WINNOW SCENE FOLDER [--screenshots] [OPTION...]

Drives the browser by its DevTools protocol, over a pipe of its own. Exits with 0 if the page did what
it should, and with 1 and one line otherwise. With --screenshots, writes during.jpg and after.jpg into
FOLDER. Further options go to `winnow render`.
"""

import base64
import json
import os
import re
import subprocess
import sys
import time

PATIENCE = 60  # s, for anything that the page or the program should do
WIDTH, HEIGHT = 1280, 800  # of the window, pixels


class Failure(Exception):
    pass


class Browser:
    """A headless Chromium with one page. Messages go over file descriptors 3 and 4, each with a zero byte
    at its end (--remote-debugging-pipe)."""

    def __init__(self, chromium, folder):
        to_browser, self.send_end = os.pipe()
        self.receive_end, from_browser = os.pipe()

        def connect():  # in the new process
            read_end, write_end = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup2(read_end, 10), os.dup2(write_end, 11)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
             "--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-gpu-watchdog", f"--user-data-dir={folder}/profile",
             f"--window-size={WIDTH},{HEIGHT}"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.count = 0
        self.session = None
        self.complaints = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1,
                  mobile=False)

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.receive_end, 1 << 20)
            if not piece:
                raise Failure("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.send_end, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(answer["params"]["exceptionDetails"]["exception"].get("description", "?"))
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failure(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                says = self.evaluate("byId('state').textContent + '; ' + byId('message').textContent")
                raise Failure(f"not within {PATIENCE} s: {expression}; the page says: {says}")
            time.sleep(0.05)

    def text(self, element):
        return self.evaluate(f"byId('{element}').textContent")

    def center_of(self, element):
        return self.evaluate(f"(r => [r.x + r.width / 2, r.y + r.height / 2])(byId('{element}').getBoundingClientRect())")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, element):
        self.evaluate(f"byId('{element}').scrollIntoView({{block: 'center'}})")
        x, y = self.center_of(element)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, dx, dy, modifiers=0):
        x, y = self.center_of("image")
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
        for step in range(1, 5):
            self.mouse("mouseMoved", x + dx * step / 4, y + dy * step / 4, button="left", buttons=1,
                       modifiers=modifiers)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1, modifiers=modifiers)

    def wheel(self, delta):
        x, y = self.center_of("image")
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")

    def choose(self, element, value):
        self.evaluate(f"byId('{element}').value = '{value}';"
                      f"byId('{element}').dispatchEvent(new Event('input'));"
                      f"byId('{element}').dispatchEvent(new Event('change'))")

    def screenshot(self, file):
        size = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": 0.75}
        data = self.call("Page.captureScreenshot", format="jpeg", quality=80, clip=size)["data"]
        with open(file, "wb") as stream:
            stream.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()


def expect(truth, text):
    if not truth:
        raise Failure(text)


def start_render(winnow, scene, folder, options):
    """Starts a render that serves its page, and returns its process and the address."""
    log = os.path.join(folder, "log.txt")
    arguments = [winnow, "render", scene, "-o", "image.png", "--quiet", *options, "--display", "web:0"]
    with open(log, "w") as stream:
        process = subprocess.Popen(arguments, cwd=folder, stdout=stream, stderr=stream)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with open(log) as stream:
            match = re.search(r"watch at (http://\S+/);", stream.read())
        if match:
            return process, match[1]
        time.sleep(0.05)
    with open(log) as stream:
        raise Failure("winnow serves no page: " + stream.read().strip())


def check_image(page):
    page.wait_for("status && shown.number > 0")
    expect(page.evaluate("shown.width") > 0, "no image")
    first = page.evaluate("shown.number")
    page.wait_for(f"shown.number > {first} || status.is_final")
    expect("Msamples/s" in page.text("speed"), "no speed")
    expect(page.evaluate("byId('alive').children.length") > 1, "no paths per bounce")
    page.wait_for("byId('error').textContent !== '-'")


def check_picture_controls(page):
    middle = "colorAt(shown.width / 2 | 0, shown.height / 2 | 0)"
    before = page.evaluate(middle)
    page.choose("exposure", -4)
    dark = page.evaluate(middle)
    expect(sum(dark) < sum(before), f"--exposure does not darken: {before}, {dark}")
    page.choose("exposure", 0)
    colors = set()
    for curve in ("srgb", "aces", "agx"):
        page.choose("curve", curve)
        colors.add(tuple(page.evaluate(middle)))
    expect(len(colors) == 3, f"tone curves look alike: {colors}")
    for halves, right in ((0x3C00, 0, 0), (219, 57, 33)), ((0, 0, 0x3C00), (20, 86, 209)), ((0x4400,) * 3, (233,) * 3):
        shown = page.evaluate(f"(upload(1, 1, new Uint16Array({list(halves)})), draw(), colorAt(0, 0))")[:3]
        expect(all(abs(a - b) <= 1 for a, b in zip(shown, right)), f"AgX of {halves} is {shown}, expected {right}")
    page.choose("curve", "srgb")
    page.click("auto")
    page.wait_for("!wantsAutoExposure")
    page.choose("exposure", 0)
    page.choose("picture", "normal")
    page.wait_for("shown.picture === 'normal'")
    expect(page.evaluate(middle) != before, "the picture of normals is that of radiance")
    page.choose("picture", "radiance")
    page.wait_for("shown.picture === 'radiance'")


def check_lost_gpu(page):
    """The picture is back once the browser gives the GPU back."""
    page.evaluate("(window.loss = gl.getExtension('WEBGL_lose_context')).loseContext()")
    page.wait_for("gl.isContextLost()")
    time.sleep(0.1)  # for its event
    page.evaluate("loss.restoreContext()")
    page.wait_for("!gl.isContextLost() && shown.number > 0 && "
                  "Math.max(...colorAt(shown.width / 2 | 0, shown.height / 2 | 0)) > 0")


def check_zoom_and_pan(page):
    page.click("pan")
    page.click("one")
    expect(page.evaluate("shown.zoom") == 1, "1:1 is not 1:1")
    page.wheel(-400)
    page.wait_for("shown.zoom > 1.5")
    x = page.evaluate("shown.x")
    page.drag(40, 0)
    page.wait_for(f"Math.abs(shown.x - {x} - 40) < 2")
    page.click("fit")
    page.wait_for("shown.fits")
    page.press("1")
    page.wait_for("shown.zoom === 1")
    page.press("f")
    page.wait_for("shown.fits")
    expect(page.evaluate("status.view") == 0, "the camera has moved with the image")


def check_camera(page):
    first = page.text("option")
    expect(first.startswith("--camera="), "no --camera")
    page.click("look")
    for name, move in (("orbit", lambda: page.drag(90, 30)), ("shift", lambda: page.drag(30, 0, modifiers=8)),
                       ("wheel", lambda: page.wheel(-200)), ("w", lambda: page.press("w")),
                       ("turn", lambda: page.press("ArrowLeft"))):
        before, view = page.text("option"), page.evaluate("shown.view")
        move()
        page.wait_for(f"!cameraIsNew && shown.view > {view} && shown.view === status.view")
        expect(page.text("option") != before, f"{name} does not move the camera")
    expect(json.loads("{" + page.text("json") + "}")["camera"]["position"], "no JSON camera")
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    for name in ("option", "json"):
        page.click("copy-" + name)
        page.wait_for(f"window.copied === byId('{name}').textContent")
    view = page.evaluate("shown.view")
    page.click("reset")
    page.wait_for(f"shown.view > {view}")
    page.wait_for(f"byId('option').textContent === {json.dumps(first)}")


def check_end(page, process, folder):
    image = os.path.join(folder, "image.png")
    if os.path.exists(image):
        os.remove(image)
    page.click("save")
    end = time.monotonic() + PATIENCE
    while not os.path.exists(image) and time.monotonic() < end:
        time.sleep(0.05)
    expect(os.path.exists(image), "nothing is saved")
    page.wait_for("byId('message').textContent === 'saved image.png'")
    page.click("stop")
    page.wait_for("byId('state').textContent.startsWith('ended')")
    expect(process.wait(PATIENCE) == 0, "winnow has failed")


def main():
    chromium, winnow, scene, folder = sys.argv[1:5]
    options = [option for option in sys.argv[5:] if option != "--screenshots"]
    takes_pictures = "--screenshots" in sys.argv
    process, address = start_render(os.path.abspath(winnow), os.path.abspath(scene), folder, options)
    page = Browser(chromium, os.path.abspath(folder))
    try:
        page.call("Page.navigate", url=address)
        check_image(page)
        if takes_pictures:
            page.screenshot(os.path.join(folder, "during.jpg"))
        check_picture_controls(page)
        check_lost_gpu(page)
        check_zoom_and_pan(page)
        check_camera(page)
        if takes_pictures:
            page.wait_for("status.is_final")
            page.wait_for("shown.number === status.frame")
            page.screenshot(os.path.join(folder, "after.jpg"))
        check_end(page, process, folder)
        expect(not page.complaints, f"the page's script: {page.complaints}")
    finally:
        page.close()
        if process.poll() is None:
            process.kill()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(failure)
        sys.exit(1)
