import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, waitForAnswer } from '../../../scripts/lib/children.ts'
import { findWebKitDriver, findXvfb } from '../../../scripts/lib/engines.ts'
import type { Driver, Size } from './driver.ts'

const SCREEN = '1400x1000x24'
const RESIZE_MS = 30_000

/** Nothing moves, and the window's own bar is thin enough for a page of 360 px. */
const GTK = {
  'settings.ini': '[Settings]\ngtk-enable-animations=0\n',
  'gtk.css': '* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; }\n',
}

/** WebKitGTK's small browser under Xvfb, over classic WebDriver: its driver speaks nothing newer. */
export async function openWebKit(): Promise<Driver> {
  const programs: ChildProcess[] = []
  const folder = mkdtempSync(join(tmpdir(), 'garba-webkit-'))
  // The driver first: it ends its browser, which needs the screen.
  const endAll = async () => {
    for (const program of programs.toReversed()) await end(program)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return await open(folder, programs, endAll)
  } catch (error) {
    await endAll()
    throw error
  }
}

async function open(folder: string, programs: ChildProcess[], endAll: () => Promise<void>): Promise<Driver> {
  mkdirSync(join(folder, 'gtk-3.0'))
  for (const [name, text] of Object.entries(GTK)) writeFileSync(join(folder, 'gtk-3.0', name), text)
  const screen = spawn(findXvfb() ?? 'Xvfb', ['-displayfd', '1', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  programs.push(screen)
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject)
    screen.once('close', () => reject(new Error('Xvfb ended')))
    screen.stdout.once('data', (line) => resolve(`:${String(line).trim()}`))
  })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const driver = spawn(findWebKitDriver() ?? 'WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', XDG_CONFIG_HOME: folder, TZ: 'Asia/Kolkata' },
    stdio: 'ignore',
  })
  programs.push(driver)
  if (!(await waitForAnswer(`${url}/status`, () => driver.exitCode !== null))) throw new Error('WebKitWebDriver ended')

  const ask: Ask = (method, path, body) => request(`${url}${path}`, method, body)
  // A page kept for Back holds its open transactions. Tests leave pages early enough for the next one to wait for ever.
  const options = { args: ['--automation', '--enable-mock-capture-devices', '--enable-page-cache=false'] }
  const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })
  const call: Ask = (method, path, body) => ask(method, `/session/${sessionId}${path}`, body)
  const evaluate = (expression: string) =>
    call<string>('POST', '/execute/sync', { script: `return (${expression})`, args: [] })
  const pageSize = async () => JSON.parse(await evaluate('JSON.stringify([innerWidth, innerHeight])')) as number[]
  /** What the window's own bar takes from the page. */
  const bar = (await call<Size>('GET', '/window/rect')).height - ((await pageSize())[1] ?? 0)
  return {
    goto: (address) => call('POST', '/url', { url: address }),
    reload: () => call('POST', '/refresh', {}),
    evaluate,
    perform: (actions) => call('POST', '/actions', { actions }),
    screenshot: async () => Buffer.from(await call<string>('GET', '/screenshot'), 'base64'),
    resize: async ({ width, height }) => {
      await call('POST', '/window/rect', { width, height: height + bar })
      for (const end = performance.now() + RESIZE_MS; ; ) {
        const [w, h] = await pageSize()
        if (w === width && h === height) return
        if (performance.now() > end) throw new Error(`The page is ${w} x ${h}, not ${width} x ${height}`)
      }
    },
    close: async () => {
      await call('DELETE', '').finally(endAll)
    },
  }
}

type Ask = <Result = void>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>

async function request<Result>(url: string, method: string, body?: object): Promise<Result> {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as { value: unknown }
  if (answer.ok) return value as Result
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${error}: ${message}`)
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    if (!child.kill()) resolve()
  })
}
