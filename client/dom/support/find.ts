import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { isExposed } from './visibility.ts'

export interface TextOptions {
  exact?: boolean
}

export interface RoleOptions extends TextOptions {
  name?: string | RegExp
  level?: number
  expanded?: boolean
  includeHidden?: boolean
}

export const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/[\s\u200b]+/g, ' ').trim()

/** As Playwright compares: a part of the text in any case, unless exact. */
export function fits(text: string | null | undefined, wanted: string | RegExp, { exact = false }: TextOptions = {}) {
  const said = plain(text)
  if (wanted instanceof RegExp) return new RegExp(wanted.source, wanted.flags.replace('g', '')).test(said)
  return exact ? said === plain(wanted) : said.toLowerCase().includes(plain(wanted).toLowerCase())
}

/** Which elements have a role of their own, for the roles that tests ask for most: looking at every element takes longer. */
const ELEMENTS: Readonly<Record<string, string>> = {
  button: 'button, summary, input',
  checkbox: 'input',
  combobox: 'input, select',
  dialog: 'dialog',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a',
  textbox: 'input, textarea',
}

export function byRole(root: Element, role: string, options: RoleOptions = {}): Element[] {
  const { name, level, expanded, includeHidden = false } = options
  return [...root.querySelectorAll(role in ELEMENTS ? `[role], ${ELEMENTS[role]}` : '*')].filter(
    (element) =>
      getRole(element) === role &&
      (level === undefined || levelOf(element) === level) &&
      (expanded === undefined || element.getAttribute('aria-expanded') === String(expanded)) &&
      (name === undefined || fits(computeAccessibleName(element), name, options)) &&
      (includeHidden || isExposed(element)),
  )
}

const levelOf = (heading: Element) => Number(heading.getAttribute('aria-level') ?? heading.localName.slice(1))

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title'])

/** The innermost elements with this text. */
export function byText(root: Element, text: string | RegExp, options: TextOptions = {}): Element[] {
  // An element's text has that of all it contains, so what lacks a part of a text contains nothing that has it.
  const isPart = typeof text === 'string' && !options.exact
  const within = (element: Element): Element[] => [...element.children].flatMap(innermost)
  const innermost = (element: Element): Element[] => {
    if (SILENT.has(element.localName)) return []
    const has = () => fits(element.textContent, text, options)
    if (isPart && !has()) return []
    const inner = within(element)
    return inner.length > 0 || !(isPart || has()) ? inner : [element]
  }
  return within(root)
}

const LABELLED = '[aria-label], [aria-labelledby], input, select, textarea, button, progress, meter, output'

export function byLabel(root: Element, text: string | RegExp, options?: TextOptions): Element[] {
  return [...root.querySelectorAll(LABELLED)].filter((element) =>
    labelsOf(element).some((label) => fits(label, text, options)),
  )
}

function labelsOf(element: Element): string[] {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
  const named = ids.map((id) => element.ownerDocument.getElementById(id)?.textContent ?? '').join(' ')
  const own = element.getAttribute('aria-label') ?? ''
  const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLLabelElement> | null) ?? [])] : []
  return [named, own, ...labels.map(({ textContent }) => textContent ?? '')].filter((label) => label !== '')
}
