import { byLabel, byRole, byText, fits, plain, type RoleOptions, type TextOptions } from './find.ts'
import type { Page } from './page.ts'
import { isShown } from './visibility.ts'

export type { RoleOptions, TextOptions } from './find.ts'

interface Search {
  page: Page
  /** For the message of a failure. */
  say: string
  find: () => Element[]
}

interface FilterOptions {
  hasText?: string | RegExp
  hasNotText?: string | RegExp
  has?: Locator
  hasNot?: Locator
}

/** Elements of a page by a way to find them, searched again at each use, with the interface of Playwright's locators. */
export class Locator {
  private readonly search: Search

  constructor(search: Search) {
    this.search = search
  }

  page = (): Page => this.search.page
  toString = (): string => this.search.say
  /** What is found now. */
  elements = (): Element[] => this.search.find()

  private within(say: string, find: (root: Element) => Element[]): Locator {
    return new Locator({
      page: this.search.page,
      say: `${this.search.say} ${say}`,
      find: () => unique(this.elements().flatMap(find)),
    })
  }

  private among(say: string, choose: (found: Element[]) => Element[]): Locator {
    return new Locator({ ...this.search, say: `${this.search.say} ${say}`, find: () => choose(this.elements()) })
  }

  getByRole = (role: string, options?: RoleOptions): Locator =>
    this.within(`role ${role} ${options?.name ?? ''}`, (root) => byRole(root, role, options))
  getByText = (text: string | RegExp, options?: TextOptions): Locator =>
    this.within(`text ${text}`, (root) => byText(root, text, options))
  getByLabel = (text: string | RegExp, options?: TextOptions): Locator =>
    this.within(`label ${text}`, (root) => byLabel(root, text, options))
  locator = (css: string, options: FilterOptions = {}): Locator =>
    this.within(css, (root) => [...root.querySelectorAll(css)]).filter(options)

  filter({ hasText, hasNotText, has, hasNot }: FilterOptions): Locator {
    return this.among('filtered', (found) => {
      // Once for all that was found: each search of roles goes over the whole page.
      const wanted = has?.elements()
      const unwanted = hasNot?.elements()
      return found.filter(
        (element) =>
          (hasText === undefined || fits(element.textContent, hasText)) &&
          (hasNotText === undefined || !fits(element.textContent, hasNotText)) &&
          wanted?.some((one) => element.contains(one)) !== false &&
          !unwanted?.some((one) => element.contains(one)),
      )
    })
  }

  or = (other: Locator): Locator => this.among(`or ${other}`, (found) => unique([...found, ...other.elements()]))
  and = (other: Locator): Locator =>
    this.among(`and ${other}`, (found) => {
      const others = new Set(other.elements())
      return found.filter((element) => others.has(element))
    })
  first = (): Locator => this.nth(0)
  last = (): Locator => this.nth(-1)
  nth = (index: number): Locator =>
    this.among(`[${index}]`, (found) => found.slice(index, index === -1 ? undefined : index + 1))

  all = async (): Promise<Locator[]> => this.elements().map((_, index) => this.nth(index))
  count = async (): Promise<number> => this.elements().length
  allTextContents = async (): Promise<string[]> => this.elements().map(({ textContent }) => textContent ?? '')
  isVisible = async (): Promise<boolean> => this.elements().some(isShown)
  textContent = async (): Promise<string> => (await this.one()).textContent ?? ''
  innerText = async (): Promise<string> => plain((await this.one()).textContent)
  inputValue = async (): Promise<string> => ((await this.one()) as HTMLInputElement).value
  getAttribute = async (name: string): Promise<string | null> => (await this.one()).getAttribute(name)
  evaluate = async <R>(run: (element: HTMLElement) => R): Promise<Awaited<R>> =>
    await run((await this.one()) as HTMLElement)

  /** The one element, once it is there. */
  one = (): Promise<Element> => waitForValue(() => findOnlyElement(this), `${this} to be there`)

  /** The one element, once a person can use it. */
  private ready = (): Promise<Element> =>
    waitForValue(() => {
      const element = findOnlyElement(this)
      return element !== null && isUsable(element) ? element : null
    }, `${this} to be usable`)

  async waitFor(): Promise<void> {
    await waitForValue(() => {
      const element = findOnlyElement(this)
      return element !== null && isShown(element) ? element : null
    }, `${this} to be shown`)
  }

