import { expect, test } from 'vitest'

const files = import.meta.glob<string>(
  ['../src/**/*.{ts,tsx}', '../../shared/src/**/*.ts', '!**/*.test.ts', '!**/testing/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)
/** In Safari since iOS 17, which phones of before 2018 do not get; in Chrome since 2022 or later. */
const NEWER =
  /\b(withResolvers|groupBy|canParse|fromAsync|isSubsetOf|isDisjointFrom|URL\.parse|Promise\.try|Iterator\.from)(?=[<(])/g

test('pages and scanner call nothing that a phone with iOS 16 lacks', () => {
  expect(Object.keys(files).length).toBeGreaterThan(300)
  expect(
    Object.entries(files).flatMap(([path, code]) => (code.match(NEWER) ?? []).map((name) => `${path}: ${name}`)),
  ).toEqual([])
})
