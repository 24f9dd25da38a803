import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS, makeMigration } from '../../lib/makeMigration.ts'

function copyOfMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  return folder
}

test('the migrations produce exactly the tables in the code', async () => {
  const out = copyOfMigrations()
  expect(await makeMigration({ name: 'none', out })).toContain('No schema changes')
  expect(readdirSync(out)).toEqual(readdirSync(MIGRATIONS))
})

test('a difference between code and migrations is written as a new migration', async () => {
  const out = copyOfMigrations()
  const snapshots = readdirSync(join(out, 'meta')).filter((file) => file.endsWith('_snapshot.json'))
  const newest = join(out, 'meta', snapshots.sort().at(-1) ?? '')
  const snapshot = JSON.parse(readFileSync(newest, 'utf8'))
  delete snapshot.tables.devices.columns.roster_revision
  writeFileSync(newest, JSON.stringify(snapshot))
  await makeMigration({ name: 'roster_revision', out })
  const fresh = readdirSync(out).find((file) => file.endsWith('_roster_revision.sql')) ?? ''
  expect(readFileSync(join(out, fresh), 'utf8')).toBe('ALTER TABLE `devices` ADD `roster_revision` integer;')
})
