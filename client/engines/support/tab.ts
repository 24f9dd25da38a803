import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Driver, InputSource, Size } from './driver.ts'
import { type Found, find, type Step, type TextQuery } from './find.ts'

const PATIENCE_MS = 60_000
const EVERY_MS = 50

/** Knows roles and names as assistive technology does. As a script for pages, without imports. */
const LIBRARY = join(
  createRequire(import.meta.url).resolve('@testing-library/dom'),
  '../@testing-library/dom.umd.min.js',
)

/** Keys by name, as WebDriver numbers them. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Control: '\ue009',
  Escape: '\ue00c',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
}

interface RoleOptions {
  name?: string | RegExp
  exact?: boolean
  level?: number
}

/** The browser's one page, with the names that Playwright gives to finding and doing. */
export class Tab {
  private readonly driver: Driver
  private readonly origin: string
  private readonly library = readFileSync(LIBRARY, 'utf8')

  constructor(driver: Driver, origin: string) {
    this.driver = driver
    this.origin = origin
  }

  goto = (path: string): Promise<void> => this.driver.goto(new URL(path, this.origin).href)
  reload = (): Promise<void> => this.driver.reload()
  resize = (size: Size): Promise<void> => this.driver.resize(size)
  screenshot = (): Promise<Buffer> => this.driver.screenshot()
  path = (): Promise<string> => this.evaluate(() => location.pathname + location.search, undefined)

  getByRole = (role: string, options?: RoleOptions): Locator => this.all().getByRole(role, options)
  getByText = (text: string | RegExp): Locator => this.all().getByText(text)
  getByLabel = (text: string | RegExp, options?: { exact?: boolean }): Locator => this.all().getByLabel(text, options)
  locator = (css: string): Locator => this.all().locator(css)
  private all = () => new Locator(this, [])

  /** The result of a function run in the page. It must be whole in itself, as its text is sent. */
  async evaluate<Given, Result>(run: (given: Given) => Result | Promise<Result>, given: Given): Promise<Result> {
    const expression = `(async () => JSON.stringify([await (${run})(${JSON.stringify(given) ?? ''})]))()`
    return (JSON.parse(await this.driver.evaluate(expression)) as [Result])[0]
  }

  async find(options: Parameters<typeof find>[0]): Promise<Found[]> {
    const isNew = await this.evaluate(() => !('TestingLibraryDom' in window), undefined)
    if (isNew) await this.driver.evaluate(`(() => { ${this.library}\n; return '' })()`)
    return this.evaluate(find, options)
  }

