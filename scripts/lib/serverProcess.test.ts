import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openRotatingLog } from './serverProcess.ts'

function inFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'garba-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, file: join(folder, 'server.log') }
}

test('a long log uses at most four files, which hold the newest lines', () => {
  const { folder, file } = inFolder()
  const log = openRotatingLog(file, 100)
  for (let n = 100; n < 200; n += 1) log.write(`line ${n}`)
  log.close()
  expect(readdirSync(folder).sort()).toEqual(['server.log', 'server.log.1', 'server.log.2', 'server.log.3'])
  const kept = ['.3', '.2', '.1', ''].map((ending) => readFileSync(`${file}${ending}`, 'utf8')).join('')
  expect(kept.length).toBeLessThanOrEqual(400)
  expect(kept).toMatch(/^line 1\d\d\n(line 1\d\d\n)+line 199\n$/)
})

test('a restart appends to the existing log and makes it readable only by its owner', () => {
  const { file } = inFolder()
  writeFileSync(file, 'before\n', { mode: 0o644 })
  const log = openRotatingLog(file)
  log.write('after')
  log.close()
  expect(readFileSync(file, 'utf8')).toBe('before\nafter\n')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})

test('a log that cannot be rotated goes on in the same file', () => {
  const { file } = inFolder()
  mkdirSync(`${file}.1`)
  writeFileSync(join(`${file}.1`, 'in the way'), '')
  mkdirSync(`${file}.2`)
  writeFileSync(join(`${file}.2`, 'in the way'), '')
  mkdirSync(`${file}.3`)
  writeFileSync(join(`${file}.3`, 'in the way'), '')
  const log = openRotatingLog(file, 10)
  for (const line of ['first line', 'second line', 'third line']) log.write(line)
  log.close()
  expect(readFileSync(file, 'utf8')).toBe('first line\nsecond line\nthird line\n')
})
