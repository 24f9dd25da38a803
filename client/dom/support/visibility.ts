import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_DIST } from '../../../scripts/lib/client.ts'

/** A rule of the built styles that says whether something is shown. */
interface Rule {
  selector: string
  /** All must match. */
  media: readonly string[]
  hides: boolean
  weight: number
  /** A class that what it matches has, between spaces; comparing it is quicker than matching. */
  own: string
}

let known: Rule[] | undefined
/** The rules whose conditions hold in a window, where they never change. Few of them hide. */
const inForce = new WeakMap<Document, { rules: Rule[]; hiding: Rule[] }>()

/**
 * Whether the page's own styles hide this element. The styles are not loaded into the pages, which would cost more than
 * all the rest; of them only `display` and `visibility` are looked at here.
 */
export function isHiddenByStyle(element: Element): boolean {
  const { rules, hiding } = inForce.get(element.ownerDocument) ?? rulesIn(element.ownerDocument)
  const classes = ` ${element.getAttribute('class') ?? ''} `
  const applies = ({ selector, own }: Rule) => classes.includes(own) && element.matches(selector)
  if (!hiding.some(applies)) return false
  return rules.filter(applies).reduce((last, rule) => (rule.weight >= last.weight ? rule : last)).hides
}

function rulesIn(document: Document) {
  known ??= readRules(document)
  const holds = (query: string) => document.defaultView?.matchMedia(query).matches
  const rules = known.filter(({ media }) => media.every(holds))
  const found = { rules, hiding: rules.filter(({ hides }) => hides) }
  inForce.set(document, found)
  return found
}

/** Whether this element is drawn, as far as styles and attributes say so. */
export function isShown(element: Element): boolean {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    if (one.hasAttribute('hidden') || HIDDEN_TAGS.has(one.localName)) return false
    if (one.hasAttribute('style')) {
      const { display, visibility } = (one as HTMLElement).style
      if (display === 'none' || visibility === 'hidden') return false
    }
    if (isHiddenByStyle(one)) return false
    const { parentElement: parent } = one
    if (parent?.localName === 'details' && !parent.hasAttribute('open') && one.localName !== 'summary') return false
  }
  return element.isConnected
}
const HIDDEN_TAGS = new Set(['script', 'style', 'noscript', 'template', 'head', 'title'])

/** Whether assistive technology can reach it too. */
export const isExposed = (element: Element): boolean =>
  element.closest('[aria-hidden="true"], [inert]') === null && isShown(element)

function readRules({ documentElement }: Document): Rule[] {
  const isKnown = ({ selector }: Rule) => {
    try {
      return documentElement.matches(selector) !== undefined
    } catch {
      // A state that only a browser knows.
      return false
    }
  }
  const folder = join(CLIENT_DIST, 'assets')
  const styles = readdirSync(folder).filter((name) => name.endsWith('.css'))
  return styles.flatMap((name) => rulesOf(readFileSync(join(folder, name), 'utf8'))).filter(isKnown)
}

/** Built styles are minified: no comments, and blocks only of rules and conditions. */
function rulesOf(css: string, media: readonly string[] = []): Rule[] {
  const rules: Rule[] = []
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at)
    if (open < 0) break
    const close = endOfBlock(css, open)
    const head = css.slice(css.lastIndexOf(';', open) >= at ? css.lastIndexOf(';', open) + 1 : at, open).trim()
    const body = css.slice(open + 1, close)
    if (head.startsWith('@media')) rules.push(...rulesOf(body, [...media, head.slice('@media'.length).trim()]))
    else if (/^@(layer|supports)/.test(head)) rules.push(...rulesOf(body, media))
    else if (!head.startsWith('@')) rules.push(...rule(head, body, media))
    at = close + 1
  }
  return rules
}

function rule(head: string, body: string, media: readonly string[]): Rule[] {
  const said = [...body.matchAll(/(?:^|[;{])(display|visibility):([^;}]+)/g)].at(-1)
  if (!said) return []
  const hides = said[2] === 'none' || said[2] === 'hidden'
  return head
    .split(/,(?![^(]*\))/)
    .filter((selector) => !selector.includes('::'))
    .map((selector) => ({ selector, media, hides, weight: weightOf(selector), own: classOf(selector) }))
}

/** The first class of a selector's last part, unless that part begins with something else. */
function classOf(selector: string): string {
  const [, name] =
    /(?:^|[\s>+~])\.([\w-]+)[^\s>+~]*$/.exec(selector.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '()')) ?? []
  return name === undefined ? '' : ` ${name} `
}

const weightOf = (selector: string) =>
  (selector.match(/#/g) ?? []).length * 100 + (selector.match(/[.[]|:(?!where|is|not)/g) ?? []).length * 10

function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth += 1
    else if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}
