import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from '../../setup.mjs'

const engines = (...args: string[]) =>
  spawnSync(nodeBinary(), ['scripts/commands/develop/engines.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH: '/nowhere' },
  })

test('npm run engines says what to install when a browser is missing, and fails', () => {
  const { status, stdout, stderr } = engines()
  expect(status).toBe(1)
  // The proxies are also found where Debian puts them.
  expect(stderr).toMatch(
    /on Debian with: apt-get install firefox-esr webkit2gtk-driver xvfb caddy( nginx-light)?( apache2)?( haproxy)?( varnish)? openssl\n/,
  )
  expect(stdout).toMatch(/\n0 passed, 1 failed\n$/)
  expect(engines('firefox').stderr).toContain('apt-get install firefox-esr\n')
  expect(engines('caddy').stderr).toContain('apt-get install caddy\n')
})

test('an engine that it does not know gets the usage', () => {
  const { status, stderr } = engines('chromium')
  expect(status).toBe(2)
  expect(stderr).toContain('npm run engines -- NAME')
})
