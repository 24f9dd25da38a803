/** A text to look for: part of it in any case, unless `exact`; or a pattern. */
export type TextQuery = string | { source: string; flags: string }

/** From all elements so far to those of the next step. */
export type Step =
  | { by: 'role'; role: string; name?: TextQuery; exact?: boolean; level?: number }
  | { by: 'label' | 'text'; text: TextQuery; exact?: boolean }
  | { by: 'css'; css: string }
  | { by: 'filter'; text?: TextQuery; has?: readonly Step[] }
  | { by: 'nth'; at: number }

/** What is known of an element that was found. */
export interface Found {
  text: string
  /** The value of a field. */
  value: string
  isShown: boolean
  isDisabled: boolean
  isChecked: boolean
  isFocused: boolean
  /** Its middle, in the window. */
  x: number
  y: number
  width: number
  height: number
  /** Whether a press in its middle reaches it. */
  isOnTop: boolean
  /** Whether the pointer is there, as the page knows. */
  isPointedAt: boolean
}

declare global {
  interface Window {
    /** @testing-library/dom, put into the page by the tab: it knows roles and names. */
    TestingLibraryDom: {
      queryAllByRole(root: Element, role: string, options: object): Element[]
    }
  }
}

/**
 * Runs in the page and must be whole in itself, as its text is sent: the elements found by these steps, as a person who
 * looks or listens finds them. With `aim` the first one is brought into view; with `focus` it gets the focus and its text is
 * selected.
 */
export function find({ steps, aim, focus }: { steps: readonly Step[]; aim?: boolean; focus?: boolean }): Found[] {
  const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/[\s\u200b]+/g, ' ').trim()
  const fits = (text: string | null | undefined, wanted: TextQuery, exact = false) => {
    const said = plain(text)
    if (typeof wanted !== 'string') return new RegExp(wanted.source, wanted.flags).test(said)
    return exact ? said === plain(wanted) : said.toLowerCase().includes(plain(wanted).toLowerCase())
  }
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const isExposed = (element: Element) => isShown(element) && element.closest('[aria-hidden="true"], [inert]') === null
  const innermost = (all: Element[]) => all.filter((one) => !all.some((other) => other !== one && one.contains(other)))

  const next = (root: Element, step: Exclude<Step, { by: 'filter' | 'nth' }>): Element[] => {
    if (step.by === 'css') return [...root.querySelectorAll(step.css)]
    if (step.by === 'role') {
      const { role, name, exact, level } = step
      const options = {
        hidden: true,
        ...(level === undefined ? {} : { level }),
        ...(name === undefined ? {} : { name: (said: string) => fits(said, name, exact) }),
      }
      return window.TestingLibraryDom.queryAllByRole(root, role, options).filter(isExposed)
    }
    const { text, exact } = step
    if (step.by === 'text')
      return innermost(
        [...root.querySelectorAll('*')].filter(
          (one) => one.closest('script, style, noscript, template') === null && fits(one.textContent, text, exact),
        ),
      )
    return [...root.querySelectorAll('[aria-label], input, select, textarea')].filter((one) =>
      [
        one.getAttribute('aria-label'),
        ...Array.from((one as HTMLInputElement).labels ?? [], (l) => l.textContent),
      ].some((label) => label !== null && fits(label, text, exact)),
    )
  }
  const search = (all: readonly Step[]): Element[] => {
    let found: Element[] = [document.documentElement]
    for (const step of all) {
      if (step.by === 'nth') found = found.slice(step.at, step.at === -1 ? undefined : step.at + 1)
      else if (step.by === 'filter') {
        const inner = step.has === undefined ? undefined : search(step.has)
        found = found.filter(
          (one) =>
            (step.text === undefined || fits(one.textContent, step.text)) &&
            (inner === undefined || inner.some((other) => other !== one && one.contains(other))),
        )
      } else found = [...new Set(found.flatMap((root) => next(root, step)))]
    }
    return found
  }

  const all = search(steps)
  const [first] = all
  if (aim && first && !first.checkVisibility()) first.scrollIntoView({ block: 'center', behavior: 'instant' })
  if (aim) first?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  if (focus && first instanceof HTMLElement) {
    first.focus()
    if (first instanceof HTMLInputElement || first instanceof HTMLTextAreaElement) first.select()
  }
  return all.map((one) => {
    const field = one as HTMLInputElement
    const { left, top, width, height } = one.getBoundingClientRect()
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
    const hit = document.elementFromPoint(x, y)
    const label = hit?.closest('label')
    return {
      text: plain(one.textContent),
      value: typeof field.value === 'string' ? field.value : '',
      isShown: isShown(one),
      isDisabled: one.matches(':disabled') || one.closest('[aria-disabled="true"]') !== null,
      isChecked: field.checked === true || one.getAttribute('aria-checked') === 'true',
      isFocused: one === document.activeElement,
      ...{ x, y, width, height },
      isPointedAt: hit?.matches(':hover') ?? false,
      isOnTop: hit !== null && (one.contains(hit) || (label?.contains(one) ?? false) || label?.control === one),
    }
  })
}
