import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort, waitForAnswer } from '../../../scripts/lib/children.ts'
import { nodeBinary, ROOT, runNpm } from '../../../scripts/setup.mjs'

const TOOLS = [
  '@redocly/cli@2.77.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5.9.3',
]

const RULES = 'extends: [recommended]\n'

const USE = `import createClient from 'openapi-fetch'
import type { paths } from './client.d.ts'
import { markUsedBatch } from './hey/index.ts'
const client = createClient<paths>({ baseUrl: 'http://localhost/api' })
export const csv = async (): Promise<string | undefined> =>
  (await client.GET('/admin/orders/export', { parseAs: 'text' })).data
// @ts-expect-error a scan is not a number
export const wrong = () => markUsedBatch({ body: { scans: [1] } })
`

const STRICT =
  '--strict --noEmit --allowImportingTsExtensions --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable'

test('the description of the API passes the linter, and its clients compile under strict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-openapi-'))
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    NODE_ENV: '',
    FIREBASE_PROJECT_ID: '',
  }
  const server = spawn(nodeBinary(), ['server/src/main.ts'], { cwd: ROOT, env, stdio: 'ignore' })
  const run = (tool: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(folder, 'node_modules', '.bin', tool), args, {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(status, `${tool}: ${stdout}${stderr}`).toBe(0)
    return stdout + stderr
  }
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    runNpm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...TOOLS], { cwd: folder })
    const url = `http://127.0.0.1:${port}/api/openapi.json`
    expect(await waitForAnswer(url, () => server.exitCode !== null)).toBe(true)
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(url)).text())
    writeFileSync(join(folder, 'redocly.yaml'), RULES)
    expect(run('redocly', 'lint', 'openapi.json')).not.toMatch(/\d+ (warning|error)/)
    run('openapi-typescript', 'openapi.json', '-o', 'client.d.ts')
    run('openapi-ts', '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch')
    writeFileSync(join(folder, 'use.ts'), USE)
    run('tsc', ...STRICT.split(' '), 'use.ts', 'client.d.ts')
  } finally {
    server.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
})
