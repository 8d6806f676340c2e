# SPDX-License-Identifier: BSD-3-Clause
# devtools.py - a page in headless Chromium, driven over its debugging pipe
"""Browser(folder) starts one; open() shows a page; value() evaluates in it."""
import json
import os
import select
import subprocess
import time

PATIENCE_S = 120  # a machine may be busy: only what hangs is given up


class Browser:
    def __init__(self, folder, width=1200, height=1000):
        to_browser, self.to = os.pipe()
        self.frm, from_browser = os.pipe()
        self.number = 0
        self.buffer = b''
        self.events = []

        def descriptors():
            # numbers that the two targets do not take from each other
            a, b = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup(a), os.dup(b), os.dup(a), os.dup(b)]
            os.dup2(high[2], 3)
            os.dup2(high[3], 4)

        self.process = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu',
             '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
             '--disable-background-networking', '--disable-component-update',
             '--window-size=%d,%d' % (width, height),
             '--user-data-dir=' + os.path.join(folder, 'chromium'),
             '--remote-debugging-pipe', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(folder, 'chromium.log'), 'wb'),
            close_fds=False, preexec_fn=descriptors, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.session = None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target,
                                 flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(domain + '.enable')

    def message(self):
        deadline = time.monotonic() + PATIENCE_S
        while b'\0' not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.frm], [], [], left)[0]:
                raise RuntimeError('the browser does not answer')
            data = os.read(self.frm, 1 << 20)
            if not data:
                raise RuntimeError('the browser is gone')
            self.buffer += data
        text, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            request['sessionId'] = self.session
        data = json.dumps(request).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.message()
            if answer.get('id') != self.number:
                self.events.append(answer)
            elif 'error' in answer:
                raise RuntimeError(method + ': ' + str(answer['error']))
            else:
                return answer['result']

    def open(self, url):
        self.events = []
        self.call('Page.navigate', url=url)
        while not any(e.get('method') == 'Page.loadEventFired'
                      for e in self.events):
            self.events.append(self.message())

    def value(self, expression):
        answer = self.call('Runtime.evaluate', expression=expression,
                           returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(expression + ': ' +
                               str(answer['exceptionDetails']))
        return answer['result'].get('value')

    def complaints(self):
        """What went to the console, and exceptions that nobody caught."""
        self.value('0')  # whatever came before has arrived by then
        return [e for e in self.events if e.get('method') in (
            'Runtime.exceptionThrown', 'Runtime.consoleAPICalled',
            'Log.entryAdded')]

    def point(self, x, y):
        self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def key(self, name):
        self.call('Input.dispatchKeyEvent', type='keyDown', key=name, code=name)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=name, code=name)

    def media(self, **features):
        self.call('Emulation.setEmulatedMedia',
                  media=features.pop('media', ''),
                  features=[{'name': k.replace('_', '-'), 'value': v}
                            for k, v in features.items()])

    def close(self):
        try:
            self.session = None
            self.call('Browser.close')
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
