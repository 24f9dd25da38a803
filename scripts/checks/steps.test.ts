import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { typesKept } from './steps.ts'

test('what tsc found out is kept until a package is installed or removed', () => {
  const root = mkdtempSync(join(tmpdir(), 'garba-types-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const install = (name: string) =>
    write(join(root, 'node_modules', '.package-lock.json'), `{"packages": {"node_modules/${name}": {}}}`)

  install('zod')
  const before = typesKept(root, 'shared')
  write(before, '{}')
  expect(typesKept(root, 'shared')).toBe(before)
  expect(existsSync(before)).toBe(true)

  install('hono')
  expect(typesKept(root, 'shared')).not.toBe(before)
  expect(existsSync(before)).toBe(false)
  expect(typesKept(root, 'server')).not.toBe(typesKept(root, 'shared'))
})
