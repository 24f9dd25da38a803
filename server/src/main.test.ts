import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from './config.ts'
import { startApp } from './start.ts'
import { FolderInUse, holdFolder } from './store/engine/folder.ts'
import { openStore } from './store/engine/open.ts'
import { StoreUnusable } from './store/engine/unusable.ts'
import { freePort } from './testing/postgres.ts'
import { runServer, type ServerRun, temporaryFolder } from './testing/process.ts'
import { eventForm } from './testing/scenes.ts'
import { demoToken } from './testing/tokens.ts'

const EMULATOR = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9' }

/** The process exited with 1 and printed one sentence, without a stack trace. */
async function refusedToBoot(run: ServerRun): Promise<string> {
  expect(await run.ended).toEqual({ code: 1, signal: null })
  const sentence = run.stderr().trim()
  expect(sentence.split('\n')).toHaveLength(1)
  expect(sentence).not.toMatch(/^\s+at /m)
  return sentence
}

/** Of a server in this process. */
const settingsAt = (folder: string, more: Record<string, string> = {}) =>
  readSettings({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...more })

async function started(...given: Parameters<typeof settingsAt>) {
  const server = await startApp(settingsAt(...given))
  onTestFinished(server.stop)
  return server
}

/** A refusal that a process prints as one sentence. */
const unusable = (words: RegExp) =>
  expect.objectContaining({ name: StoreUnusable.name, message: expect.stringMatching(words) })

describe('the server does not start', () => {
  test('on a port in use, and says which', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const run = await runServer({ PORT: String(port), DATA_DIR: temporaryFolder() })
    expect(await refusedToBoot(run)).toBe(`PORT ${port} is used by another program: end it, or set PORT to a free one.`)
  })

  test('with a bad setting, and names it', async () => {
    expect(await refusedToBoot(await runServer({ PORT: 'eighty' }))).toMatch(/^PORT must be a port number/)
  })

  test('with an emulator in production', () => {
    const read = () => readSettings({ ...EMULATOR, NODE_ENV: 'production' })
    expect(read).toThrow(/^FIREBASE_AUTH_EMULATOR_HOST must not be set/)
  })

  test('as a demo that strangers could reach', () => {
    expect(() => readSettings({ HOST: '0.0.0.0' })).toThrow(/^HOST would open the demo/)
  })

  test('on a folder that another server has, and says where that one runs', async () => {
    const folder = temporaryFolder()
    const settings = settingsAt(folder)
    const first = await startApp(settings)
    const sentence = `A server runs on the folder ${folder} already at ${first.url} (process ${process.pid}): stop it first, or set DATA_DIR to another folder.`
    await expect(startApp(settings)).rejects.toThrow(new FolderInUse(sentence))
    await first.stop()
    await (await startApp(settings)).stop()
    expect(readdirSync(folder)).not.toContain('garba.running')
  })

  test('on a file that is not a database', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'garba.db'), 'not a database '.repeat(100))
    const sentence = await refusedToBoot(await runServer({ DATA_DIR: folder }))
    expect(sentence).toContain(`${join(folder, 'garba.db')} cannot be used: it is not an SQLite file`)
  })

  test('on a database that another program has locked', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'garba.db')
    await openStore(file).close()
    const holder = new Database(file)
    onTestFinished(() => void holder.close())
    holder.exec('begin exclusive')
    await expect(startApp(settingsAt(folder))).rejects.toThrow(unusable(/is locked by another program/))
  })

  test('when the data folder cannot be created', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const started = startApp(settingsAt(join(folder, 'file', 'data')))
    await expect(started).rejects.toThrow(unusable(/cannot be used: a part of its path is a file\. Check DATA_DIR\.$/))
  })

  test('when the database path is a folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'garba.db'))
    await expect(startApp(settingsAt(folder))).rejects.toThrow(unusable(/cannot be opened\. Check that DATA_DIR/))
  })

  test.each([
    ['SQLITE_FULL', 'the disk is full'],
    ['ENOSPC', 'the disk is full'],
    ['SQLITE_READONLY_DBMOVED', 'read-only'],
    ['SQLITE_IOERR_WRITE', 'disk answers with an error'],
    ['EROFS', 'read-only'],
  ])('on disk error %s, and says: %s', (code, words) => {
    const { message } = StoreUnusable.from(Object.assign(new Error('x'), { code }), '/data/garba.db')
    expect(message).toMatch(/^The database \/data\/garba\.db .*\.$/)
    expect(message).toContain(words)
  })
})

