import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkTypes, pickTempFolder } from './steps.ts'

test('a type check caches one file per set of installed packages, and nothing when it fails', async () => {
  const root = mkdtempSync(join(tmpdir(), 'garba-types-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const kept = () => {
    const folder = join(root, '.cache', 'types')
    return existsSync(folder) ? readdirSync(folder) : []
  }
  write('client/tsconfig.json', '{"compilerOptions": {"noEmit": true, "types": [], "lib": ["es5"]}, "include": ["."]}')
  write('client/a.ts', "import 'later'\n")
  write('node_modules/.package-lock.json', '{}')
  expect(await checkTypes(root, 'client')).not.toBe(0)
  expect(kept()).toEqual([])

  write('client/later.d.ts', "declare module 'later'\n")
  expect(await checkTypes(root, 'client')).toBe(0)
  expect(kept()).toHaveLength(1)

  write('node_modules/.package-lock.json', '{"packages": {}}')
  expect(await checkTypes(root, 'client')).toBe(0)
  expect(kept()).toHaveLength(2)
})

test('temporary files are in memory only where there is a folder for them that may hold programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-mounts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const mounts = join(folder, 'mounts')
  for (const line of [
    'tmpfs /dev/shm tmpfs rw,noexec 0 0',
    'tmpfs /dev/shm tmpfs ro 0 0',
    '/dev/a /dev/shm ext4 rw 0 0',
    '',
  ]) {
    writeFileSync(mounts, `/dev/a / ext4 rw 0 0\n${line}\n`)
    expect(pickTempFolder(mounts)).toBe(tmpdir())
  }
  expect(pickTempFolder(join(folder, 'none'))).toBe(tmpdir())
})
