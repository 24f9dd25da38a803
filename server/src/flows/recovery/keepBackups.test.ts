import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@garba/shared/constants'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listBackups } from '../../backups/copies.ts'
import { unsealBackup } from '../../backups/sealed.ts'
import { openStore } from '../../store/engine/open.ts'
import { findEvent } from '../../store/events.ts'
import { bought, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, type World } from '../../testing/world.ts'
import { backUpIfDue, backUpNow, backupMinutes, backupState, keepBackups } from './keepBackups.ts'

/** The event begins at 18:30 and ends at 22:30 in Kolkata. */
const AFTERNOON = '2025-09-22T08:00:00Z'
const TWO_HOURS_BEFORE = '2025-09-22T11:00:00Z'

async function backingUp(environment: Record<string, string> = {}) {
  const world = await makeWorld({ settings: { BACKUP_DIR: '/set/below', ...environment } })
  const dir = join(world.folder, 'backups')
  const { backups, ...settings } = world.deps.settings
  if (!backups) throw new Error('BACKUP_DIR was set')
  const databaseFile = world.sqliteStore().sqlite.name
  const deps = { ...world.deps, settings: { ...settings, databaseFile, backups: { ...backups, dir } } }
  return { world, dir, deps, look: () => backUpIfDue(deps), count: () => listBackups(dir).length }
}

const lastBackup = async (world: World) => {
  const { body } = await (await world.as('admin')).request('GET', '/api/admin/system/health')
  return (body.data as { lastBackup: string | null }).lastBackup
}

test('backups are an hour apart, and five minutes from two hours before the event to two hours after it', async () => {
  const world = await makeWorld({ settings: { BACKUP_DIR: '/never/used' } })
  await putOnSale(world)
  const event = await world.store.read(findEvent)
  const at = (instant: string) => backupMinutes(event, { settings: world.deps.settings, now: new Date(instant) })
  expect(at(TWO_HOURS_BEFORE)).toBe(5)
  expect(at('2025-09-22T10:59:59Z')).toBe(60)
  expect(at('2025-09-22T19:00:00Z')).toBe(5)
  expect(at('2025-09-22T19:00:01Z')).toBe(60)
  expect(backupMinutes(undefined, { settings: world.deps.settings, now: new Date(TWO_HOURS_BEFORE) })).toBe(60)
})

test('a backup is made when the newest is old enough', async () => {
  const { world, look, count } = await backingUp()
  await putOnSale(world)
  world.clock.set(AFTERNOON)
  await look()
  await look()
  expect(count()).toBe(1)
  world.clock.forward(59 * MINUTE_MS)
  await look()
  expect(count()).toBe(1)
  world.clock.forward(MINUTE_MS)
  await look()
  expect(count()).toBe(2)
})

test('a backup holds what was sold before it, is readable only by its owner, and is noted for the desk', async () => {
  const { world, dir, deps, look } = await backingUp({ BACKUP_EVERY: '10' })
  await putOnSale(world)
  await bought(await world.as('guest'), 3)
  await look()
  const [newest] = listBackups(dir)
  const copy = openStore(newest?.path ?? '')
  expect(copy.sqlite.prepare('select count(*) as n from tickets').get()).toEqual({ n: 3 })
  await copy.close()
  expect(statSync(newest?.path ?? '').mode & 0o077).toBe(0)
  expect(await lastBackup(world)).toBe(world.clock.now().toISOString())
  expect(await backupState(deps)).toEqual({ everyMinutes: 10, failed: null })
})

test('a backup whose time cannot be stored in a full database is made, with a warning in the log', async () => {
  const { world, look, count } = await backingUp()
  world.sqliteStore().sqlite.exec("create trigger full before insert on meta begin select raise(fail, 'no room'); end")
  await look()
  expect(count()).toBe(1)
  expect(world.log.join('')).toMatch(
    /could not be written: no room.*the desk and the alarms do not know of this backup/,
  )
})

test('the newest are kept, and other files in the folder are left alone', async () => {
  const { world, dir, look, count } = await backingUp({ BACKUP_EVERY: '1', BACKUP_KEEP: '2' })
  mkdirSync(dir)
  for (const name of ['garba.db', 'garba-by-hand.db', 'notes.txt']) writeFileSync(join(dir, name), 'mine')
  for (let n = 0; n < 4; n++) {
    await look()
    world.clock.forward(MINUTE_MS)
  }
  expect(count()).toBe(2)
  expect(readdirSync(dir)).toEqual(expect.arrayContaining(['garba.db', 'garba-by-hand.db', 'notes.txt']))
  expect(readdirSync(dir)).toHaveLength(5)
})

test('the oldest are deleted although the next cannot be made, because they may have filled the disk', async () => {
  const { world, dir, deps, look, count } = await backingUp({ BACKUP_EVERY: '1' })
  for (let n = 0; n < 3; n++) {
    await look()
    world.clock.forward(MINUTE_MS)
  }
  rmSync(deps.settings.databaseFile)
  const backups = { ...deps.settings.backups, keep: 2 }
  await expect(backUpIfDue({ ...deps, settings: { ...deps.settings, backups } })).rejects.toThrow(
    'There is no database',
  )
  expect(count()).toBe(2)
  expect(readdirSync(dir)).toHaveLength(2)
})

