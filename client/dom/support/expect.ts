import { computeAccessibleDescription, computeAccessibleName } from 'dom-accessibility-api'
import { expect } from 'vitest'
import { fits, plain } from './find.ts'
import { isChecked, isDisabled, type Locator, lookAgain, PATIENCE_MS } from './locator.ts'
import type { Page } from './page.ts'
import { isShown } from './visibility.ts'

type Expected = string | RegExp

/** Each waits until it holds, as Playwright's assertions of the same names do. */
interface PageMatchers {
  toBeVisible(): Promise<void>
  toBeHidden(): Promise<void>
  toBeAttached(): Promise<void>
  toBeFocused(): Promise<void>
  toBeEnabled(): Promise<void>
  toBeDisabled(): Promise<void>
  toBeChecked(): Promise<void>
  toHaveCount(count: number): Promise<void>
  toHaveText(text: Expected | readonly Expected[]): Promise<void>
  toContainText(text: Expected | readonly Expected[]): Promise<void>
  toHaveValue(value: Expected): Promise<void>
  toHaveAttribute(name: string, value?: Expected): Promise<void>
  toHaveAccessibleName(name: Expected): Promise<void>
  toHaveAccessibleDescription(text: Expected): Promise<void>
  toHaveURL(url: Expected): Promise<void>
  toHaveTitle(title: Expected): Promise<void>
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends PageMatchers {}
}

const whole = (said: string, wanted: Expected) => fits(said, wanted, { exact: true })

/** What was seen, and whether it is as wanted. */
interface MatchResult {
  holds: boolean
  seen: unknown
}

const one = (judge: (element: Element) => MatchResult) => (locator: Locator) => {
  const found = locator.elements()
  if (found.length > 1) throw new Error(`${locator}: ${found.length} elements, of which one is meant`)
  return found[0] ? judge(found[0]) : { holds: false, seen: 'nothing' }
}

function texts(fit: (said: string, wanted: Expected) => boolean) {
  return (locator: Locator, wanted: Expected | readonly Expected[]): MatchResult => {
    if (typeof wanted === 'string' || wanted instanceof RegExp)
      return one(({ textContent }) => ({ holds: fit(textContent ?? '', wanted), seen: plain(textContent) }))(locator)
    const seen = locator.elements().map(({ textContent }) => plain(textContent))
    return { holds: seen.length === wanted.length && wanted.every((text, at) => fit(seen[at] ?? '', text)), seen }
  }
}

const said = (seen: string | null, wanted: Expected | undefined): MatchResult => ({
  holds: seen !== null && (wanted === undefined || whole(seen, wanted)),
  seen,
})

const LOOKS = {
  toBeVisible: one((element) => ({ holds: isShown(element), seen: element.outerHTML.slice(0, 200) })),
  toBeHidden: (locator: Locator) => {
    const shown = locator.elements().filter(isShown)
    return { holds: shown.length === 0, seen: shown.map(({ outerHTML }) => outerHTML.slice(0, 200)) }
  },
  toBeAttached: (locator: Locator) => ({ holds: locator.elements().length > 0, seen: 'nothing' }),
  toBeFocused: one((element) => {
    const { activeElement } = element.ownerDocument
    return { holds: element === activeElement, seen: activeElement?.outerHTML.slice(0, 200) }
  }),
  toBeEnabled: one((element) => ({ holds: !isDisabled(element), seen: element.outerHTML.slice(0, 200) })),
  toBeDisabled: one((element) => ({ holds: isDisabled(element), seen: element.outerHTML.slice(0, 200) })),
  toBeChecked: one((element) => ({ holds: isChecked(element), seen: element.outerHTML.slice(0, 200) })),
  toHaveCount: (locator: Locator, count: number) => {
    const { length } = locator.elements()
    return { holds: length === count, seen: length }
  },
  toHaveText: texts(whole),
  toContainText: texts((text, wanted) =>
    wanted instanceof RegExp ? fits(text, wanted) : plain(text).includes(plain(wanted)),
  ),
  toHaveValue: (locator: Locator, wanted: Expected) =>
    one((element) => said((element as HTMLInputElement).value, wanted))(locator),
  toHaveAttribute: (locator: Locator, name: string, wanted?: Expected) =>
    one((element) => said(element.getAttribute(name), wanted))(locator),
  toHaveAccessibleName: (locator: Locator, wanted: Expected) =>
    one((element) => said(computeAccessibleName(element), wanted))(locator),
  toHaveAccessibleDescription: (locator: Locator, wanted: Expected) =>
    one((element) => said(computeAccessibleDescription(element), wanted))(locator),
  toHaveURL: (page: Page, wanted: Expected) =>
    said(page.url(), typeof wanted === 'string' ? new URL(wanted, page.context.baseURL).href : wanted),
  toHaveTitle: (page: Page, wanted: Expected) => said(page.document.title, wanted),
}

/** An assertion that looks again until it holds, or until nobody would wait any longer. */
async function matched({ isNot = false }: { isNot?: boolean }, look: () => MatchResult, name: string) {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const begun = performance.now()
    const { holds, seen } = attempt(look)
    if (holds !== isNot || performance.now() > end)
      return { pass: holds, message: () => `${isNot ? 'not ' : ''}${name}; seen: ${JSON.stringify(seen)}` }
    await lookAgain(begun)
  }
}

function attempt(look: () => MatchResult): MatchResult {
  try {
    return look()
  } catch (error) {
    return { holds: false, seen: String(error) }
  }
}

expect.extend(
  Object.fromEntries(
    Object.entries(LOOKS).map(([name, look]) => [
      name,
      function (this: { isNot?: boolean }, subject: unknown, ...wanted: unknown[]) {
        const looking = () => (look as (...all: unknown[]) => MatchResult)(subject, ...wanted)
        return matched(this, looking, `${subject}: ${name} ${wanted.map(String).join(' ')}`)
      },
    ]),
  ),
)

export { expect }
