import { existsSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Bench, type BenchRow, formatBenchTable } from '../../lib/benchRow.ts'
import { listRepoFiles } from '../../lib/files.ts'
import { runCommand, UsageError } from '../../lib/say.ts'
import { ROOT } from '../../setup.mjs'

await runCommand('bench', async ({ words: typed, text }) => {
  const against = text('against')
  const words = against === undefined ? typed : ['against']
  const files = ['server/bench', 'client/bench']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => listRepoFiles(join(ROOT, folder)))
    .filter((path) => path.endsWith('.bench.ts') && (words.length === 0 || words.some((word) => path.includes(word))))
  if (files.length === 0) throw new UsageError('No benchmark has that name.')
  // A benchmark may keep this process to one of them.
  const cores = availableParallelism()
  const rows: BenchRow[] = []
  for (const path of files) {
    console.log(`${path} ...`)
    const from = performance.now()
    const { default: bench } = (await import(pathToFileURL(join(ROOT, path)).href)) as { default: Bench }
    rows.push(...(await bench(words, against)))
    console.log(`  done in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  console.log(`\n${cores} cores of ${model}, Node ${process.versions.node}\n\n${formatBenchTable(rows)}`)
})