test('backups of a clock that was ahead do not push out those made since it was set back', async () => {
  const { world, dir, deps, look } = await backingUp({ BACKUP_KEEP: '2' })
  await putOnSale(world)
  world.clock.forward(24 * 60 * MINUTE_MS)
  for (let n = 0; n < 2; n += 1) {
    await look()
    world.clock.forward(60 * MINUTE_MS)
  }
  world.clock.forward(-24 * 60 * MINUTE_MS)
  const at = deps.now().toISOString()
  await look()
  expect(listBackups(dir).map((backup) => backup.at.toISOString())).toContain(at)
  expect(listBackups(dir)).toHaveLength(2)
  world.clock.forward(60 * MINUTE_MS)
  await look()
  expect(listBackups(dir).map((backup) => backup.at.toISOString())).toEqual([deps.now().toISOString(), at])
})

test('a failed backup is tried again soon, although the clock was set back after it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { world, dir, deps, count } = await backingUp()
  await putOnSale(world)
  world.clock.forward(24 * 60 * MINUTE_MS)
  writeFileSync(dir, 'a file where the folder should be')
  const idle = keepBackups(deps)
  await idle()
  expect((await backupState(deps))?.failed).not.toBeNull()
  rmSync(dir)
  world.clock.forward(-24 * 60 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  await idle()
  expect(count()).toBe(1)
})

test('with a key nothing in the folder can be read without its secret part', async () => {
  const identity = await generateX25519Identity()
  const { world, dir, look } = await backingUp({ BACKUP_KEY: await identityToRecipient(identity) })
  await putOnSale(world)
  await bought(await world.as('guest'), 2)
  await look()
  const [name = ''] = readdirSync(dir)
  expect(readdirSync(dir)).toHaveLength(1)
  expect(name).toMatch(/^garba-.*Z\.db\.age$/)
  expect(readFileSync(join(dir, name), 'latin1')).toMatch(/^age-encryption\.org\/v1\n/)
  expect(readFileSync(join(dir, name), 'latin1')).not.toContain('guest@garba.test')
  expect(readdirSync(world.folder).filter((entry) => entry.includes('partial'))).toEqual([])

  const plain = join(world.folder, 'opened.db')
  await unsealBackup({ from: join(dir, name), to: plain, key: identity })
  const copy = openStore(plain)
  expect(copy.sqlite.prepare('select count(*) as n from tickets').get()).toEqual({ n: 2 })
  await copy.close()
  const wrong = unsealBackup({ from: join(dir, name), to: `${plain}2`, key: await generateX25519Identity() })
  await expect(wrong).rejects.toMatchObject({ name: 'BackupRefused', message: expect.stringMatching(/not its key/) })
})

test('the hook carries each backup away without our secrets; its failure is shown until it is tried again with success', async () => {
  const { world, dir, deps, look, count } = await backingUp({ BACKUP_EVERY: '60' })
  const carried = join(world.folder, 'carried')
  const script = join(world.folder, 'carry')
  writeFileSync(script, `echo "$1 [$BACKUP_KEY]" >> ${carried}\n`)
  deps.settings.backups.hook = `sh ${script}`
  process.env.BACKUP_KEY = 'secret'
  await look()
  delete process.env.BACKUP_KEY
  expect(readFileSync(carried, 'utf8')).toBe(`${listBackups(dir)[0]?.path} []\n`)

  appendFileSync(script, 'exit 3\n')
  world.clock.forward(60 * MINUTE_MS)
  await expect(look()).rejects.toMatchObject({ name: 'BackupRefused' })
  expect((await backupState(deps))?.failed).toEqual({
    at: world.clock.now().toISOString(),
    reason: expect.stringMatching(/^BACKUP_HOOK ended with 3 for .*\.db\.$/),
  })
  await expect(look()).rejects.toMatchObject({ name: 'BackupRefused' })
  // The same backup is carried, long before the next is due.
  writeFileSync(script, `echo "$1" > ${carried}\n`)
  world.clock.forward(5 * MINUTE_MS)
  await look()
  expect(readFileSync(carried, 'utf8')).toBe(`${listBackups(dir)[0]?.path}\n`)
  expect((await backupState(deps))?.failed).toBeNull()
  expect(count()).toBe(2)
})

test('a folder that cannot be created is reported in one sentence, and sales go on', async () => {
  const { world, dir, deps, look } = await backingUp()
  await putOnSale(world)
  writeFileSync(dir, 'a file where the folder should be')
  await expect(look()).rejects.toThrow()
  expect((await backupState(deps))?.failed?.reason).toMatch(/^The folder of BACKUP_DIR, .*, cannot be made/)
  expect(await bought(await world.as('guest'), 1)).toHaveLength(1)
})

test('an admin makes a backup at once, also where the server makes none by itself', async () => {
  const { world, deps, dir, count } = await backingUp()
  await putOnSale(world)
  const [first, second] = await Promise.all([backUpNow(deps), backUpNow(deps)])
  expect(first).toEqual(second)
  expect(count()).toBe(1)
  expect(await lastBackup(world)).toBe(first.lastBackup)
  world.clock.forward(1_000)
  const without = { ...deps, settings: { ...deps.settings, backups: null } }
  await backUpNow(without)
  expect(listBackups(dir).length).toBe(2)
  const nowhere = { ...deps, settings: { ...deps.settings, databaseFile: join(world.folder, 'gone', 'garba.db') } }
  await expect(backUpNow(nowhere)).rejects.toMatchObject({ code: 'BACKUP_FAILED' })
  for (const role of ['manager', 'qrchecker', 'guest'] as const) {
    const { status } = await (await world.as(role)).request('POST', '/api/admin/system/backup')
    expect(status).toBe(403)
  }
})