  point = ({ x, y }: { x: number; y: number }): Promise<void> =>
    this.driver.perform([mouse([{ type: 'pointerMove', x, y, duration: 0 }])])
  press = ({ x, y }: { x: number; y: number }): Promise<void> =>
    this.driver.perform([
      mouse([
        { type: 'pointerMove', x, y, duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    ])

  keyboard = {
    /** A key by name, or with `+` several at once. */
    press: (keys: string): Promise<void> => {
      const values = keys.split('+').map((key) => KEYS[key] ?? key)
      return this.driver.perform([
        strokes([...values.map(down), ...values.toReversed().map((value) => ({ type: 'keyUp', value }) as const)]),
      ])
    },
    type: (text: string): Promise<void> =>
      this.driver.perform([strokes([...text].flatMap((value) => [down(value), { type: 'keyUp', value } as const]))]),
  }
}

type Mouse = Extract<InputSource, { type: 'pointer' }>
const mouse = (actions: Mouse['actions']): Mouse => ({
  type: 'pointer',
  id: 'mouse',
  parameters: { pointerType: 'mouse' },
  actions,
})

type Strokes = Extract<InputSource, { type: 'key' }>
const strokes = (actions: Strokes['actions']): Strokes => ({ type: 'key', id: 'keyboard', actions })
const down = (value: string) => ({ type: 'keyDown', value }) as const

/** Elements by a way to find them, searched again at each use. */
export class Locator {
  private readonly tab: Tab
  readonly steps: readonly Step[]

  constructor(tab: Tab, steps: readonly Step[]) {
    this.tab = tab
    this.steps = steps
  }

  private with = (step: Step) => new Locator(this.tab, [...this.steps, step])
  getByRole = (role: string, { name, ...rest }: RoleOptions = {}): Locator =>
    this.with({ by: 'role', role, ...rest, ...(name === undefined ? {} : { name: wanted(name) }) })
  getByText = (text: string | RegExp): Locator => this.with({ by: 'text', text: wanted(text) })
  getByLabel = (text: string | RegExp, options: { exact?: boolean } = {}): Locator =>
    this.with({ by: 'label', text: wanted(text), ...options })
  locator = (css: string): Locator => this.with({ by: 'css', css })
  filter = ({ hasText, has }: { hasText?: string | RegExp; has?: Locator }): Locator =>
    this.with({
      by: 'filter',
      ...(hasText === undefined ? {} : { text: wanted(hasText) }),
      ...(has === undefined ? {} : { has: has.steps }),
    })
  nth = (at: number): Locator => this.with({ by: 'nth', at })
  first = (): Locator => this.nth(0)
  page = (): Tab => this.tab
  toString = (): string => JSON.stringify(this.steps)

  count = async (): Promise<number> => (await this.tab.find({ steps: this.steps })).length
  allTextContents = async (): Promise<string[]> => (await this.tab.find({ steps: this.steps })).map(({ text }) => text)
  /** The one element, once it is there. */
  one = (): Promise<Found> =>
    waitForResult(`${this} to be there`, async () => pickOnlyElement(await this.tab.find({ steps: this.steps })))

  /** Until exactly one is on the screen, or none. */
  async waitFor({ state = 'visible' }: { state?: 'visible' | 'hidden' } = {}): Promise<void> {
    await waitForResult(`${this} to be ${state}`, async () => {
      const shown = (await this.tab.find({ steps: this.steps })).filter(({ isShown }) => isShown)
      return shown.length === (state === 'visible' ? 1 : 0) ? shown : `${shown.length} are visible`
    })
  }

  /** The one element, once a person can press it: in view, enabled, at rest and under nothing else. */
  private async ready(): Promise<Found> {
    let before: Found | undefined
    return waitForResult(`${this} to be ready`, async () => {
      const found = pickOnlyElement(await this.tab.find({ steps: this.steps, aim: true }))
      if (typeof found === 'string') return found
      const isAtRest = before?.x === found.x && before.y === found.y
      before = found
      if (!found.isShown || found.isDisabled) return `shown: ${found.isShown}, disabled: ${found.isDisabled}`
      return isAtRest && found.isOnTop ? found : `at rest: ${isAtRest}, on top: ${found.isOnTop}`
    })
  }

  /** The pointer goes there first: in WebKit a press is lost while its window is still being drawn in a new size. */
  async click(): Promise<void> {
    const found = await waitForResult(`the pointer to reach ${this}`, async () => {
      const found = await this.ready()
      if (found.isPointedAt) return found
      await this.tab.point(found)
      return 'the page knows of no pointer there'
    })
    await this.tab.press(found)
  }

  async check(): Promise<void> {
    if (!(await this.ready()).isChecked) await this.click()
    await waitForResult(`${this} to be checked`, async () => {
      const found = await this.one()
      return found.isChecked ? found : 'unchecked'
    })
  }

  /** Replaces what is in the field, key by key. */
  async fill(value: string): Promise<void> {
    await this.ready()
    await this.tab.find({ steps: this.steps, focus: true })
    await (value === '' ? this.tab.keyboard.press('Backspace') : this.tab.keyboard.type(value))
  }
}

const wanted = (text: string | RegExp): TextQuery =>
  typeof text === 'string' ? text : { source: text.source, flags: text.flags }

const pickOnlyElement = (found: Found[]): Found | string =>
  found.length === 1 && found[0] ? found[0] : `${found.length} elements, of which one is meant`

/** Looks until there is more than a reason why not. A page that is being replaced fails meanwhile. */
async function waitForResult<Result>(what: string, look: () => Promise<Result | string>): Promise<Result> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const seen = await look().catch((error: unknown) => String(error))
    if (typeof seen !== 'string') return seen
    if (performance.now() > end) throw new Error(`Timed out waiting for ${what}: ${seen}`)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
