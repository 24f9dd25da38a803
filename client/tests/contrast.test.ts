import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../src/kit/tokens.css', import.meta.url), 'utf8')

/** The variables of the blocks whose selector list contains `selector`. */
const variablesOf = (selector: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [, selectors = '', body = ''] of css.matchAll(/^([^{}@]+)\{([^}]*)\}/gm))
    if (
      selectors
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .split(',')
        .some((one) => one.trim() === selector)
    )
      for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) found.set(name, value.trim())
  return found
}

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** WCAG 2.2 relative luminance. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((from) => channel(Number.parseInt(hex.slice(from, from + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Words on their grounds, as the components use them. */
const WORDS = [
  ...['text', 'text-soft', 'link'].flatMap((word) =>
    ['ground', 'surface', 'raised', 'field', 'hover'].map((ground) => [word, ground] as const),
  ),
  ...['ok', 'warn', 'bad', 'info'].flatMap((state) => [
    [`${state}-text`, `${state}-soft`] as const,
    [`${state}-text`, 'surface'] as const,
    [`${state}-text`, 'ground'] as const,
    ['text', `${state}-soft`] as const,
  ]),
  ['on-primary', 'primary'],
  ['on-primary', 'primary-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['text-soft', 'skeleton'],
  ['on-badge', 'avatar'],
  ['ground', 'text'],
] as const

/** Edges of controls, focus rings and drawn states: 3:1 (WCAG 1.4.11). */
const EDGES = [
  ['line-strong', 'ground'],
  ['line-strong', 'surface'],
  ['line-strong', 'field'],
  ['focus', 'ground'],
  ['focus', 'surface'],
  ['primary', 'surface'],
] as const

describe.each(['night', 'paper'])('on %s', (surface) => {
  const colours = new Map([...variablesOf(':root'), ...variablesOf(`[data-surface="${surface}"]`)])
  const colour = (name: string): string => {
    const value = colours.get(name)
    if (value === undefined || !/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`${name} is not a hex colour: ${value}`)
    return value
  }
  test.each(WORDS)('%s is readable on %s', (word, ground) => {
    expect(contrast(colour(word), colour(ground))).toBeGreaterThanOrEqual(4.5)
  })
  test.each(EDGES)('%s can be told from %s', (edge, ground) => {
    expect(contrast(colour(edge), colour(ground))).toBeGreaterThanOrEqual(3)
  })
  test.each(['red', 'blue', 'green', 'grey'])('the %s badge is readable', (tone) => {
    expect(contrast(colour('on-badge'), colour(`badge-${tone}`))).toBeGreaterThanOrEqual(4.5)
  })
})
