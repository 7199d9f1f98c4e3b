// The browsers that the page is tested in, both Debian's: Chromium, whole; and Firefox through WebDriver BiDi, as far as
// playwright-core speaks that.
import { chromium, firefox } from 'playwright-core';

// `seconds` of the processor that all processes of the browser have had, where the browser tells them.
export async function launch(name, { canSuspend = true } = {}) {
  if (name === 'firefox') {
    const browser = await firefox.launch({
      executablePath: process.env.AGON_FIREFOX ?? '/usr/bin/firefox-esr', channel: 'moz-firefox',
      firefoxUserPrefs: { 'javascript.options.wasm_js_promise_integration': canSuspend } });
    return { browser, seconds: async () => undefined };
  }
  if (name !== 'chromium') throw new Error(`the browser is chromium or firefox, not ${name}`);
  if (!canSuspend) throw new Error('Chromium cannot be told to do without promise integration; Firefox can');
  const browser = await chromium.launch({
    executablePath: process.env.AGON_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const system = await browser.newBrowserCDPSession();
  const seconds = async () => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, each) => sum + each.cpuTime, 0);
  };
  return { browser, seconds };
}

// Keeps what the page saves in the page itself: playwright-core sees no downloads of Firefox. For addInitScript.
export function keepSaved() {
  const blobs = new Map(), make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = make(blob);
    blobs.set(url, blob);
    return url;
  };
  globalThis.savedFiles = [];
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) globalThis.savedFiles.push({ name: this.download, blob: blobs.get(this.href) });
    else click.call(this);
  };
}