  async click(): Promise<void> {
    await this.search.page.user.click(await this.ready())
  }

  async dblclick(): Promise<void> {
    await this.search.page.user.dblClick(await this.ready())
  }

  async hover(): Promise<void> {
    await this.search.page.user.hover(await this.ready())
  }

  async focus(): Promise<void> {
    const element = (await this.one()) as HTMLElement
    element.focus()
  }

  async blur(): Promise<void> {
    const element = (await this.one()) as HTMLElement
    element.blur()
  }

  async press(key: string): Promise<void> {
    await this.focus()
    await this.search.page.keyboard.press(key)
  }

  /** Types key by key, after what is there. */
  async pressSequentially(text: string): Promise<void> {
    await this.focus()
    await this.search.page.keyboard.type(text)
  }

  async fill(value: string): Promise<void> {
    const field = (await this.ready()) as HTMLInputElement
    const { window } = this.search.page
    field.focus()
    const { prototype } = field.localName === 'textarea' ? window.HTMLTextAreaElement : window.HTMLInputElement
    // Past React, which takes a value set on the element itself for its own.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new window.InputEvent('input', { bubbles: true, inputType: 'insertText' }))
    if (!/^(text|search|email|tel|url|password|number|)$/.test(field.type) && field.localName !== 'textarea')
      field.dispatchEvent(new window.Event('change', { bubbles: true }))
  }

  clear = (): Promise<void> => this.fill('')
  check = (): Promise<void> => this.setChecked(true)
  uncheck = (): Promise<void> => this.setChecked(false)

  async setChecked(wanted: boolean): Promise<void> {
    const element = await this.ready()
    if (isChecked(element) !== wanted) await this.search.page.user.click(element)
    await waitForValue(
      () => (isChecked(findOnlyElement(this)) === wanted ? true : null),
      `${this} to be ${wanted ? '' : 'un'}checked`,
    )
  }

  async selectOption(option: string | { label: string }): Promise<void> {
    const select = (await this.ready()) as HTMLSelectElement
    const chosen = [...select.options].find((one) =>
      typeof option === 'string'
        ? one.value === option || plain(one.label) === option
        : plain(one.label) === option.label,
    )
    if (!chosen) throw new Error(`${this} has no option ${JSON.stringify(option)}`)
    await this.search.page.user.selectOptions(select, chosen)
  }

  async setInputFiles(file: { name: string; mimeType: string; buffer: Uint8Array }): Promise<void> {
    const { window, user } = this.search.page
    const bytes = new window.Uint8Array(file.buffer)
    await user.upload((await this.one()) as HTMLElement, new window.File([bytes], file.name, { type: file.mimeType }))
  }
}

export const isChecked = (element: Element | null): boolean =>
  element !== null &&
  ('checked' in element && element.localName === 'input'
    ? element.checked === true
    : element.getAttribute('aria-checked') === 'true')

export const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null

/** A menu's button takes presses only some milliseconds after it is painted, sooner than anybody presses it. */
const isUnready = (element: Element): boolean =>
  element.matches('button[aria-haspopup="menu"]') && !element.hasAttribute('aria-expanded')

const isUsable = (element: Element) =>
  isShown(element) && !isDisabled(element) && !isUnready(element) && element.closest('[inert]') === null

const unique = (elements: Element[]): Element[] => [...new Set(elements)]

function findOnlyElement(locator: Locator): Element | null {
  const found = locator.elements()
  if (found.length > 1) throw new Error(`${locator}: ${found.length} elements, of which one is meant`)
  return found[0] ?? null
}

export const PATIENCE_MS = 30_000
const EVERY_MS = 10

/** Looking for a role in a large page takes long: waiting as long as a few looks leaves the page its time to get there. */
export const lookAgain = (begun: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(EVERY_MS, 2 * (performance.now() - begun))))

/** Resolves to the first result of `look` that is not null. Rejects with what was awaited, or with the last error of `look`. */
export async function waitForValue<T>(look: () => T | null, what: string): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const begun = performance.now()
    let failure: unknown = null
    try {
      const seen = look()
      if (seen !== null) return seen
    } catch (error) {
      failure = error
    }
    if (performance.now() > end) throw failure ?? new Error(`Timed out waiting for ${what}`)
    await lookAgain(begun)
  }
}