test('a disk error with no room left is reported as a full disk', () => {
  // Neither file system ever has free space.
  const full = process.platform === 'linux' ? '/proc/garba.db' : '/dev/garba.db'
  const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' })
  expect(StoreUnusable.from(error, full).message).toContain('the disk is full')
})

test('a server that cannot note or delete its address still gives its folder back', () => {
  const folder = temporaryFolder()
  const held = holdFolder(join(folder, 'garba.db'))
  mkdirSync(join(folder, 'garba.running'))
  held.at('http://localhost:8080')
  held.release()
  rmdirSync(join(folder, 'garba.running'))
  holdFolder(join(folder, 'garba.db')).release()
})

test('a log that finds no room does not end the server', async () => {
  const port = await freePort()
  // Other systems have no such device; there the log finds room.
  const full = openSync(process.platform === 'linux' ? '/dev/full' : '/dev/null', 'w')
  const { PATH, NODE_OPTIONS } = process.env
  const env = { PATH, NODE_OPTIONS, PORT: String(port), DATA_DIR: temporaryFolder() }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', full, 'inherit'],
  })
  closeSync(full)
  onTestFinished(() => void child.kill('SIGKILL'))
  const health = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(health).toBe(200)
  expect(await health()).toBe(200)
  expect(child.exitCode).toBeNull()
})

test('a missing database is created along with its folder', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const { url } = await started(folder)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(existsSync(join(folder, 'garba.db'))).toBe(true)
})

