import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtVersion, VERSION_FILE } from './version.ts'

test('the server has the version of the built client, or of the package when nothing is built', () => {
  const built = mkdtempSync(join(tmpdir(), 'garba-built-'))
  expect(builtVersion(built)).toMatch(/^\d+\.\d+\.\d+$/)
  writeFileSync(join(built, VERSION_FILE), '1.2.0+4f9c2ab\n')
  expect(builtVersion(built)).toBe('1.2.0+4f9c2ab')
  rmSync(built, { recursive: true })
})
