import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const BEAT_MS = 1000
const DEAD_AFTER_MS = 10_000

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** True if this call created the file, false if it already existed. */
function create(path) {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch (error) {
    if (error.code === 'ENOENT') return 0
    throw error
  }
}

/**
 * Runs `work` while holding the lock file, so that two starts never install or build at the same time. The holder
 * touches the file every second. A file untouched for 10 s belongs to a killed process and is taken over.
 */
export async function withLock({ path, onWait, work }) {
  mkdirSync(dirname(path), { recursive: true })
  for (let tries = 0; !create(path); tries++) {
    if (tries === 0) onWait()
    await sleep(300)
    if (ageOf(path) > DEAD_AFTER_MS) takeAway(path)
  }
  const beat = setInterval(() => touch(path), BEAT_MS)
  const release = () => rmSync(path, { force: true })
  // If a signal ends the process during the work, the next one need not wait.
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

/** A lock that someone deleted by hand does not stop the work. */
function touch(path) {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/** Only the process that creates the `.dead` file may remove the lock, so two waiters cannot both take it over. */
function takeAway(path) {
  const claim = `${path}.dead`
  if (!create(claim)) {
    if (ageOf(claim) > DEAD_AFTER_MS) rmSync(claim, { force: true })
    return
  }
  try {
    if (ageOf(path) > DEAD_AFTER_MS) rmSync(path, { force: true })
  } finally {
    rmSync(claim, { force: true })
  }
}