test('a server on one address alone says that one', async () => {
  const { url } = await started(temporaryFolder(), { HOST: '::1' })
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('with PORT=0, browsers and link previews get the actual port', async () => {
  const { url } = await started(temporaryFolder())
  expect(await (await fetch(`${url}/api/config`)).json()).toMatchObject({ publicUrl: url })
})

describe('stopping', () => {
  async function running(more: Record<string, string> = {}) {
    const folder = temporaryFolder()
    const run = await runServer({ DATA_DIR: folder, ADMIN_EMAILS: 'admin@garba.test', ...EMULATOR, ...more })
    const token = demoToken('admin@garba.test')
    const signIn = await fetch(`${run.url}/api/auth/google-signin`, {
      method: 'POST',
      body: JSON.stringify({ idToken: token }),
    })
    expect(await signIn.json()).toMatchObject({ user: { role: 'admin' } })
    return { folder, run, headers: { authorization: `Bearer ${token}` } }
  }

  test('finishes requests in progress, ends live views and leaves one complete file, and only slips in settings were reported', async () => {
    const { folder, run, headers } = await running({ PROT: '8081', UPI_ID: 'garba@bank' })
    const live = await fetch(`${run.url}/api/scanner/live`, { headers })
    const streamed = live.text()

    // A request whose body is half sent when the signal arrives.
    const answer = Promise.withResolvers<{ status: number | undefined; text: string }>()
    const body = JSON.stringify({ displayName: 'Late Name' })
    const half = request(`${run.url}/api/auth/profile`, {
      method: 'PUT',
      headers: { ...headers, 'content-length': body.length },
    })
    half.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (data) => {
        text += data
      })
      response.on('end', () => answer.resolve({ status: response.statusCode, text }))
    })
    half.on('error', answer.reject)
    half.write(body.slice(0, 10))
    await expect.poll(() => half.socket?.bytesWritten ?? 0).toBeGreaterThan(10)
    await fetch(`${run.url}/healthz`)

    run.child.kill('SIGTERM')
    expect(await streamed).toContain('event: roster')
    // Ctrl-C reaches the server once from the terminal and once from the process that passes it on.
    run.child.kill('SIGTERM')
    half.end(body.slice(10))
    expect(await answer.promise).toMatchObject({ status: 200, text: expect.stringContaining('Late Name') })
    expect(await run.ended).toEqual({ code: 0, signal: null })
    expect(readdirSync(folder)).toEqual(['garba.db', 'garba.lock'])
    expect(run.stderr()).toBe(
      'PROT is not a setting: did you mean PORT?\nUPI_ID is set, but PAYMENTS does not name upi, so guests cannot pay by UPI.\n',
    )
    const db = new Database(join(folder, 'garba.db'), { readonly: true })
    expect(db.prepare('select name from users').all()).toEqual([{ name: 'Late Name' }])
    db.close()
  })

  test('by SIGKILL loses nothing that was acknowledged, and gives its folder to the next server', async () => {
    const { folder, run, headers } = await running()
    const body = JSON.stringify({ displayName: 'Answered' })
    expect((await fetch(`${run.url}/api/auth/profile`, { method: 'PUT', headers, body })).status).toBe(200)
    await expect(startApp(settingsAt(folder))).rejects.toThrow(
      `already at ${run.url} (process ${run.child.pid}): stop it first`,
    )
    run.child.kill('SIGKILL')
    await run.ended
    // Until the next server listens, nobody is sent to the address of the one that was killed.
    const held = holdFolder(join(folder, 'garba.db'))
    expect(() => holdFolder(join(folder, 'garba.db'))).toThrow(`${folder} already: stop it first`)
    held.release()
    const again = await runServer({ DATA_DIR: folder, ...EMULATOR })
    const me = await fetch(`${again.url}/api/auth/me`, { headers })
    expect(await me.json()).toMatchObject({ user: { name: 'Answered', role: 'admin' } })
  })

  test('by SIGKILL in the middle of a rush keeps every acknowledged sale and fills each order once', async () => {
    const { folder, run, headers } = await running()
    const in30Days = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const form = JSON.stringify(eventForm({ date: in30Days, totalTickets: 5_000 }))
    const made = await fetch(`${run.url}/api/event`, { method: 'POST', headers, body: form })
    expect(made.status).toBe(201)
    const keys = Array.from({ length: 240 }, (_, n) => `order-key-${n}`)
    const buy = async (url: string, key: string) => {
      const init = { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body: '{"quantity":1}' }
      const answer = await fetch(`${url}/api/tickets`, init)
      return { status: answer.status, body: (await answer.json()) as { tickets: { _id: string }[] } }
    }
    let answered = 0
    const rush = keys.map(async (key) => {
      const answer = await buy(run.url, key).catch(() => null)
      if (answer?.status === 201) answered += 1
      if (answered === 40) run.child.kill('SIGKILL')
      return answer?.status === 201 ? answer.body.tickets.map(({ _id }) => _id) : null
    })
    const before = await Promise.all(rush)
    await run.ended
    expect(before).toContain(null)
    const again = await runServer({ DATA_DIR: folder, ...EMULATOR })
    const after = await Promise.all(keys.map((key) => buy(again.url, key)))
    expect(after.map(({ status }) => status)).toEqual(keys.map(() => 201))
    after.forEach(({ body }, n) => {
      if (before[n]) expect(body.tickets.map(({ _id }) => _id)).toEqual(before[n])
    })
    const sold = await fetch(`${again.url}/api/tickets/my-tickets`, { headers })
    expect(((await sold.json()) as { tickets: unknown[] }).tickets).toHaveLength(keys.length)
  })
})
