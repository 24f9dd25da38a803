import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFirefox } from '../../../scripts/lib/engines.ts'
import type { Driver } from './driver.ts'

/** Nothing of the browser's own may reach out or pop up, and nothing moves. */
const PREFERENCES = {
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-IN',
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.prefersReducedMotion': 1,
}

/** Firefox without a window, over WebDriver BiDi, which it speaks without a driver program. */
export async function openFirefox(): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'garba-firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const browser = spawn(
    findFirefox() ?? 'firefox',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    { env: { ...process.env, TZ: 'Asia/Kolkata' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => browser.once('close', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    browser.once('error', reject)
    browser.once('close', () => reject(new Error(`Firefox ended:\n${said}`)))
    browser.stderr.on('data', (piece) => {
      said += piece
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const call = await connect(`${address}/session`)
  await call('session.new', { capabilities: {} })
  const { contexts } = await call<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context
  return {
    goto: async (url) => {
      const go = () => call('browsingContext.navigate', { context, url, wait: 'complete' })
      // Now and then Firefox drops a page that is asked for just after another has loaded.
      await go().catch((error: unknown) => (/NS_BINDING_ABORTED/.test(String(error)) ? go() : Promise.reject(error)))
    },
    reload: () => call('browsingContext.reload', { context, wait: 'complete' }),
    evaluate: async (expression) => {
      const answer = await call<Evaluated>('script.evaluate', { expression, target: { context }, awaitPromise: true })
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
      return answer.result.value
    },
    perform: (actions) => call('input.performActions', { context, actions }),
    screenshot: async () =>
      Buffer.from((await call<{ data: string }>('browsingContext.captureScreenshot', { context })).data, 'base64'),
    resize: (viewport) => call('browsingContext.setViewport', { context, viewport }),
    close: async () => {
      await call('browser.close', {})
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

type Evaluated =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }

interface Answer {
  id?: number
  type: 'success' | 'error' | 'event'
  result?: unknown
  message?: string
}

type Call = <Result = void>(method: string, parameters: object) => Promise<Result>

/** A BiDi connection: commands are numbered, and answers carry their number. */
async function connect(url: string): Promise<Call> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`No connection to ${url}`))
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  const resolveAnswer = (answer: Answer) => {
    if (answer.id === undefined) return
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  }
  socket.onmessage = ({ data }) => resolveAnswer(JSON.parse(String(data)) as Answer)
  socket.onclose = () => {
    for (const id of [...waiting.keys()]) resolveAnswer({ id, type: 'error', message: 'Firefox is gone' })
  }
  let last = 0
  return <Result>(method: string, params: object) =>
    new Promise<Result>((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ type, result, message }) =>
        type === 'success' ? resolve(result as Result) : reject(new Error(`${method}: ${message}`)),
      )
      socket.send(JSON.stringify({ id, method, params }))
    })
}
