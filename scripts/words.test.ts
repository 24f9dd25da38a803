import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { listRepoFiles } from './lib/files.ts'
import { ROOT } from './setup.mjs'

/** The texts that several apps use, and those beside the screens of one. */
const isCatalogue = (path: string) => path.startsWith('shared/src/messages/') || path.includes('/texts/')
const isCode = (path: string) => /\.tsx?$/.test(path) && !/\.(test|d)\.ts/.test(path)
const code = listRepoFiles().filter((path) => /^(client|server|shared)\/src\//.test(path) && isCode(path))

/** Code without types, comments and entries like `failed: CAMERA.failed`: a name used only in those is never shown. */
async function running(path: string): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(join(ROOT, path), 'utf8'), path, { sourcemap: false })
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\b(\w+): [\w.]+\.\1\b/g, '')
}

/** The paths to all texts and functions of a catalogue, as in `tickets.empty.title`. A list counts as one. */
const leavesOf = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
    : [[...path]]

/** Names and texts in code, as in `FIGURES.audit` or `'ticket.sold'`. */
const namedIn = (text: string) =>
  new Set([...(text.match(/[\w$]+/g) ?? []), ...Array.from(text.matchAll(/["']([\w. ]+)["']/g), ([, inner]) => inner)])

test('every text in the catalogues is used by code that can show it', async () => {
  const texts = new Map(await Promise.all(code.map(async (path) => [path, await running(path)] as const)))
  const textOf = (paths: string[]) => paths.map((path) => texts.get(path)).join('\n')
  const named = namedIn(textOf(code.filter((path) => !isCatalogue(path))))
  // The types give the other languages the same keys as English.
  const catalogues = code.filter((path) => isCatalogue(path) && !/\/(gu|hi)\.ts$/.test(path))
  const amongThem = textOf(catalogues)
  const unshown: string[] = []
  for (const path of catalogues)
    for (const [name, value] of Object.entries(await import(pathToFileURL(join(ROOT, path)).href)))
      for (const leaf of leavesOf(value, [name])) {
        const keys = leaf.length > 1 ? leaf.slice(1) : leaf
        const inside = leaf.some((_, at) => at > 0 && amongThem.includes(leaf.slice(0, at + 1).join('.')))
        if (!inside && !keys.every((key) => named.has(key))) unshown.push(leaf.join('.'))
      }
  expect(unshown).toEqual([])
})
